"""What lies on the rocks, and what a pile allows (document: "THE TWO TURTLE RULES", "POND FEATURES")."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from engines.baskmere.pond import PAD_HOLDS, SHY_SHELLS, Pond, Position
from engines.baskmere.state import Swim


def piles(position: Position, rocks: int) -> list[list[int]]:
    """The turtles on each rock, from bottom to top, which is from the biggest to the smallest (0)."""
    laid: list[list[int]] = [[] for _ in range(rocks)]
    for turtle in range(len(position) - 1, -1, -1):
        laid[position[turtle]].append(turtle)
    return laid


def pile(position: Position, rock: int) -> list[int]:
    """The turtles on one rock, from bottom to top."""
    return [turtle for turtle in range(len(position) - 1, -1, -1) if position[turtle] == rock]


def top(position: Position, rock: int) -> int | None:
    """The turtle on top of a rock, which is the smallest there, if it holds any."""
    return position.index(rock) if rock in position else None


def takes(pond: Pond, position: Position, turtle: int, rock: int) -> bool:
    """Whether a rock would take this turtle on top of what it holds."""
    under = top(position, rock)
    if under is None:
        return True
    if under < turtle or (pond.shells[under] == pond.shells[turtle] and pond.has(SHY_SHELLS)):
        return False
    return rock != pond.lily_pad or position.count(rock) < PAD_HOLDS


def lawful(pond: Pond, position: Position) -> bool:
    """Whether the turtles may lie like this."""
    if pond.lily_pad is not None and position.count(pond.lily_pad) > PAD_HOLDS:
        return False
    return not pond.has(SHY_SHELLS) or not any(
        pond.shells[under] == pond.shells[turtle]
        for laid in piles(position, pond.rocks)
        for under, turtle in pairwise(laid)
    )


def may_move(pond: Pond, position: Position, swim: Swim) -> bool:
    """Whether the rocks allow a move; Daylight is not asked."""
    start, end = swim
    turtle = top(position, start)
    return turtle is not None and takes(pond, position, turtle, end) and pond.lane(start, end)


def moved(position: Position, swim: Swim) -> Position:
    """The position after a move that is allowed."""
    start, end = swim
    turtle = position.index(start)
    return (*position[:turtle], end, *position[turtle + 1 :])


def led_to(position: Position, moves: Sequence[Swim]) -> bool:
    """Whether these moves, oldest first, can have led here: walked back, each finds the turtle that it moved on top."""
    back = list(position)
    for start, end in reversed(moves):
        if start == end or end not in back:
            return False
        turtle = back.index(end)
        if start in back[:turtle]:
            return False
        back[turtle] = start
    return True


def swims(pond: Pond, position: Position) -> Iterator[Swim]:
    """Every move that the rocks allow, by the rock it leaves, then the rock it reaches."""
    for start in range(pond.rocks):
        turtle = top(position, start)
        if turtle is not None:
            for end in range(pond.rocks):
                if takes(pond, position, turtle, end) and pond.lane(start, end):
                    yield start, end
