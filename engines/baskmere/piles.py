"""What lies on the rocks, and what a pile allows (document: "THE TWO TURTLE RULES", "POND FEATURES")."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from engines.baskmere.codes import open_lanes
from engines.baskmere.pond import MOST_COST, PAD_HOLDS, Pond, Position
from engines.baskmere.state import State, Swim


@lru_cache(maxsize=64)
def piles(position: Position, rocks: int) -> tuple[tuple[int, ...], ...]:
    """The turtles on each rock, from bottom to top, which is from the biggest to the smallest (0)."""
    laid: list[list[int]] = [[] for _ in range(rocks)]
    for turtle in range(len(position) - 1, -1, -1):
        laid[position[turtle]].append(turtle)
    return tuple(map(tuple, laid))


def top(position: Position, rock: int) -> int | None:
    """The turtle on top of a rock, which is the smallest there, if it holds any."""
    return position.index(rock) if rock in position else None


def takes(pond: Pond, position: Position, turtle: int, rock: int) -> bool:
    """Whether a rock would take this turtle on top of what it holds."""
    return pond.rests(turtle, top(position, rock)) and rock != _full(pond, position)


def _full(pond: Pond, position: Position) -> int | None:
    """The lily pad, if it holds all that it can."""
    pad = pond.lily_pad
    return pad if pad is not None and position.count(pad) >= PAD_HOLDS else None


def lawful(pond: Pond, position: Position) -> bool:
    """Whether the turtles may lie like this."""
    if pond.lily_pad is not None and position.count(pond.lily_pad) > PAD_HOLDS:
        return False
    return all(pond.rests(turtle, under) for laid in piles(position, pond.rocks) for under, turtle in pairwise(laid))


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


def swims(pond: Pond, position: Position) -> list[Swim]:
    """Every move that the rocks allow, by the rock it leaves, then the rock it reaches."""
    tops, full = [top(position, rock) for rock in range(pond.rocks)], _full(pond, position)
    return [
        (start, end)
        for start, end in open_lanes(pond)
        if (turtle := tops[start]) is not None and end != full and pond.rests(turtle, tops[end])
    ]


def open_swims(state: State) -> list[Swim]:
    """Every move that the rocks allow and the Daylight pays."""
    pond, position = state.pond, state.position
    swum = swims(pond, position)
    if state.daylight >= MOST_COST:
        return swum
    return [(start, end) for start, end in swum if pond.cost(position.index(start)) <= state.daylight]


def may_step_back(state: State) -> bool:
    """Whether there is a move to step back, a lane for it, and the Daylight."""
    if not state.moves:
        return False
    start, end = state.moves[-1]
    return state.pond.lane(end, start) and state.pond.cost(state.position.index(end)) <= state.daylight
