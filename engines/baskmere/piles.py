"""What lies on the rocks, and what a pile allows (document: "THE TWO TURTLE RULES", "POND FEATURES")."""

from collections.abc import Iterator

from engines.baskmere.pond import LILY_PAD, PAD_HOLDS, SHY_SHELLS, Pond, Position
from engines.baskmere.state import Swim


def pile(position: Position, rock: int) -> list[int]:
    """The turtles on a rock from bottom to top, which is from the biggest to the smallest (0)."""
    return [turtle for turtle in range(len(position) - 1, -1, -1) if position[turtle] == rock]


def top(position: Position, rock: int) -> int | None:
    """The turtle on top of a rock, if it holds any."""
    return next((turtle for turtle, its in enumerate(position) if its == rock), None)


def takes(pond: Pond, position: Position, turtle: int, rock: int) -> bool:
    """Whether a rock would take this turtle on top of what it holds."""
    under = top(position, rock)
    if under is None:
        return True
    if under < turtle or (pond.has(SHY_SHELLS) and pond.shells[under] == pond.shells[turtle]):
        return False
    return not (pond.has(LILY_PAD) and rock == pond.lily_pad and position.count(rock) >= PAD_HOLDS)


def may_move(pond: Pond, position: Position, swim: Swim) -> bool:
    """Whether the rocks allow a move; Daylight is not asked."""
    start, end = swim
    turtle = top(position, start)
    return turtle is not None and pond.lane(start, end) and takes(pond, position, turtle, end)


def moved(position: Position, swim: Swim) -> Position:
    """The position after a move that is allowed."""
    start, end = swim
    turtle = position.index(start)
    return (*position[:turtle], end, *position[turtle + 1 :])


def swims(pond: Pond, position: Position) -> Iterator[Swim]:
    """Every move that the rocks allow, by the rock it leaves, then the rock it reaches."""
    for start in range(pond.rocks):
        for end in range(pond.rocks):
            if may_move(pond, position, (start, end)):
                yield start, end
