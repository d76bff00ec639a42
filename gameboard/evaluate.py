"""Evaluations: an agent over many seeds, several runs at a time, each kept as a transcript once it is finished."""

import json
import statistics
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gameboard import transcripts
from gameboard.agents import Agent, Maker
from gameboard.agents.optimal import SOLVERS, Optimal
from gameboard.calls import Answer
from gameboard.client import Gameboard, Run
from gameboard.runs import IllegalAction
from gameboard.transcripts import Unreadable


@dataclass(frozen=True, slots=True)
class Result:
    """One run. `steps` are the actions that were sent, `illegal` those of them that were refused, `optimal` is what the
    optimal agent scores on the same seed in as many steps, and None for a game that it does not know.
    """

    game: str
    agent: str
    seed: int
    max_steps: int
    score: int
    game_over: bool
    steps: int
    illegal: int
    seconds: float
    optimal: int | None = None


class Stopped(Exception):
    """The evaluation is to end: this run was not finished and will be played anew."""


def drive(run: Run, agent: Agent, max_steps: int, stop: threading.Event | None = None) -> tuple[int, int]:
    """Let an agent play on. How many actions it sent, and how many of them were refused. Raises `Stopped`."""
    steps = illegal = 0
    while not run.game_over and steps < max_steps:
        if stop and stop.is_set():
            raise Stopped
        steps += 1
        try:
            run.act(agent.act(run.position))
        except IllegalAction:
            illegal += 1
    return steps, illegal


class Evaluation:
    """The runs of one agent in one game, kept in a folder, so that one that was interrupted goes on where it was."""

    def __init__(self, board: Gameboard, game: str, agent: str, maker: Maker, max_steps: int, folder: Path) -> None:
        self._board = board
        self._game = game
        self._agent = agent
        self._maker = maker
        self._max_steps = max_steps
        self._folder = folder / game / _file_name(agent)
        self._optima = Optima(folder / game / "optimal.json", max_steps)
        self._stop = threading.Event()
        self._folder.mkdir(parents=True, exist_ok=True)

    def run(self, seeds: Iterable[int], concurrency: int) -> Iterator[tuple[int, Result | BaseException]]:
        """Play what is not played yet: each seed with its result, or with what went wrong there, as they come."""
        pool = ThreadPoolExecutor(concurrency)
        try:
            futures = {pool.submit(self._result, seed): seed for seed in dict.fromkeys(seeds)}
            for future in as_completed(futures):
                yield futures[future], future.exception() or future.result()
        finally:
            self._stop.set()
            pool.shutdown(cancel_futures=True)
            self._optima.close()

    def path(self, seed: int) -> Path:
        """The transcript of a seed."""
        return self._folder / f"{seed}.jsonl"

    def _result(self, seed: int) -> Result:
        finished = self._finished(seed)
        if finished:
            return finished
        agent = self._maker(self._game, seed)
        try:
            result, lines = self._play(seed, agent)
        finally:
            getattr(agent, "close", lambda: None)()
        transcripts.write(self.path(seed), [{**lines[0], **asdict(result)}, *lines[1:]])
        return result

    def _play(self, seed: int, agent: Agent) -> tuple[Result, list[Answer]]:
        began = time.perf_counter()
        run = self._board.start(self._game, seed)
        steps, illegal = drive(run, agent, self._max_steps, self._stop)
        seconds = round(time.perf_counter() - began, 3)
        best = run.score if self._agent == "optimal" else self._optima.of(self._game, seed)
        result = Result(
            self._game, self._agent, seed, self._max_steps, run.score, run.game_over, steps, illegal, seconds, best
        )
        return result, run.transcript()

    def _finished(self, seed: int) -> Result | None:
        """The result of a run that is there already, played by the same agent with as many steps."""
        try:
            head = transcripts.load(self.path(seed)).head
            result = Result(**{key: head[key] for key in Result.__dataclass_fields__})
        except (OSError, Unreadable, KeyError):
            return None
        return result if (result.agent, result.max_steps) == (self._agent, self._max_steps) else None


class Optima:
    """What the optimal agent scores, played in this process and kept in a file."""

    def __init__(self, path: Path, max_steps: int) -> None:
        self._path = path
        self._max_steps = max_steps
        self._lock = threading.Lock()
        self._board: Gameboard | None = None

    def of(self, game: str, seed: int) -> int | None:
        if game not in SOLVERS:
            return None
        with self._lock:  # one at a time: they are all work for this process
            known: dict[str, int] = json.loads(self._path.read_text()) if self._path.exists() else {}
            key = f"seed {seed}, {self._max_steps} steps"
            if key not in known:
                known[key] = self._play(game, seed)
                self._path.write_text(json.dumps(known, indent=1))
            return known[key]

    def _play(self, game: str, seed: int) -> int:
        self._board = self._board or Gameboard.local()
        run = self._board.start(game, seed)
        drive(run, Optimal(game, seed), self._max_steps)
        return run.score

    def close(self) -> None:
        if self._board:
            self._board.close()
            self._board = None


@dataclass(frozen=True, slots=True)
class Summary:
    """Figures over the runs of one agent in one game. `share` is the score as a part of the optimal one, 1 at most."""

    game: str
    agent: str
    runs: int
    mean: float
    median: float
    least: int
    most: int
    share: float | None
    illegal: int
    steps: int
    seconds: float


def summarise(results: list[Result]) -> Summary:
    """The figures of some runs, at least one, of the same agent and game."""
    scores = sorted(result.score for result in results)
    best = [result.optimal for result in results]
    known: list[int] = [optimum for optimum in best if optimum is not None]
    return Summary(
        game=results[0].game,
        agent=results[0].agent,
        runs=len(results),
        mean=sum(scores) / len(scores),
        median=statistics.median(scores),
        least=scores[0],
        most=scores[-1],
        share=sum(scores) / sum(known) if len(known) == len(best) and any(known) else None,
        illegal=sum(result.illegal for result in results),
        steps=sum(result.steps for result in results),
        seconds=round(sum(result.seconds for result in results), 3),
    )


def as_json(results: list[Result], summaries: list[Summary]) -> Any:
    return {"summaries": [asdict(each) for each in summaries], "runs": [asdict(each) for each in results]}


def _file_name(agent: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in agent)[:80]
