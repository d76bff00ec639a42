"""The line that slow work waits in, so that all else is answered meanwhile.

Searches, runs to be verified and batches keep a processor busy, and the threads of a process share one. So one of them
has a turn at a time, in a thread of its own, in the order in which they came. What can be put aside goes back to the
end of the line when its turn is over. Who finds the line full is told to come again, which costs nothing.
"""

from asyncio import FIRST_COMPLETED, Event, Future, ensure_future, wait, wrap_future
from collections.abc import Awaitable, Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import TypeAlias, TypeVar

from starlette.requests import ClientDisconnect

from app.errors import ApiError

T = TypeVar("T")

Work: TypeAlias = Generator[None, None, T]
"""Work that yields wherever it may be put aside, and returns its result."""

Leaving: TypeAlias = Callable[[], Awaitable[object]]
"""Ends when nobody waits for the result any more."""

PLACES = 64
"""How many have room in a line, where nothing else is wanted."""

TURN = 0.05
"""Seconds after which work is put aside, where it can be."""


async def never() -> None:
    """Somebody waits to the end, as far as one can tell."""
    await Event().wait()


class Line:
    """Has room for so many, the one whose turn it is included. `length` is how many there are."""

    def __init__(self, places: int = PLACES) -> None:
        self._places = places
        self._thread = ThreadPoolExecutor(1, "line")
        self.length = 0
        self.told: Callable[[int], None] = lambda _: None
        """Told of each new length."""

    async def once(self, work: Callable[[], T], leaving: Leaving = never) -> T:
        """The result of work that has to be done in one go. As `by_turns` otherwise."""
        return await self.by_turns(_in_one_go(work), leaving)

    async def by_turns(self, work: Work[T], leaving: Leaving = never) -> T:
        """The result of work that can be put aside.

        Raises a 503 where the line is full, and `ClientDisconnect` as soon as nobody waits: work that has no turn just
        then is dropped.
        """
        if self.length >= self._places:
            raise ApiError(
                "busy",
                f"The line for slow work (ponds to be searched, runs to be verified, batches) is full here, at "
                f"{self._places}. Nothing was played, and what you sent stays good: send it again in a second.",
            )
        self._grow(1)
        left = ensure_future(leaving())
        try:
            while (result := await self._wait(work, left)) is None:
                pass
            return result[0]
        finally:
            left.cancel()
            self._grow(-1)

    async def _wait(self, work: Work[T], left: Future[object]) -> tuple[T] | None:
        """Wait for a turn and its end."""
        job = self._thread.submit(_turn, work)
        turn = wrap_future(job)
        try:
            await wait((turn, left), return_when=FIRST_COMPLETED)
            if not turn.done():
                raise ClientDisconnect
            return turn.result()
        finally:
            if job.cancel():  # it had not begun; what it would have worked on may be large
                work.close()
            turn.cancel()

    def _grow(self, by: int) -> None:
        self.length += by
        self.told(self.length)


def _in_one_go(work: Callable[[], T]) -> Work[T]:
    yield from ()
    return work()


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
