"""The client that waits for its answers."""

import time
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, Self

import httpx

from gameboard import calls
from gameboard.calls import Action, Answer, Call, Verdict
from gameboard.runs import BaseRun, IllegalAction

URL = "http://127.0.0.1:8000"


class Gameboard:
    """A server of games. It keeps connections open: use it as a context manager, or close it. Threads may share one.

    A call whose answer got lost, or that a busy server put off, is sent again up to `retries` times: the same request
    always has the same answer, so nothing is played twice.
    """

    def __init__(
        self, url: str = URL, *, timeout: float = 30, retries: int = 5, transport: httpx.BaseTransport | None = None
    ) -> None:
        self._http = httpx.Client(base_url=url, timeout=timeout, transport=transport)
        self._retries = retries

    @classmethod
    def local(cls) -> Self:
        """The games in this process, by the same way as over HTTP, without a server."""
        from gameboard.local import LocalTransport, app  # imports the server, which a client of one need not do

        return cls("http://local", transport=LocalTransport(app()))

    def games(self) -> list[Answer]:
        """The games of the server, as its index lists them."""
        games: list[Answer] = self.ask(calls.index())["games"]
        return games

    def rules(self, game: str) -> Answer:
        """One game's rules as data: the `spec` that `Run.spec` has, without a run."""
        spec: Answer = self.ask(calls.entry(game))["spec"]
        return spec

    def start(self, game: str, seed: int | None = None) -> "Run":
        """A new run; the server draws the seed where none is given."""
        return Run(self, game, self.ask(calls.start(game, seed)))

    def start_many(self, game: str, seeds: Iterable[int]) -> list["Run"]:
        """A new run for each seed, by batches."""
        items = [calls.started_item(game, seed) for seed in seeds]
        return [Run(self, game, calls.judged(result, result["status"])) for result in self.batch(items)]

    def act_many(self, moves: Sequence[tuple["Run", Action]]) -> list[Any]:
        """Play an action on each of many runs, by batches: the report of each, or the `IllegalAction` that it was."""
        items = [calls.acted_item(run.game, run.answer, action) for run, action in moves]
        reports: list[Any] = []
        for (run, action), result in zip(moves, self.batch(items), strict=True):
            try:
                reports.append(run.take(action, calls.judged(result, result["status"])))
            except IllegalAction as illegal:
                reports.append(illegal)
        return reports

    def batch(self, items: Sequence[Any]) -> list[Answer]:
        """The results of raw items of ``/api/batch``, in their order, however many they are."""
        return [result for call in calls.batches(items) for result in self.ask(call)["results"]]

    def verify(self, game: str, seed: int, actions: Sequence[Action]) -> Verdict:
        """Have a run played again from its seed."""
        return calls.verdict(self.ask(calls.verify(game, seed, actions)))

    def ask(self, call: Call) -> Answer:
        """The answer to a call. Raises `RequestFailed`, or an `httpx.TransportError` where none came."""
        for wait in calls.waits(self._retries):
            try:
                response = self._http.request(call.method, call.path, params=call.params, json=call.json)
            except httpx.TransportError:
                if wait is None:
                    raise
                time.sleep(wait)
                continue
            again = None if wait is None else calls.busy(response, wait)
            if again is None:
                return calls.read(response)
            time.sleep(again)
        raise AssertionError("the last wait is None")

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Run(BaseRun):
    """A run under way."""

    def __init__(self, board: Gameboard, game: str, answer: Answer) -> None:
        super().__init__(game, answer)
        self._board = board

    def act(self, action: Action) -> Any:
        """Play an action: the report of what it did. Raises `IllegalAction`, which changes nothing."""
        return self.take(action, self._board.ask(calls.act(self.game, self.answer, action)))

    def fork(self) -> "Run":
        """The same run once more, to be played on in another way from here."""
        return self._fork()
