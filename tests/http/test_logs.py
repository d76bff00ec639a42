"""Logs: what a line says, and that nothing of a run, a secret or a request's own words is ever in one."""

import json
import logging
import os
import re
import socket
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from threading import Thread
from typing import Any

import httpx
import pytest

from app.lines import Lines
from app.logs import JsonHandler, PlainFormatter
from app.main import create_app
from app.settings import Settings
from app.watch import Watch
from tests.client import SECRET, Client, client_of

FILL = {"type": "fill", "vessel": 1}
SEED = 3141592653
LOUD = "quoted-from-the-request"


@pytest.fixture
def written(capfd: pytest.CaptureFixture[str]) -> Callable[[], list[dict[str, Any]]]:
    """The lines since the last time."""
    return lambda: [json.loads(line) for line in capfd.readouterr().err.splitlines()]


def test_nothing_is_written_unless_it_is_wanted(capfd: pytest.CaptureFixture[str]) -> None:
    with client_of() as client:
        client.init("dewspout")
    assert capfd.readouterr() == ("", "")


def test_a_request_is_one_line(written: Callable[[], list[dict[str, Any]]]) -> None:
    with client_of(log="json") as client:
        response = client.get("/api/games/dewspout/init?seed=7")
        (line,) = written()
        assert datetime.fromisoformat(line.pop("time")).tzinfo is not None
        assert isinstance(line.pop("microseconds"), int)
        assert line == {
            "level": "info",
            "method": "GET",
            "route": "/api/games/{slug}/init",
            "game": "dewspout",
            "status": 200,
            "bytes": len(response.content),
        }
        client.request("HEAD", "/api/games/chess")
        (line,) = written()
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line.pop("time"))
        line.pop("microseconds")
        assert line == {
            "level": "info",
            "method": "HEAD",
            "route": "/api/games/{slug}",
            "status": 404,
            "bytes": 0,
            "code": "unknown_game",
        }


def requests(client: Client) -> list[str]:
    """Good and bad requests with a run and loud words wherever a request can hold them, and what no log may say."""
    run = client.init("dewspout", SEED)
    token = run["stateToken"]
    action = "/api/games/dewspout/action"
    paths = ("/{}", "/api/games/{}", "/api/games/{}/init", "/api/games/dewspout/init?seed={}", "/assets/{}", "/play/{}",
             "/api/games/dewspout/init?{}=7", "/docs/api/{}?x={}")  # fmt: skip
    for path in (path.replace("{}", word) for path in paths for word in (token, LOUD)):
        client.get(path)
        client.post(path, content=token)
    client.get("/api/games", headers={"x-token": token, "user-agent": LOUD, "authorization": f"Bearer {token}"})
    client.request(LOUD.upper(), "/api/games")
    client.request("OPTIONS", f"/{token}", headers={"origin": LOUD})
    for body in ({}, {"action": {"type": token}}, {"action": {**FILL, token: LOUD}}, {"stateToken": token[:-1]},
                 {"stateToken": f"{token}{LOUD}"}, {"stateToken": {LOUD: token}}, {"state": run["state"]}):  # fmt: skip
        client.post(action, json={"stateToken": token, "action": FILL, **body})
        client.post("/api/batch", json={"items": [{"game": "dewspout", "stateToken": token, "action": FILL, **body}]})
    client.post(action, content=f'{{"{token}": {LOUD}')
    client.post("/api/games/dewspout/verify", json={"seed": SEED, "actions": [FILL, {"type": LOUD}]})
    return [*re.findall(".{12}", token), LOUD, SECRET, str(SEED), '"phase"']


def test_no_line_says_anything_of_what_was_sent(capfd: pytest.CaptureFixture[str]) -> None:
    with client_of(log="json", metrics=True) as client:
        words = requests(client)
        log, told = capfd.readouterr().err, client.get("/metrics").text
    assert len(log.splitlines()) > 30
    for word in words:
        assert word.lower() not in log.lower()
        assert word.lower() not in told.lower()


def failing(words: str) -> BaseException:
    """An exception as bad as they come: all of it says the words, its causes and parts too."""
    try:
        try:
            try:
                raise ValueError(words)
            except ValueError:
                raise KeyError(words)  # noqa: B904
        except KeyError as cause:
            part = RuntimeError(words)
            part.add_note(words)
            part.__cause__ = part.__context__ = cause
            raise ExceptionGroup(words, [part, ExceptionGroup(words, [OSError(words)])]) from cause
    except ExceptionGroup as error:
        return error


def record(name: str, message: str, *args: object, error: BaseException | None = None) -> logging.LogRecord:
    exc_info = (type(error), error, error.__traceback__) if error else None
    made = logging.LogRecord(name, logging.ERROR, "/srv/somewhere.py", 7, message, args, exc_info)
    if error:
        made.exc_text = logging.Formatter().formatException(exc_info)  # type: ignore[arg-type]
        assert LOUD in made.exc_text
    return made


def both(capfd: pytest.CaptureFixture[str], told: logging.LogRecord) -> tuple[str, dict[str, Any]]:
    """A message in both kinds of log."""
    capfd.readouterr()
    JsonHandler().handle(told)
    written = capfd.readouterr().err
    assert written.count("\n") == 1
    return PlainFormatter("%(levelprefix)s %(message)s", use_colors=False).format(told), json.loads(written)


def test_an_exception_is_told_by_kind_and_place_only(capfd: pytest.CaptureFixture[str]) -> None:
    plain, line = both(capfd, record("uvicorn.error", "Exception in ASGI application\n", error=failing(LOUD)))
    assert plain.startswith("ERROR:    Exception in ASGI application\n")
    assert (line["level"], line["message"]) == ("error", "Exception in ASGI application")
    for text in (plain, line["traceback"]):
        assert LOUD not in text
        assert all(kind in text for kind in ("ValueError", "KeyError", "RuntimeError", "ExceptionGroup", "OSError"))
        assert re.search(r'test_logs\.py", line \d+, in failing', text)


def test_a_long_traceback_fits_into_a_pipe(capfd: pytest.CaptureFixture[str]) -> None:
    error = failing(LOUD)
    for _ in range(60):
        try:
            raise ValueError(LOUD) from error
        except ValueError as caught:
            error = caught
    plain, line = both(capfd, record("uvicorn.error", "It failed", error=error))
    assert plain.count("which led to") > 60
    assert 2000 < len(json.dumps(line)) < 4096
    assert line["traceback"].endswith("builtins.ValueError\n")


def test_messages_of_others_are_told_by_their_place(capfd: pytest.CaptureFixture[str]) -> None:
    plain, line = both(capfd, record("asyncio", f"Exception in callback write(%r) {LOUD}", LOUD))
    for text in (plain, line["message"]):
        assert LOUD not in text
        assert "asyncio (somewhere.py, line 7)" in text
    plain, line = both(capfd, record("uvicorn.error", "Started server process [%d]", 12))
    assert plain == "ERROR:    Started server process [12]"
    assert line["message"] == "Started server process [12]"


def pipe() -> tuple[int, int]:
    return os.pipe()


def pair_of_sockets() -> tuple[int, int]:
    """As under systemd."""
    ours, theirs = socket.socketpair()
    return ours.detach(), theirs.detach()


def drained(reader: int) -> bytes:
    os.set_blocking(reader, False)
    came = b""
    with suppress(BlockingIOError):
        while part := os.read(reader, 1 << 20):
            came += part
    return came


@pytest.mark.parametrize("log", [pipe, pair_of_sockets])
def test_a_full_log_loses_lines_but_never_waits_and_never_breaks_one(log: Callable[[], tuple[int, int]]) -> None:
    reader, writer = log()
    lines = Lines(writer)

    def write() -> None:
        for number in range(3000):
            lines.write(0, "info", {"number": number, "x": "x" * 100})

    writing = Thread(target=write, daemon=True)
    writing.start()
    writing.join(20)
    assert not writing.is_alive()
    came = drained(reader)
    numbers = [json.loads(line)["number"] for line in came.splitlines()]
    assert numbers == list(range(len(numbers)))
    assert len(numbers) < 3000
    lines.write(0, "info", {})
    lines.write(0, "info", {})
    after = [json.loads(line) for line in drained(reader).splitlines()]
    assert [line.get("lost") for line in after] == [3000 - len(numbers), None]
    for descriptor in (reader, writer):
        os.close(descriptor)


def test_a_broken_pipe_does_not_cost_an_answer() -> None:
    reader, writer = os.pipe()
    lines = Lines(writer)
    os.close(reader)
    settings: dict[str, Any] = {"secret": SECRET}
    app = create_app(Settings(**settings))
    with Client(Watch(app, [], (), [lines.watch])) as client:
        response: httpx.Response = client.get("/healthz")
        assert response.json()["ok"] is True
    os.close(writer)
