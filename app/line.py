"""The line that slow work waits in, so that all else is answered meanwhile.

Searches, runs to be verified and batches keep a processor busy, and the threads of a process share one. So one of them
has a turn at a time, in a thread of its own, in the order in which they came. What can be put aside goes back to the
end of the line when its turn is over. Who finds the line full is told to come again, which costs nothing.
"""

from collections.abc import Awaitable, Callable, Generator
from functools import partial
from time import monotonic
from typing import TypeAlias, TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.requests import ClientDisconnect

from app.errors import ApiError

T = TypeVar("T")

Work: TypeAlias = Generator[None, None, T]
"""Work that yields wherever it may be put aside, and returns its result."""

Gone: TypeAlias = Callable[[], Awaitable[bool]]
"""Whether nobody waits for the result any more."""

PLACES = 64
"""How many have room in a line, where nothing else is wanted."""

TURN = 0.05
"""Seconds after which work is put aside, where it can be."""


async def stays() -> bool:
    """Somebody waits, as far as one can tell."""
    return False


class Line:
    """Has room for so many, the one whose turn it is included. `length` is how many there are."""

    def __init__(self, places: int = PLACES) -> None:
        self._places = places
        self._turn = CapacityLimiter(1)
        self.length = 0
        self.told: Callable[[int], None] = lambda _: None
        """Told of each new length."""

    async def once(self, work: Callable[[], T], gone: Gone = stays) -> T:
        """The result of work that has to be done in one go. Raises a 503 where the line is full."""
        return await self._wait(lambda: (work(),), gone)

    async def by_turns(self, work: Work[T], gone: Gone = stays) -> T:
        """The result of work that can be put aside. Raises a 503 where the line is full."""
        return await self._wait(partial(_turn, work), gone)

    async def _wait(self, turn: Callable[[], tuple[T] | None], gone: Gone) -> T:
        if self.length >= self._places:
            raise ApiError(
                "busy",
                f"The line for slow work (ponds to be searched, runs to be verified, batches) is full here, at "
                f"{self._places}. Nothing was played, and what you sent stays good: send it again in a second.",
            )
        self._grow(1)
        try:
            while True:
                async with self._turn:
                    if await gone():
                        raise ClientDisconnect
                    result = await to_thread.run_sync(turn)
                if result is not None:
                    return result[0]
        finally:
            self._grow(-1)

    def _grow(self, by: int) -> None:
        self.length += by
        self.told(self.length)


def _turn(work: Work[T]) -> tuple[T] | None:
    """Go on with some work for a turn: its result, or None where it is not done yet."""
    end = monotonic() + TURN
    try:
        while True:
            next(work)
            if monotonic() >= end:
                return None
    except StopIteration as done:
        return (done.value,)
