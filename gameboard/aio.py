"""The client for `asyncio`: the same as `gameboard.client`, awaited."""

import asyncio
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, Self

import httpx

from gameboard import calls
from gameboard.calls import Action, Answer, Call, Verdict
from gameboard.client import URL
from gameboard.runs import BaseRun


class AsyncGameboard:
    """A server of games, for many runs side by side. See `Gameboard`."""

    def __init__(
        self,
        url: str = URL,
        *,
        timeout: float = 30,
        retries: int = 5,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._http = httpx.AsyncClient(base_url=url, timeout=timeout, transport=transport)
        self._retries = retries

    @classmethod
    def local(cls) -> Self:
        """The games in this process, by the same way as over HTTP, without a server."""
        from gameboard.local import app  # imports the server, which a client of one need not do

        return cls("http://local", transport=httpx.ASGITransport(app()))

    async def games(self) -> list[Answer]:
        games: list[Answer] = (await self.ask(calls.index()))["games"]
        return games

    async def rules(self, game: str) -> Answer:
        spec: Answer = (await self.ask(calls.entry(game)))["spec"]
        return spec

    async def start(self, game: str, seed: int | None = None) -> "AsyncRun":
        return AsyncRun(self, game, await self.ask(calls.start(game, seed)))

    async def start_many(self, game: str, seeds: Iterable[int]) -> list["AsyncRun"]:
        """A new run for each seed, side by side."""
        return list(await asyncio.gather(*(self.start(game, seed) for seed in seeds)))

    async def batch(self, items: Sequence[Any]) -> list[Answer]:
        return [result for call in calls.batches(items) for result in (await self.ask(call))["results"]]

    async def verify(self, game: str, seed: int, actions: Sequence[Action]) -> Verdict:
        return calls.verdict(await self.ask(calls.verify(game, seed, actions)))

    async def ask(self, call: Call) -> Answer:
        for wait in calls.waits(self._retries):
            try:
                response = await self._http.request(call.method, call.path, params=call.params, json=call.json)
            except httpx.TransportError:
                if wait is None:
                    raise
                await asyncio.sleep(wait)
                continue
            again = None if wait is None else calls.busy(response, wait)
            if again is None:
                return calls.read(response)
            await asyncio.sleep(again)
        raise AssertionError("the last wait is None")

    async def aclose(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


class AsyncRun(BaseRun):
    """A run under way. See `Run`."""

    def __init__(self, board: AsyncGameboard, game: str, answer: Answer) -> None:
        super().__init__(game, answer)
        self._board = board

    async def act(self, action: Action) -> Any:
        return self.take(action, await self._board.ask(calls.act(self.game, self.answer, action)))

    def fork(self) -> "AsyncRun":
        return self._fork()
