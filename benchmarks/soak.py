"""``python -m benchmarks.soak``: all games at full speed for twenty minutes, on two workers.

Some clients play at random and some as well as can be; runs are left where they are long enough. Every run that ends is
proved by the server, to the last key of its state. Printed each minute: requests and runs so far, and the memory of
the server's processes. The first answer that is not as it must be ends it.
"""

import argparse
import asyncio
import json
import multiprocessing
import time
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from benchmarks.http import mebibytes, running
from benchmarks.wire import Wire, request_of
from gameboard import calls
from gameboard.agents.optimal import SOLVERS, Optimal
from gameboard.agents.random import Random
from gameboard.runs import BaseRun

PORT = 18_300
WORKERS = 2
PROCESSES = 2
"""Processes of clients."""

CLIENTS = 8
"""In each of them."""

STAY = 20
"""Requests on a connection: the next may lead to the other worker, which goes on with the run."""

LONGEST = 300
"""Actions of a run, then it is proved as it is."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=20)
    minutes = parser.parse_args().minutes
    tallies = multiprocessing.Array("q", 3 * PROCESSES)
    end = time.monotonic() + 60 * minutes
    with running("app", "--workers", str(WORKERS), port=PORT, ready="healthz") as pid:
        clients = [
            multiprocessing.Process(target=_press, args=(number, end, tallies), daemon=True)
            for number in range(PROCESSES)
        ]
        for client in clients:
            client.start()
        print(
            f"{'minute':>8}{'requests':>12}{'refusals':>10}{'runs proved':>12}{'MiB of each process':>30}", flush=True
        )
        for minute in count(1):
            deadline = min(end, end - 60 * minutes + 60 * minute)
            while time.monotonic() < deadline and all(client.is_alive() for client in clients):
                time.sleep(0.2)
            sums = [sum(tallies[kind::3]) for kind in range(3)]
            told = ", ".join(f"{held:.0f}" for held in _memory(pid))
            print(f"{minute:>8}{sums[0]:>12,}{sums[1]:>10,}{sums[2]:>12,}{told:>30}", flush=True)
            if time.monotonic() >= end or not all(client.is_alive() for client in clients):
                break
        for client in clients:
            client.join(60)
        if any(client.exitcode for client in clients):
            raise SystemExit("A client met an answer that is not as it must be.")


def _press(number: int, end: float, tallies: Any) -> None:
    asyncio.run(_clients(number, end, tallies))


async def _clients(number: int, end: float, tallies: Any) -> None:
    seeds = count(number, PROCESSES)
    await asyncio.gather(*(_client(place, seeds, end, tallies, 3 * number) for place in range(CLIENTS)))


async def _client(place: int, seeds: Any, end: float, tallies: Any, first: int) -> None:
    """Play one run after the other. Every fourth client plays well, the others play anything."""
    wire, asked = await Wire.to(PORT), 0
    games = sorted(SOLVERS)

    async def ask(call: calls.Call) -> Any:
        nonlocal wire, asked
        asked += 1
        if asked % STAY == 0:
            wire.close()
            wire = await Wire.to(PORT)
        path = call.path if call.params is None else f"{call.path}?{urlencode(call.params)}"
        body = b"" if call.json is None else json.dumps(call.json).encode()
        status, answer, _ = await wire.ask(request_of(path, body))
        tallies[first] += 1
        assert status == 200, (status, answer)
        return json.loads(answer)

    for seed in seeds:
        if time.monotonic() > end:
            break
        game = games[seed // PROCESSES % len(games)]
        agent = (Optimal if place % 4 == 0 else Random)(game, seed)
        run = BaseRun(game, await ask(calls.start(game, seed)))
        for played in range(LONGEST):
            if run.game_over:
                break
            if played % 50 == 10:
                refused = await ask(calls.act(game, run.answer, {"type": "nonsense"}))
                assert refused["legalActions"] == run.legal_actions, refused
                tallies[first + 1] += 1
            action = agent.act(run.position)
            run.take(action, await ask(calls.act(game, run.answer, action)))
        proof = await ask(calls.verify(game, seed, run.actions))
        assert (proof["ok"], proof["score"], proof["gameOver"]) == (True, run.score, run.game_over), proof
        assert calls.carried(proof) == calls.carried(run.answer)
        assert proof["state"] == run.state
        tallies[first + 2] += 1
    wire.close()


def _memory(pid: int) -> list[float]:
    """Mebibytes that a process and those that it started hold, the workers last."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [mebibytes(int(process)) for process in (str(pid), *children)]


if __name__ == "__main__":
    main()
