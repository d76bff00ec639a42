"""Every position as one number, its code: the rock of each turtle is a digit, the biggest turtle's comes first."""

from functools import lru_cache
from itertools import permutations

from engines.baskmere.pond import Pond, Position


def code_of(position: Position, rocks: int) -> int:
    """The code of a position."""
    code = 0
    for rock in reversed(position):
        code = code * rocks + rock
    return code


def position_of(code: int, rocks: int, turtles: int) -> Position:
    """The position that has this code."""
    position = []
    for _ in range(turtles):
        code, rock = divmod(code, rocks)
        position.append(rock)
    return tuple(position)


@lru_cache(maxsize=1024)
def open_lanes(pond: Pond) -> tuple[tuple[int, int], ...]:
    """Every pair of rocks of which a turtle may swim from the first to the second, in their order."""
    return tuple(swim for swim in permutations(range(pond.rocks), 2) if pond.lane(*swim))
