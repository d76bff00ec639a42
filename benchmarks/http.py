"""``python -m benchmarks.http``: what a request costs over HTTP, beside named floors on this machine, in one run.

Each case is asked of the server (one worker) and of the floors of `benchmarks.floors`, which read the same body and
answer the same bytes, a block of each in turn, so that a noisy machine disturbs all alike. Two figures a case, both
medians over the rounds: processor time of the server process for a request, and requests a second. The share is the
server's throughput as part of that of FastAPI's floor in the same round, the median of these; reach is what is wanted.

Batches are held against the single route twice: asked by as many clients at once, which keep the server busy, and by
one client that waits for each answer.
"""

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import TypeAlias, cast
from urllib.request import urlopen

import uvloop

from benchmarks.calls import BATCH, Call, Request, calls
from benchmarks.floors import FLOORS
from benchmarks.wire import request_of
from gameboard import Gameboard

CONNECTIONS = 8

ALONE = "one client"
"""The subject of a block in which the server is asked over one connection."""

FIRST_PORT = 18_100

Blocks: TypeAlias = Mapping[tuple[str, str], list["Block"]]
"""By call and subject."""


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of load: microseconds of processor time for a request, and requests a second."""

    micros: float
    rate: float


class Client(asyncio.Protocol):
    """A connection that asks the next request as soon as the last is answered, until the time is up."""

    def __init__(self, requests: Iterator[bytes], deadline: float) -> None:
        self._requests, self._deadline = requests, deadline
        self._came = bytearray()
        self.count = 0
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(next(self._requests))

    def data_received(self, data: bytes) -> None:
        self._came += data
        end = self._came.find(b"\r\n\r\n")
        if end < 0:
            return
        head = self._came[:end].lower()
        start = head.index(b"content-length:") + 15
        length = int(head[start:].split(b"\r\n", 1)[0])
        if len(self._came) < end + 4 + length:
            return
        if not head.startswith(b"http/1.1 200"):
            self.done.set_exception(AssertionError(bytes(self._came[:500])))
            return
        self._came.clear()
        self.count += 1
        if time.perf_counter() < self._deadline:
            self._transport.write(next(self._requests))
        else:
            self._transport.close()
            self.done.set_result(None)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.done.done():
            self.done.set_exception(error or ConnectionError("The server closed the connection."))


def processor_seconds(pid: int) -> float:
    """What a process has used, all of its threads, those that ended too."""
    return time.clock_gettime(~pid << 3 | 2)  # Linux's number for the clock of another process


def mebibytes(pid: int) -> float:
    """The memory that a process holds."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


async def load(port: int, pid: int, requests: Sequence[bytes], seconds: float, connections: int = CONNECTIONS) -> Block:
    """Ask for some seconds over so many connections."""
    loop = asyncio.get_running_loop()
    turn = cycle(requests)
    before, began = processor_seconds(pid), time.perf_counter()
    clients = []
    for _ in range(connections):
        _, client = await loop.create_connection(lambda: Client(turn, began + seconds), "127.0.0.1", port)
        clients.append(client)
    async with asyncio.timeout(seconds + 30):
        await asyncio.gather(*(client.done for client in clients))
    took, used = time.perf_counter() - began, processor_seconds(pid) - before
    count = sum(client.count for client in clients)
    return Block(1e6 * used / count, count / took)


@contextmanager
def running(*command: str, port: int, ready: str = "0") -> Iterator[int]:
    """A server in a process of its own; gives its number once it answers."""
    process = subprocess.Popen([sys.executable, "-m", *command, "--port", str(port)], stdin=subprocess.DEVNULL)
    try:
        for _ in range(400):
            time.sleep(0.05)
            if process.poll() is not None:
                raise SystemExit(f"{' '.join(command)} stopped at once")
            try:
                urlopen(f"http://127.0.0.1:{port}/{ready}").close()
                break
            except OSError:
                pass
        yield process.pid
    finally:
        process.terminate()
        process.wait()


def measure(rounds: int, seconds: float) -> tuple[Sequence[Call], Blocks]:
    """Every call at the server and at every floor, in turn."""
    blocks: dict[tuple[str, str], list[Block]] = {}
    with ExitStack() as stack:
        ports = {kind: FIRST_PORT + place for place, kind in enumerate(("server", *FLOORS))}
        pids = {"server": stack.enter_context(running("app", port=ports["server"], ready="healthz"))}
        with Gameboard(f"http://127.0.0.1:{ports['server']}") as board:
            chosen = calls(board)
        answers = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "answers.json"
        answers.write_text(json.dumps(["ready", *(request.answer for request in single(chosen))]), encoding="utf-8")
        for kind in FLOORS:
            pids[kind] = stack.enter_context(running("benchmarks.floors", kind, str(answers), port=ports[kind]))
        place_of = {id(request): place for place, request in enumerate(single(chosen), start=1)}
        subjects = {kind: (kind, CONNECTIONS) for kind in pids} | {ALONE: ("server", 1)}
        for turn in range(rounds + 1):
            for call in chosen:
                for subject, (kind, connections) in subjects.items():
                    if call.single and kind in FLOORS:
                        continue
                    sent = [
                        request_of(request.path if kind == "server" else f"/{place_of[id(request)]}", request.body)
                        for request in call.requests
                    ]
                    block = uvloop.run(load(ports[kind], pids[kind], sent, seconds, connections))
                    if turn:  # the first round warms up
                        blocks.setdefault((call.name, subject), []).append(block)
    return chosen, blocks


def single(chosen: Sequence[Call]) -> list[Request]:
    """The requests of all calls but batches."""
    return [request for call in chosen if not call.single for request in call.requests]


def show(chosen: Sequence[Call], blocks: Blocks) -> None:
    """The tables: each call beside its floors, then batches beside single calls."""
    subjects = ("server", *FLOORS)
    print(f"{'':<34}{'microseconds of processor':^40}{'requests a second':^40}{'share':>8}{'reach':>8}")
    print(f"{'':<34}" + "".join(f"{subject:>10}" for subject in subjects * 2))
    for call in chosen:
        if not call.single:
            micros = [median(block.micros for block in blocks[call.name, subject]) for subject in subjects]
            rates = [median(block.rate for block in blocks[call.name, subject]) for subject in subjects]
            figures = "".join(f"{figure:>10.0f}" for figure in (*micros, *rates))
            share = _times(blocks[call.name, "server"], blocks[call.name, "fastapi"])
            print(f"{call.name:<34}{figures}{_beside(share, call.reach)}")
    print(f"\n{'':<44}{'actions a second':>20}{'times the single':>20}{'reach':>8}")
    for call in chosen:
        if call.single:
            for subject, told in (("server", ""), (ALONE, f", {ALONE}")):
                batches, singles = blocks[call.name, subject], blocks[call.single, subject]
                rate = BATCH * median(block.rate for block in batches)
                times = BATCH * _times(batches, singles)
                print(f"{call.name + told:<44}{rate:>20.0f}{'':>12}{_beside(times, call.reach)}")


def _times(ours: Sequence[Block], theirs: Sequence[Block]) -> float:
    """How many times as fast the one is, in the median round."""
    return median(mine.rate / other.rate for mine, other in zip(ours, theirs, strict=True))


def _beside(share: float, reach: float) -> str:
    return f"{share:>8.2f}{reach:>8.2f}{'' if share >= reach else '  less'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="default: %(default)s")
    parser.add_argument("--seconds", type=float, default=0.15, help="length of a block (default: %(default)s)")
    arguments = parser.parse_args()
    show(*measure(arguments.rounds, arguments.seconds))


if __name__ == "__main__":
    main()
