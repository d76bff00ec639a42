"""nginx with the configuration that is shipped: runs that outlive a server, limits, addresses, a prefix."""

import http.client
import json
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx
import orjson
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from app.body import LARGE
from app.line import Line
from app.seats import Seat, seats
from engines.registry import GAMES
from gameboard.agents.optimal import SOLVERS
from tests.client import SECRET
from tests.deploy.test_server import ODD_LINES, raw
from tests.nginx import ADDRESS, Proxy, proxying
from tests.server import HTTP, Server, serving

RUNS = 201
STEPS = 10
AT_ONCE = 16

FORGED = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example", "X-Forwarded-Prefix": "/evil"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(
        tmp_path_factory.mktemp("server") / "log", secret=SECRET, GAMEBOARD_TRUSTED_PROXIES=ADDRESS
    ) as running:
        yield running


@pytest.fixture(scope="module")
def proxy(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    with proxying(tmp_path_factory.mktemp("proxy") / "nginx", server) as running:
        yield running


@dataclass(frozen=True)
class Course:
    """A run as it must go: each request after the first, and the bytes of every answer."""

    game: str
    seed: int
    requests: list[bytes]
    answers: list[bytes]


def course(seat: Seat, seed: int) -> Course:
    """A run played in this process."""
    solver, carried = SOLVERS[seat.game.info.slug](), seat.game.carried_as
    requests: list[bytes] = []
    answers = [orjson.dumps(seat.start(seed))]
    while len(requests) < STEPS:
        answer = orjson.loads(answers[-1])
        request = {carried: answer[carried], "action": solver.act(answer["state"])}
        requests.append(orjson.dumps(request))
        answers.append(orjson.dumps(seat.play(request)))
        assert orjson.loads(answers[-1])["ok"] is True
    return Course(seat.game.info.slug, seed, requests, answers)


class Load:
    """All the runs side by side, over some connections. Half-way they wait for the servers to be whole again."""

    def __init__(self, courses: list[Course], url: str) -> None:
        self.statuses: list[int] = []
        self.broken_off: list[str] = []
        self.begun = threading.Event()
        self.whole = threading.Event()
        self._courses = courses
        self._address = urlsplit(url).netloc

    def play(self, meanwhile: Callable[[], None]) -> None:
        """Play to the end, and do something when some answers have come."""
        with ThreadPoolExecutor(AT_ONCE) as pool:
            playing = [pool.submit(self._play, self._courses[place::AT_ONCE]) for place in range(AT_ONCE)]
            try:
                while not self.begun.wait(0.1) and not any(future.done() for future in playing):
                    pass
                meanwhile()
            finally:
                self.whole.set()
            for future in playing:
                future.result()

    def _play(self, courses: list[Course]) -> None:
        connection = http.client.HTTPConnection(self._address, timeout=60)
        for course in courses:
            self._ask(connection, course.answers[0], "GET", f"/api/games/{course.game}/init?seed={course.seed}")
        for step in range(STEPS):
            if step == STEPS // 2:
                self.whole.wait()
            for course in courses:
                path = f"/api/games/{course.game}/action"
                self._ask(connection, course.answers[step + 1], "POST", path, course.requests[step])
        connection.close()

    def _ask(
        self, connection: http.client.HTTPConnection, answer: bytes, method: str, path: str, body: bytes | None = None
    ) -> None:
        try:
            status, came = asked(connection, method, path, body)
        except (http.client.HTTPException, ConnectionError):
            connection.close()
            self.broken_off.append(path)
            status, came = asked(connection, method, path, body)
        assert (status, came) == (200, answer)
        self.statuses.append(status)
        if len(self.statuses) > RUNS * STEPS // 5:
            self.begun.set()


def asked(connection: http.client.HTTPConnection, method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
    connection.request(method, path, body)
    response = connection.getresponse()
    return response.status, response.read()


def test_runs_go_on_byte_for_byte_while_a_server_is_killed_and_comes_back(tmp_path: Path) -> None:
    table = seats(GAMES, [SECRET], Line())
    courses = [course(seat, seed) for seed in range(RUNS // len(table)) for seat in table.values()]
    assert len(courses) == RUNS
    with ExitStack() as stack:
        first, second = (stack.enter_context(serving(tmp_path / "log", secret=SECRET)) for _ in range(2))
        proxy = stack.enter_context(proxying(tmp_path / "nginx", first, second))
        load, before = Load(courses, proxy.url), []

        def restart() -> None:
            first.process.kill()
            assert first.process.wait(timeout=15) == -signal.SIGKILL
            stack.enter_context(serving(tmp_path / "log", port=urlsplit(first.url).port, secret=SECRET))
            before.extend(proxy.answered())

        load.play(restart)
        one, other = (urlsplit(running.url).netloc for running in (first, second))
        for _ in range(200):  # nginx tries it again within a second
            after = [servers for _, servers in proxy.answered()[len(before) :]]
            if [one] in after:
                break
            time.sleep(0.05)
            assert HTTP.get(f"{proxy.url}/healthz").status_code == 200

    assert load.statuses == [200] * (RUNS * (STEPS + 1))
    assert len(load.broken_off) <= 1, "only the answer that the server was just writing can break off"
    assert {status for status, _ in proxy.answered()} == {200}
    assert [one, other] in [servers for _, servers in before], "no request met the server that was gone"
    assert [one] in after, "the server that came back is not asked"
    assert [other] in after


def constant(headers: httpx.Headers) -> dict[str, str]:
    """The headers that are the same on every JSON answer."""
    return {
        name: value for name, value in headers.items() if name not in ("server", "date", "connection", "content-length")
    }


def failure(response: httpx.Response, like: httpx.Response, status: int, code: str) -> dict[str, str]:
    """The headers of a failure that nginx told in the words of the servers, beside the constant ones."""
    assert response.status_code == status
    told = response.json()
    assert list(told) == ["ok", "reason", "legalActions", "code"]
    assert (told["ok"], told["legalActions"], told["code"]) == (False, [], code)
    headers, always = constant(response.headers), constant(like.headers)
    assert headers.items() >= always.items()
    return {name: value for name, value in headers.items() if name not in always}


@pytest.fixture(scope="module")
def nothing(server: Server) -> httpx.Response:
    """A failure that a server told."""
    return HTTP.get(f"{server.url}/nothing")


def test_what_the_servers_answer_passes_untouched(server: Server, proxy: Proxy) -> None:
    for method, path, body in (
        ("GET", "/nothing", None),
        ("PUT", "/api/games", None),
        ("POST", "/api/games/dewspout/action", b"x" * 65_537),
        ("GET", "/api/games/dewspout/init?seed=x", None),
        ("GET", "/api/games/dewspout/init?seed=7", None),
        ("GET", "/api%2Fgames//x", None),
    ):
        straight = HTTP.request(method, f"{server.url}{path}", content=body)
        through = HTTP.request(method, f"{proxy.url}{path}", content=body)
        told = through.text.replace(proxy.url, server.url)
        assert (through.status_code, told) == (straight.status_code, straight.text)
        assert constant(through.headers) == constant(straight.headers)


@pytest.mark.parametrize("line", ODD_LINES.values(), ids=ODD_LINES)
def test_odd_requests_are_answered_in_the_envelope(proxy: Proxy, nothing: httpx.Response, line: bytes) -> None:
    came = raw(proxy, line + b"\r\nHost: x\r\nConnection: close\r\n\r\n")
    head, _, body = came.partition(b"\r\n\r\n")
    status, *headers = head.decode().splitlines()
    assert re.match(r"HTTP/1.1 4\d\d ", status), came
    assert list(json.loads(body)) == ["ok", "reason", "legalActions", "code"]
    assert (
        dict(re.split(": ", header.lower(), maxsplit=1) for header in headers).items()
        >= {name: value.lower() for name, value in constant(nothing.headers).items()}.items()
    )


@pytest.mark.parametrize(
    ("head", "status", "code"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 40_000, 400, "bad_http"),
        (b"GET /" + b"x" * 40_000 + b" HTTP/1.1\r\nHost: x", 400, "bad_http"),
        (b"GET / HTTP/3.1\r\nHost: x", 400, "bad_http"),
        (b"TRACE / HTTP/1.1\r\nHost: x", 405, "method_not_allowed"),
    ],
)
def test_what_nginx_refuses_is_told_in_the_envelope(proxy: Proxy, head: bytes, status: int, code: str) -> None:
    came = raw(proxy, head + b"\r\nConnection: close\r\n\r\n")
    assert came.startswith(b"HTTP/1.1 %d " % status)
    assert json.loads(came.partition(b"\r\n\r\n")[2])["code"] == code
    assert (b"\r\nAllow: GET, HEAD, POST, OPTIONS\r\n" in came) == (status == 405)


DEAD = "server 127.0.0.1:1; server 127.0.0.2:1;"
"""Servers that do not answer."""


def test_a_body_may_be_as_large_as_the_servers_read_and_no_larger(
    proxy: Proxy, nothing: httpx.Response, tmp_path: Path
) -> None:
    batch = b'{"items": [{"game": "dewspout", "seed": 7}]}'
    assert HTTP.post(f"{proxy.url}/api/batch", content=batch.ljust(LARGE)).json()["ok"] is True
    with proxying(tmp_path / "nginx", SERVERS=DEAD) as alone:  # so that nginx itself must have refused it
        assert HTTP.post(f"{alone.url}/api/batch", content=batch.ljust(LARGE)).status_code == 503
        larger = batch.ljust(LARGE + 1)
        for content in (larger, iter([larger])):
            response = HTTP.post(f"{alone.url}/api/batch", content=content)
            assert failure(response, nothing, 413, "too_large") == {}
            assert str(LARGE) in response.json()["reason"]


def test_each_client_has_a_rate_of_its_own(server: Server, nothing: httpx.Response, tmp_path: Path) -> None:
    with proxying(tmp_path / "nginx", server, RATE="1r/m", BURST="4") as limited:
        answers = [HTTP.get(f"{limited.url}/healthz") for _ in range(7)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 2
        assert failure(answers[-1], nothing, 429, "too_many") == {"retry-after": "1"}
        assert "same request again" in answers[-1].json()["reason"]
        with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2")) as another:
            assert another.get(f"{limited.url}/healthz").status_code == 200


def test_without_a_server_it_is_busy(nothing: httpx.Response, tmp_path: Path) -> None:
    with proxying(tmp_path / "nginx", SERVERS=DEAD) as alone:
        for _ in range(2):
            response = HTTP.post(f"{alone.url}/api/games/dewspout/action", content=b"{}")
            assert failure(response, nothing, 503, "busy") == {"retry-after": "2"}
            assert "same request again" in response.json()["reason"]
        assert HTTP.head(f"{alone.url}/").status_code == 503


def test_metrics_are_not_for_the_public(proxy: Proxy, nothing: httpx.Response) -> None:
    assert failure(HTTP.get(f"{proxy.url}/metrics"), nothing, 404, "not_found") == {}
    for path in ("/metrics", "/metrics?x=1", "/%6detrics", "/docs/../metrics"):
        came = raw(proxy, f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        assert b"There is nothing at this path." in came, "a server was asked"


def base(url: str, headers: Mapping[str, str] | None = None, client: httpx.Client = HTTP) -> str:
    """What the addresses in the index of a server begin with."""
    index = client.get(f"{url}/api/games", headers=headers).json()
    found: str = index["docs"].removesuffix("/docs/api")
    assert all(game["actionUrl"] == f"{found}/api/games/{game['slug']}/action" for game in index["games"])
    return found


def test_addresses_are_those_that_the_client_asked(proxy: Proxy) -> None:
    assert base(proxy.url) == proxy.url
    assert base(proxy.url, {"Host": "play.example:8443"}) == "http://play.example:8443"
    assert base(proxy.url, {"Host": "play.example", **FORGED}) == "http://play.example"
    assert b'"docs":"%s/docs/api"' % proxy.url.encode() in raw(proxy, b"GET /api/games HTTP/1.0\r\n\r\n")


def test_only_nginx_is_believed(server: Server) -> None:
    assert base(server.url, FORGED) == "https://evil.example/evil"
    with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2")) as stranger:
        assert base(server.url, FORGED, stranger) == server.url


def test_addresses_are_https_where_nginx_speaks_tls(server: Server, tmp_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "play.example")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, datetime.now(), datetime.now() + timedelta(1))
    (tmp_path / "certificate").write_bytes(
        builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    file = tmp_path / "certificate"
    tls = f" ssl; ssl_certificate {file}; ssl_certificate_key {file}"
    with (
        proxying(tmp_path / "nginx", server, tls=tls) as proxy,
        httpx.Client(verify=False) as client,
    ):
        assert base(proxy.url, client=client) == proxy.url
        assert base(proxy.url, {**FORGED, "X-Forwarded-Proto": "http"}, client) == proxy.url


@pytest.fixture(scope="module")
def prefixed(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    with proxying(tmp_path_factory.mktemp("prefixed") / "nginx", server, PREFIX="/games-api") as running:
        yield running


def test_a_run_is_played_under_a_prefix(prefixed: Proxy) -> None:
    assert prefixed.url.endswith("/games-api")
    assert base(prefixed.url) == prefixed.url
    game = HTTP.get(f"{prefixed.url}/api/games/dewspout").json()
    run: dict[str, Any] = HTTP.get(f"{game['initUrl']}?seed=7").json()
    body = {"stateToken": run["stateToken"], "action": {"type": "fill", "vessel": 1}}
    assert HTTP.post(game["actionUrl"], json=body).json()["report"]["moved"] == 5
    assert HTTP.get(f"{prefixed.url}/openapi.json").json()["servers"] == [{"url": prefixed.url}]
    assert HTTP.get(f"{prefixed.url}/docs").headers["location"] == f"{prefixed.url}/docs/api"


@pytest.mark.parametrize(
    "path", ["/", "/play/dewspout", "/docs/api", "/docs/api/dewspout", "/docs/harness", "/swagger"]
)
def test_what_a_page_asks_for_is_under_the_prefix(prefixed: Proxy, path: str) -> None:
    page = HTTP.get(f"{prefixed.url}{path}").text
    links = set(re.findall(r'(?:href|src|data-board|data-init)="([^"#]+)', page))
    assert len(links) > 3
    for link in links:
        asked = urljoin(f"{prefixed.url}{path}", link)
        assert asked.startswith(f"{prefixed.url}/"), link
        assert HTTP.get(asked).status_code == 200, link
    assert urlsplit(prefixed.url).netloc not in page.replace(prefixed.url, "")


def test_outside_the_prefix_is_nothing(prefixed: Proxy, nothing: httpx.Response) -> None:
    outside = prefixed.url.removesuffix("/games-api")
    for response in (
        HTTP.get(f"{outside}/"),
        HTTP.get(f"{outside}/games-api-not"),
        HTTP.post(f"{outside}/api/games/dewspout/action", json={}),
        HTTP.get(f"{prefixed.url}/metrics"),
    ):
        assert failure(response, nothing, 404, "not_found") == {}
        assert "GET /games-api/api/games" in response.json()["reason"]
    moved = HTTP.get(prefixed.url)
    assert (moved.status_code, moved.headers["location"]) == (301, "/games-api/")
