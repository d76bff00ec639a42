"""``python -m benchmarks.overload``: how long cheap requests wait while the server is pressed, beside the idle server.

One worker. A probe asks ``/healthz`` and plays an action of Dewspout, one after the other, while in turn nobody else is
there, clients open deep ponds back to back (fewer and more than the line has room for), others verify long runs or
send batches, a crowd keeps idle connections, and many send their requests a byte a second.
"""

import argparse
import asyncio
import http.client
import json
import multiprocessing
import os
import secrets
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from statistics import quantiles
from typing import Any, TypeAlias

from app.__main__ import open_as_many_as_allowed
from app.line import PLACES, Line
from app.seats import seats
from app.settings import variable
from benchmarks.http import mebibytes, running
from benchmarks.wire import Wire, request_of
from engines.baskmere import GAME, ponds
from engines.baskmere.state import State
from engines.registry import GAMES

PORT = 18_200
DEEP = 40
"""The pond that is opened."""

NONE_YET = 0
"""The status of a request that is not answered yet."""

CROWD = 10_000
SLOW = 1_000

Load: TypeAlias = Callable[["Counter[int]"], Coroutine[Any, Any, None]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5, help="length of each measurement (default: %(default)s)")
    seconds = parser.parse_args().seconds
    open_as_many_as_allowed()
    secret = os.environ[variable("secret")] = secrets.token_urlsafe(32)
    table = seats(GAMES, [secret], Line())
    fill = {"action": {"type": "fill", "vessel": 1}}
    cheap = _json({"stateToken": table["dewspout"].start(7)["stateToken"], **fill})
    loads: dict[str, Load | None] = {
        "nobody else": None,
        f"8 clients open pond {DEEP}": _many(8, _deep_ponds(secret)),
        f"{2 * PLACES} clients open pond {DEEP}": _many(2 * PLACES, _deep_ponds(secret)),
        "8 clients verify 10,000 actions": _many(8, _repeated("/api/games/dewspout/verify", _long_run())),
        "8 clients send batches of 256": _many(8, _repeated("/api/batch", _large_batch(json.loads(cheap)))),
        f"{CROWD:,} idle connections": _idle(CROWD),
        f"{SLOW:,} clients send a byte a second": _slow(SLOW),
    }
    print(f"{'':<34}{'healthz, ms':^20}{'action, ms':^20}{'others answered':>24}{'MiB':>8}")
    print(f"{'':<34}" + f"{'p50':>10}{'p99':>10}" * 2)
    with running("app", port=PORT, ready="healthz") as pid:
        for name, load in loads.items():
            with pressed(load, seconds) as answered:
                figures = [figure for waits in probe(cheap, seconds) for figure in (_part(waits, 50), _part(waits, 99))]
            told = ", ".join(f"{many:,} × {status or 'none yet'}" for status, many in sorted(answered.items()))
            print(
                f"{name:<34}" + "".join(f"{figure:>10.2f}" for figure in figures) + f"{told:>24}{mebibytes(pid):>8.0f}"
            )


def probe(cheap: bytes, seconds: float) -> tuple[list[float], list[float]]:
    """The milliseconds that each health check and each action took."""
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)
    waits: tuple[list[float], list[float]] = ([], [])
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for kind, (path, body) in enumerate([("/healthz", None), ("/api/games/dewspout/action", cheap)]):
            began = time.perf_counter()
            connection.request("GET" if body is None else "POST", path, body)
            response = connection.getresponse()
            response.read()
            waits[kind].append(1000 * (time.perf_counter() - began))
            assert response.status == 200
        time.sleep(0.002)
    return waits


@contextmanager
def pressed(load: Load | None, seconds: float) -> Iterator[dict[int, int]]:
    """A process that presses the server from a second before till the end. Gives how often it had which status."""
    answered: dict[int, int] = {}
    if load is None:
        yield answered
        return
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=_press, args=(load, theirs, seconds))
    process.start()
    assert ours.poll(120), "the load never began"
    ours.recv()
    time.sleep(1)
    yield answered
    answered.update(ours.recv())
    process.join()


def _press(load: Load, tell: Any, seconds: float) -> None:
    statuses: Counter[int] = Counter()

    async def press() -> None:
        task = asyncio.create_task(load(statuses))
        while not statuses:  # until it has got somewhere
            await asyncio.sleep(0.05)
        tell.send("ready")
        await asyncio.sleep(seconds + 1)
        task.cancel()

    asyncio.run(press())
    tell.send(dict(statuses))


def _many(clients: int, requests: Iterator[bytes]) -> Load:
    """So many clients that ask back to back; a refused one as soon as it may."""

    async def client(statuses: "Counter[int]") -> None:
        wire = await Wire.to(PORT)
        for request in requests:
            status, _, pause = await wire.ask(request)
            statuses[status] += 1
            await asyncio.sleep(pause)

    async def load(statuses: "Counter[int]") -> None:
        await asyncio.gather(*(client(statuses) for _ in range(clients)))

    return load


def _idle(clients: int) -> Load:
    """Connections that were used once and stay."""

    async def load(statuses: "Counter[int]") -> None:
        kept = []
        for _ in range(clients):
            wire = await Wire.to(PORT)
            await wire.ask(request_of("/healthz"))
            kept.append(wire)
        statuses[200] += len(kept)
        await asyncio.Event().wait()

    return load


def _slow(clients: int) -> Load:
    """Clients whose requests take their time."""

    async def client() -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", PORT)
        for byte in request_of("/api/games/dewspout/action", b"{" * 1000):
            writer.write(bytes([byte]))
            await asyncio.sleep(1)

    async def load(statuses: "Counter[int]") -> None:
        tasks = [asyncio.create_task(client()) for _ in range(clients)]
        await asyncio.sleep(2)
        statuses[NONE_YET] += len(tasks)
        await asyncio.gather(*tasks)

    return load


def _deep_ponds(secret: str) -> Iterator[bytes]:
    """Requests that open a deep pond, each another one: a settled pond with another random cursor every time."""
    carrier = seats([GAME], [secret], Line())[GAME.info.slug].carrier
    opened = ponds.opening(DEEP - 1, 7)
    state: State = replace(
        GAME.begin(7), phase="drift", pond=opened.pond, par=opened.par, position=opened.pond.plan, daylight=100
    )
    for cursor in count(secrets.randbelow(2**31)):
        run = carrier.put(replace(state, cursor=cursor))
        yield request_of(f"/api/games/{GAME.info.slug}/action", _json({**run, "action": {"type": "NEXT_POND"}}))


def _repeated(path: str, body: bytes) -> Iterator[bytes]:
    while True:
        yield request_of(path, body)


def _long_run() -> bytes:
    return _json({"seed": 7, "actions": [{"type": "fill", "vessel": 0}, {"type": "empty", "vessel": 0}] * 5000})


def _large_batch(item: dict[str, Any]) -> bytes:
    return _json({"items": [{"game": "dewspout", **item}] * 256})


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


def _part(waits: list[float], percent: int) -> float:
    return quantiles(waits, n=100)[percent - 1]


if __name__ == "__main__":
    main()
