"""What is counted, for Prometheus: at ``/metrics``, summed over all workers, whichever of them answers.

The client library decides when it is imported whether it counts in files that several processes share: where
``PROMETHEUS_MULTIPROC_DIR`` is set (see `app.scratch`). What a worker counted stays when it dies.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal

from fastapi import FastAPI, Request
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from app import __version__
from app.line import Line
from app.scratch import FOLDER
from app.seats import Seat
from app.watch import Seen

BUCKETS = (.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5)  # fmt: skip
"""Seconds. A cheap action takes some hundred microseconds, a pond that must be drawn up to seconds."""


@dataclass(slots=True)
class _Tally:
    """A counter that follows a number which somebody else keeps."""

    counter: Counter
    read: Callable[[], int]
    told: int

    def follow(self) -> None:
        now = self.read()
        if now != self.told:
            self.counter.inc(now - self.told)
            self.told = now


class Metrics:
    """The metrics of one app."""

    def __init__(self, seats: Mapping[str, Seat], line: Line) -> None:
        self._folder = os.environ.get(FOLDER)
        if self._folder is not None:
            _bury(os.getpid(), self._folder)  # one that had the same number once
        self._registry = CollectorRegistry()
        self._requests = self.counter("requests", "Requests answered.", "route", "method", "status")
        self._seconds = Histogram(
            "gameboard_request_seconds",
            "Seconds from a request's head to the last byte of its answer.",
            ["route"],
            registry=self._registry,
            buckets=BUCKETS,
        )
        self._each: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        self._failures = self.counter("failures", "Requests that failed before a game could judge them.", "code")
        refusals = self.counter("refusals", "Actions that a game refused, on whatever way they came.", "game")
        self._refusals = {slug: refusals.labels(slug) for slug in seats}
        self._tallies = self._of_shelves(seats)
        self.gauge("info", "The build that runs.", "version", mode="max").labels(__version__).set(1)
        line.told = self.gauge("line", "Slow work that waits or has its turn.").set
        self.gauge("workers", "Processes that serve.").set(1)

    def counter(self, name: str, meaning: str, *labels: str) -> Counter:
        return Counter(f"gameboard_{name}", meaning, labels, registry=self._registry)

    def gauge(self, name: str, meaning: str, *labels: str, mode: Literal["livesum", "max"] = "livesum") -> Gauge:
        """A gauge that each worker sets for itself. Told is the sum over those that live, or the most there was."""
        return Gauge(f"gameboard_{name}", meaning, labels, registry=self._registry, multiprocess_mode=mode)

    def _of_shelves(self, seats: Mapping[str, Seat]) -> list[_Tally]:
        gets = self.counter("shelf_gets", "Costly results asked for, at hand or made.", "game", "shelf", "result")
        tallies = []
        for slug, seat in seats.items():
            for name, shelf in seat.game.shelves.items():
                for result, count in (("hit", "hits"), ("made", "made")):
                    read = partial(getattr, shelf, count)
                    tallies.append(_Tally(gets.labels(slug, name, result), read, read()))
        return tallies

    def counting(self, seats: Mapping[str, Seat]) -> dict[str, Seat]:
        """The same seats, with their refusals counted."""
        return {slug: replace(seat, on_refusal=self._refusals[slug].inc) for slug, seat in seats.items()}

    def watch(self, seen: Seen) -> None:
        """Count a request."""
        key = seen.route, seen.method, seen.status
        if key not in self._each:
            self._each[key] = self._requests.labels(*key), self._seconds.labels(seen.route)
        count, seconds = self._each[key]
        count.inc()
        seconds.observe(seen.seconds)
        if seen.code is not None:
            self._failures.labels(seen.code).inc()
        for tally in self._tallies:
            tally.follow()

    def exposition(self) -> bytes:
        """All of it in Prometheus' text format."""
        if self._folder is None:
            return generate_latest(self._registry)
        for path in Path(self._folder).glob("gauge_live*.db"):
            process = int(path.stem.rpartition("_")[2])
            if not _lives(process):
                _bury(process, self._folder)
        together = CollectorRegistry()
        MultiProcessCollector(together, self._folder)  # type: ignore[no-untyped-call]
        return generate_latest(together)

    def install(self, app: FastAPI) -> None:
        """Add the route."""

        @app.get("/metrics", include_in_schema=False)
        async def metrics(_: Request) -> Response:
            # With several workers it reads files, and takes some milliseconds.
            told = await run_in_threadpool(self.exposition)
            return Response(told, headers={"content-type": CONTENT_TYPE_LATEST, "cache-control": "no-store"})


def _bury(process: int, folder: str) -> None:
    """Forget the gauges of a process that died."""
    mark_process_dead(process, folder)  # type: ignore[no-untyped-call]


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
