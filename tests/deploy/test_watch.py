"""Metrics and logs of a real server with two workers, one of which is killed."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.client import SECRET
from tests.exposition import Samples, samples
from tests.server import HTTP, READY, ROOT, Server, serving, workers

SEED = 2718281828
TURN = {"type": "turn", "way": "up"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("watch")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    """Two workers that count and write lines. Their directory is gone afterwards."""
    (folder / "tmp").mkdir()
    with serving(
        folder / "log",
        "--workers",
        "2",
        secret=SECRET,
        module="tests.broken",
        TMPDIR=str(folder / "tmp"),
        GAMEBOARD_METRICS="1",
        GAMEBOARD_LOG="json",
    ) as running:
        wait(lambda: len(started(running)) == 2)
        assert len(list((folder / "tmp").iterdir())) == 1
        yield running
    assert not list((folder / "tmp").iterdir())


def started(server: Server) -> list[int]:
    """The workers that were ever ready."""
    return [int(pid) for pid in re.findall(r"Started server process \[(\d+)\]", server.log.read_text())]


def wait(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + READY
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def counted(server: Server, name: str) -> Samples:
    found = samples(HTTP.get(f"{server.url}/metrics").text, f"gameboard_{name}")
    return {key: value for key, value in found.items() if "/metrics" not in key and "/healthz" not in key}


def init(server: Server, seed: int) -> str:
    return str(HTTP.get(f"{server.url}/api/games/broken/init?seed={seed}").json()["stateToken"])


def test_whoever_answers_tells_what_all_counted_the_dead_included(server: Server) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda seed: init(server, seed), range(120)))
    expected = {("GET", "/api/games/{slug}/init", "200"): 120.0}
    for _ in range(10):
        assert counted(server, "requests_total") == expected
    assert counted(server, "workers") == {(): 2}

    victim, survivor = started(server)
    os.kill(victim, signal.SIGKILL)
    wait(lambda: len(started(server)) == 3)
    assert set(workers(server)) == {survivor, started(server)[2]}
    for _ in range(5):
        assert counted(server, "requests_total") == expected
    assert counted(server, "request_seconds_count") == {("/api/games/{slug}/init",): 120}
    assert counted(server, "workers") == {(): 2}
    init(server, 7)
    assert counted(server, "requests_total") == {("GET", "/api/games/{slug}/init", "200"): 121}


def test_every_line_is_json_and_says_nothing_of_a_run(server: Server) -> None:
    token = init(server, SEED)
    failed = HTTP.post(f"{server.url}/api/games/broken/action", json={"stateToken": token, "action": TURN})
    assert failed.status_code == 500
    state = HTTP.get(f"{server.url}/api/games/broken/init?seed={SEED}").json()["state"]
    HTTP.get(f"{server.url}/api/games/{token}?{token}")
    wait(lambda: all(word in server.log.read_text() for word in ("unknown_game", "traceback")))
    log = server.log.read_text()
    lines = [json.loads(line) for line in log.splitlines()]
    assert all(line["time"].endswith("Z") and ("message" in line) != ("route" in line) for line in lines)
    (error,) = [line for line in lines if "traceback" in line]
    assert 'broken.py", line' in error["traceback"]
    assert "ExceptionGroup" in error["traceback"]
    assert [line["status"] for line in lines if line["level"] == "error" and "route" in line] == [500]
    mark = state["mark"]
    for word in (token[:16], token[-16:], str(SEED), SECRET, "Dial(mark", f"told: {mark}", f"was {mark}"):
        assert word not in log


ENDED = """
import os, signal
from app import scratch
scratch.prepare()
open(os.environ[scratch.FOLDER] + "/counts", "w").close()
print(*os.listdir("."))
signal.raise_signal(signal.SIGTERM)
"""


def test_the_directory_goes_when_a_signal_ends_the_process(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-c", ENDED], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert ran.stdout.startswith("gameboard-metrics-")
    assert (ran.stderr, ran.returncode) == ("", 128 + signal.SIGTERM)
    assert not list(tmp_path.iterdir())
