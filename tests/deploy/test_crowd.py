"""Clients that are slow, silent or many: the server goes on answering the others, and gets rid of them in time."""

import http.client
import resource
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from app.connection import MOST_AHEAD
from tests.client import SECRET
from tests.server import HTTP, Server, serving

HEAD = b"POST /api/games/dewspout/action HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"
SLOW = {
    "that say nothing": b"",
    "within a line": b"GET /healthz HT",
    "within a head": b"GET /healthz HTTP/1.1\r\nHost: x\r\n",
    "before the body": HEAD,
    "within the body": HEAD + b'{"stateToken": "',
    "within a chunk": HEAD.replace(b"Content-Length: 1000", b"Transfer-Encoding: chunked") + b"ff\r\n{",
    "after an answer": b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
}
EACH = 40
MANY = 1500


def connections(stack: ExitStack, server: Server, count: int, sent: bytes) -> list[socket.socket]:
    address = urlsplit(server.url)
    opened = []
    for _ in range(count):
        connection = stack.enter_context(socket.create_connection((address.hostname, address.port), timeout=10))
        connection.sendall(sent)
        opened.append(connection)
    return opened


@contextmanager
def more_files() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_others_are_answered_beside_slow_half_open_and_idle_connections(tmp_path: Path) -> None:
    with serving(tmp_path / "log", secret=SECRET) as server, ExitStack() as stack:
        stack.enter_context(more_files())
        for sent in SLOW.values():
            connections(stack, server, EACH, sent)
        for connection in connections(stack, server, MANY, SLOW["after an answer"]):
            assert connection.recv(4096).startswith(b"HTTP/1.1 200")
        run = HTTP.get(f"{server.url}/api/games/dewspout/init?seed=7").json()
        fill = {"stateToken": run["stateToken"], "action": {"type": "fill", "vessel": 1}}
        assert HTTP.post(f"{server.url}/api/games/dewspout/action", json=fill).json()["ok"] is True
    assert "Traceback" not in (tmp_path / "log").read_text()


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that looks at its connections every 0.4 s."""
    with serving(tmp_path_factory.mktemp("impatient") / "log", module="tests.impatient", secret=SECRET) as running:
        yield running


@pytest.mark.parametrize("sent", [sent for name, sent in SLOW.items() if name != "after an answer"])
def test_who_does_not_complete_a_request_is_let_go(impatient: Server, sent: bytes) -> None:
    with ExitStack() as stack:
        (connection,) = connections(stack, impatient, 1, sent)
        with suppress(ConnectionResetError):
            assert connection.recv(4096) == b""


def test_who_does_not_take_an_answer_is_let_go(impatient: Server) -> None:
    """Large answers are asked for one after the other and none is read."""
    with ExitStack() as stack:
        (connection,) = connections(stack, impatient, 1, b"")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with pytest.raises(ConnectionError):
            ask_without_end(connection)
    assert HTTP.get(f"{impatient.url}/healthz").json()["ok"] is True
    assert "Traceback" not in impatient.log.read_text()


def ask_without_end(connection: socket.socket) -> None:
    for _ in range(2000):
        connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(0.003)


def test_who_asks_far_ahead_is_answered_so_far_and_let_go(impatient: Server) -> None:
    """Answers are asked for without end, and read."""
    with ExitStack() as stack:
        (connection,) = connections(stack, impatient, 1, SLOW["after an answer"] * 5000)
        came = b""
        with suppress(ConnectionResetError):
            while part := connection.recv(65536):
                came += part
        assert 1 < came.count(b"HTTP/1.1 200") <= MOST_AHEAD + 1
        assert came.count(b"HTTP/1.1 ") - came.count(b'{"ok":true') in (0, 1)  # the last may be cut off by the reset


def test_a_busy_connection_is_kept(impatient: Server) -> None:
    """Requests one after the other, for longer than the patience lasts."""
    address = urlsplit(impatient.url)
    client = http.client.HTTPConnection(str(address.hostname), address.port, timeout=10)
    with closing(client):
        client.connect()
        opened = client.sock
        for _ in range(8):
            client.request("GET", "/healthz")
            assert client.getresponse().read().startswith(b'{"ok":true')
            time.sleep(0.2)
        assert client.sock is opened
