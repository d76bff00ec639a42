"""Real servers in processes of their own: workers, restarts, stops, and what only a real connection shows."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.client import SECRET
from tests.games.dewspout import player
from tests.nginx import Proxy
from tests.server import HTTP, ROOT, Server, serving, workers

FILL = {"type": "fill", "vessel": 1}


def played(url: str, token: str, action: object, client: httpx.Client | None = None) -> dict[str, Any]:
    answer: dict[str, Any] = (
        (client or HTTP).post(f"{url}/api/games/dewspout/action", json={"stateToken": token, "action": action}).json()
    )
    return answer


def init(url: str, seed: int = 7) -> dict[str, Any]:
    answer: dict[str, Any] = HTTP.get(f"{url}/api/games/dewspout/init?seed={seed}").json()
    return answer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Two workers, without any setting."""
    with serving(tmp_path_factory.mktemp("server") / "log", "--workers", "2") as running:
        yield running


def raw(server: Server | Proxy, request: bytes, *more: bytes) -> bytes:
    """What comes back for bytes on a connection of their own, until the server is silent or closes it."""
    address = urlsplit(server.url)
    with socket.create_connection((address.hostname, address.port), timeout=5) as connection:
        for part in (request, *more):
            connection.sendall(part)
        connection.settimeout(1)
        came = b""
        try:
            while part := connection.recv(65536):
                came += part
        except (TimeoutError, ConnectionResetError):
            pass
        return came


def test_two_workers_continue_each_others_runs(server: Server) -> None:
    """Every call on a connection of its own, many at a time: both workers answer, and no run is lost."""

    def run(seed: int) -> int:
        answer = init(server.url, seed)
        for _ in range(20):
            answer = played(server.url, answer["stateToken"], player.play(answer["state"]))
            assert answer["ok"] is True, answer
        return int(answer["score"])

    with ThreadPoolExecutor(16) as pool:
        scores = list(pool.map(run, range(16)))
    assert min(scores) >= 270 + 2 * 280
    assert len(workers(server)) == 2
    assert all(seconds > 0.05 for seconds in workers(server).values()), "one worker did all the work"


def test_the_random_secret_is_warned_of_once(server: Server) -> None:
    assert server.log.read_text().count("GAMEBOARD_SECRET is not set") == 1


def test_a_restart_with_the_same_secret_continues_yesterdays_runs(tmp_path: Path) -> None:
    with serving(tmp_path / "log", secret=SECRET) as first:
        before = played(first.url, init(first.url)["stateToken"], FILL)
    with serving(tmp_path / "log", secret=f"{'n' * 40},{SECRET}") as second:
        after = played(second.url, before["stateToken"], {"type": "pour", "from": 1, "to": 2})
        assert after["score"] == 270
    assert "is not set" not in (tmp_path / "log").read_text()


def test_a_restart_with_another_secret_refuses_them(tmp_path: Path) -> None:
    with serving(tmp_path / "log") as first:
        before = init(first.url)
    with serving(tmp_path / "log") as second:
        assert played(second.url, before["stateToken"], FILL)["code"] == "bad_token"


@pytest.mark.parametrize(
    ("variables", "options", "sentence"),
    [
        ({"GAMEBOARD_SECRET": "short"}, [], "GAMEBOARD_SECRET: it has 5 characters and needs at least 32."),
        ({"GAMEBOARD_PUBLIC_URL": "nowhere"}, [], "GAMEBOARD_PUBLIC_URL: it must be an http or https address"),
        ({"GAMEBOARD_TRUSTED_PROXIES": "proxy"}, [], "GAMEBOARD_TRUSTED_PROXIES: 'proxy' is no IP address"),
        ({"GAMEBOARD_METRICS": "yes"}, [], "GAMEBOARD_METRICS: it must be 1 or 0"),
        (
            {"GAMEBOARD_METRICS": "1", "PROMETHEUS_MULTIPROC_DIR": "/nowhere"},
            [],
            "Metrics need a directory for temporary files that can be written: No such file or directory.",
        ),
        ({}, ["--port", "http"], "a port is a number from 0 to 65535"),
        ({}, ["--workers", "0"], "workers are a number from 1 to 256"),
    ],
)
def test_a_wrong_setting_stops_the_start_with_a_sentence(
    variables: dict[str, str], options: list[str], sentence: str
) -> None:
    command = [sys.executable, "-m", "app", *options]
    started = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **variables}, capture_output=True, text=True, timeout=30, check=False
    )
    assert started.returncode not in (0, None)
    assert sentence in started.stderr
    assert "Traceback" not in started.stderr
    assert started.stdout == ""


def test_a_taken_port_stops_the_start(server: Server) -> None:
    port = str(urlsplit(server.url).port)
    started = subprocess.run(
        [sys.executable, "-m", "app", "--port", port], cwd=ROOT, capture_output=True, text=True, timeout=30, check=False
    )
    assert started.returncode != 0
    assert "address already in use" in started.stderr
    assert "Traceback" not in started.stderr


@pytest.mark.parametrize("count", ["1", "2"])
def test_sigterm_stops_it_within_seconds(tmp_path: Path, count: str) -> None:
    with serving(tmp_path / "log", "--workers", count, secret=SECRET) as running, httpx.Client() as client:
        assert client.get(f"{running.url}/healthz").status_code == 200  # a connection that is kept alive
        started = time.monotonic()
        running.process.send_signal(signal.SIGTERM)
        running.process.wait(timeout=10)
        assert time.monotonic() - started < 10
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_head_sends_no_body(server: Server) -> None:
    for path in ("/api/games", "/api/games/dewspout/init?seed=7", "/docs/api", "/nope"):
        head, _, body = raw(server, f"HEAD {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()).partition(
            b"\r\n\r\n"
        )
        assert re.search(rb"content-length: [1-9]", head)
        assert body == b""


def test_a_chunked_body_is_counted(server: Server) -> None:
    head = b"POST /api/games/dewspout/action HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"4000\r\n" + b"x" * 0x4000 + b"\r\n"
    came = raw(server, head, *[chunk] * 5)
    assert came.startswith(b"HTTP/1.1 413 ")
    assert b'"code":"too_large"' in came


def test_a_declared_length_is_refused_before_the_body_comes(server: Server) -> None:
    came = raw(server, b"POST /api/games/dewspout/action HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000000\r\n\r\n")
    assert came.startswith(b"HTTP/1.1 413 ")


def test_a_large_body_gets_its_answer_and_the_connection_goes_on(server: Server) -> None:
    with httpx.Client() as client:
        for _ in range(3):
            response = client.post(f"{server.url}/api/games/dewspout/action", content=b"x" * 5_000_000)
            assert response.status_code == 413
            assert client.get(f"{server.url}/healthz").status_code == 200


def test_curl_may_wait_for_a_continue(server: Server) -> None:
    body = json.dumps({"stateToken": init(server.url)["stateToken"], "action": FILL}).encode()
    head = (
        b"POST /api/games/dewspout/action HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
        b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
    )
    came = raw(server, head, body)
    assert b"HTTP/1.1 200 OK" in came
    assert b'"moved":5' in came


def test_a_request_without_a_host_is_answered(server: Server) -> None:
    came = raw(server, b"GET /api/games HTTP/1.0\r\n\r\n")
    assert f"{server.url}/api/games/dewspout/init".encode() in came


ODD_LINES = {
    "a bad escape": b"GET /api/games/%ff HTTP/1.1",
    "NUL": b"GET /%00 HTTP/1.1",
    "two slashes": b"GET //api/games HTTP/1.1",
    "a long slug": b"GET /api/games/" + b"x" * 8000 + b" HTTP/1.1",
    "an unknown method": b"BREW /api/games HTTP/1.1",
    "a method in small letters": b"get /api/games HTTP/1.1",
    "the whole server": b"OPTIONS * HTTP/1.1",
    "bytes in the path": b"GET /api/games/\xff HTTP/1.1",
    "UTF-8 in the query": b"GET /api/games/dewspout/init?seed=\xc3\xa9 HTTP/1.1",
    "a tunnel": b"CONNECT example.org:443 HTTP/1.1",
    "no request": b"nonsense",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00",
    "a line break within": b"GET / HTTP/1.1\r\n folded: x\r\nX",
    "two lengths": b"POST /api/games/dewspout/action HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2",
    "a long length": b"POST /api/games/dewspout/action HTTP/1.1\r\nContent-Length: " + b"9" * 40,
    "a negative length": b"POST /api/games/dewspout/action HTTP/1.1\r\nContent-Length: -1",
}


@pytest.mark.parametrize("line", ODD_LINES.values(), ids=ODD_LINES)
def test_odd_requests_are_answered_in_the_envelope(server: Server, line: bytes) -> None:
    came = raw(server, line + b"\r\nHost: x\r\nConnection: close\r\n\r\n")
    head, _, body = came.partition(b"\r\n\r\n")
    assert re.match(rb"HTTP/1.1 4\d\d ", head), came
    assert b"access-control-allow-origin: *" in head.lower()
    assert b"cache-control: no-store" in head.lower()
    answer = json.loads(body)
    assert list(answer) == ["ok", "reason", "legalActions", "code"]
    assert "Traceback" not in server.log.read_text()
    assert HTTP.get(f"{server.url}/healthz").status_code == 200


def test_an_endless_head_or_trailer_is_cut_off(server: Server) -> None:
    """Sent until the server closes: it must do so long before this much has come."""
    endless = (
        b"GET /healthz HTTP/1.1\r\nHost: x\r\nX: ",
        b"POST /api/games/dewspout/action HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ",
        b"POST /api/games/dewspout/action HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5;",
    )
    address = urlsplit(server.url)
    for head in endless:
        with socket.create_connection((address.hostname, address.port), timeout=5) as connection:
            connection.sendall(head)
            with pytest.raises(ConnectionError):
                connection.sendall(b"x" * 65_536_000)


@pytest.mark.parametrize("framing", ["length", "chunked"])
def test_an_offer_of_http_2_does_not_lose_the_body(server: Server, framing: str) -> None:
    """As Java's client sends it."""
    body = json.dumps({"stateToken": init(server.url)["stateToken"], "action": FILL}).encode()
    head = (
        b"POST /api/games/dewspout/action HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\n"
        b"Upgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n"
    )
    if framing == "length":
        came = raw(server, head + b"Content-Length: %d\r\n\r\n" % len(body), body)
    else:
        came = raw(server, head + b"Transfer-Encoding: chunked\r\n\r\n", b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body))
    assert came.startswith(b"HTTP/1.1 200 OK")
    assert b'"moved":5' in came


def test_trailers_are_not_headers(tmp_path: Path) -> None:
    with serving(tmp_path / "log", secret=SECRET, GAMEBOARD_TRUSTED_PROXIES="127.0.0.1") as running:
        came = raw(
            running,
            b"GET /api/games HTTP/1.1\r\nHost: h\r\nX-Forwarded-Host: good.example\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n0\r\nX-Forwarded-Host: evil.example\r\n\r\n",
        )
        assert b"http://good.example/api/games/dewspout/init" in came
        assert b"evil" not in came


@pytest.mark.parametrize("path", ["POST /api/games/dewspout/action", "GET /nope"])
def test_a_length_declared_in_both_ways_hides_no_second_request(server: Server, path: str) -> None:
    hidden = b"0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    head = f"{path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: {len(hidden)}\r\n\r\n"
    came = raw(server, head.encode() + hidden)
    assert came.startswith(b"HTTP/1.1 400 ")
    assert came.count(b"content-length: ") == 1
    assert b'"code":"bad_http"' in came


def test_pipelined_requests_are_answered_in_their_order(server: Server) -> None:
    lines = [b"GET /api/games/dewspout/init?seed=%d HTTP/1.1\r\nHost: x\r\n\r\n" % seed for seed in range(20)]
    seeds = re.findall(rb'"seed":(\d+)', raw(server, b"".join(lines)))
    assert seeds == [b"%d" % seed for seed in range(20)]


HEALTHZ = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
CHUNKED = b"POST /api/games/dewspout/action HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"


def slow(actions: int = 3000) -> bytes:
    """A request that takes a while: a long run to be verified."""
    run = {"seed": 7, "actions": [{"type": "fill", "vessel": 0}, {"type": "empty", "vessel": 0}] * (actions // 2)}
    body = json.dumps(run).encode()
    return b"POST /api/games/dewspout/verify HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


@pytest.mark.parametrize("bad", [CHUNKED + b"5\r\nhello\r\nZZ\r\n", b"nonsense\r\n\r\n", CHUNKED + b"ZZ\r\n"])
@pytest.mark.parametrize("first", [HEALTHZ, slow(), HEALTHZ + HEALTHZ])
def test_requests_before_a_malformed_one_are_answered(server: Server, first: bytes, bad: bytes) -> None:
    came = raw(server, first + bad)
    assert came.count(b"HTTP/1.1 200 OK") == came.count(b'{"ok":true') == (2 if first == HEALTHZ + HEALTHZ else 1)
    assert came.startswith(b"HTTP/1.1 200 OK")
    assert "Traceback" not in server.log.read_text()


def test_many_empty_headers_are_too_long_a_head(server: Server) -> None:
    came = raw(server, b"GET /healthz HTTP/1.1\r\n" + b"A:\r\n" * 1000 + b"\r\n")
    assert came.startswith(b"HTTP/1.1 400 ")
    assert raw(server, b"GET /healthz HTTP/1.1\r\nConnection: close\r\n" + b"A:\r\n" * 100 + b"\r\n").startswith(
        b"HTTP/1.1 200 "
    )


def test_a_trailer_that_closes_does_not_leave_a_deaf_connection(server: Server) -> None:
    address = urlsplit(server.url)
    with socket.create_connection((address.hostname, address.port), timeout=5) as connection:
        connection.sendall(CHUNKED + b"2\r\n{}\r\n0\r\nConnection: close\r\n\r\n")
        came = b""
        while part := connection.recv(65536):  # ends where the server closes it
            came += part
    assert b'"code":"bad_request"' in came


def test_nothing_is_read_behind_a_request_that_waits(tmp_path: Path) -> None:
    """A body without end behind a slow request stays where it is: in the buffers of the system, which fill."""
    head = b"POST /api/games/slow/action HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
    body = b'{"state": {"mark": 1, "turns": 0}, "action": {"type": "turn", "way": "up"}}'
    with serving(tmp_path / "log", module="tests.held") as held, socket.socket() as connection:
        address = urlsplit(held.url)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65_536)
        connection.connect((address.hostname, address.port))
        connection.sendall(head % len(body) + body + head % 10**11)
        connection.settimeout(0.1)
        filled, more = sent_until_blocked(connection), sent_until_blocked(connection)
        held.process.send_signal(signal.SIGUSR1)
        connection.settimeout(20)
        assert connection.recv(4096).startswith(b"HTTP/1.1 200 ")
    assert filled > 65_536
    assert more < 200_000


def sent_until_blocked(connection: socket.socket) -> int:
    sent = 0
    with suppress(TimeoutError):
        while sent < 10**9:
            sent += connection.send(b"0" * 65_536)
    return sent


def test_who_leaves_with_requests_under_way_is_noticed(server: Server) -> None:
    address = urlsplit(server.url)
    for _ in range(20):
        with socket.create_connection((address.hostname, address.port), timeout=5) as connection:
            connection.sendall(slow(6000))
            time.sleep(0.01)
            connection.sendall(HEALTHZ)
    assert HTTP.get(f"{server.url}/healthz").json()["ok"] is True
    again = raw(server, slow(100))
    assert b'"actionCount":100' in again
    assert "Traceback" not in server.log.read_text()


def test_nothing_of_a_run_is_in_the_log(server: Server) -> None:
    answer = init(server.url)
    played(server.url, answer["stateToken"], FILL)
    played(server.url, answer["stateToken"][:-1], FILL)
    log = server.log.read_text()
    assert answer["stateToken"][:20] not in log
    assert "api/games" not in log
