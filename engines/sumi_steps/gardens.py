"""Which gardens there are: nine sizes, and for each seed a garden of every size that has a stroke.

The hidden stroke comes first; stones and fences are laid so that it stays possible, and then it is forgotten. Each
garden has a random stream of its own, derived from seed and number, so that one is made without making the others.
"""

from functools import lru_cache
from itertools import pairwise

from engines.kit.mulberry32 import below, stream
from engines.sumi_steps.state import NOWHERE, Edge, Garden, Plot
from engines.sumi_steps.stroke import random_stroke, ways

SIZES = ((4, 4, 4), (4, 5, 4), (5, 5, 5), (5, 6, 5), (6, 6, 6), (6, 7, 6), (7, 7, 7), (7, 8, 7), (8, 8, 8))
"""Rows, columns and stones of the gardens 1 to 9."""

FENCES = (2, 3, 4, 6, 8, 10, 12, 15, 18)
"""How many fences a garden has; its stroke leaves 9 edges free in garden 1 and 49 in garden 9."""

LAST = len(SIZES)


def cells(number: int) -> int:
    """How many plots the garden with this number has."""
    rows, cols, _ = SIZES[number - 1]
    return rows * cols


def later_stones(number: int) -> int:
    """How many stones the garden with this number has after Stone 1."""
    return SIZES[number - 1][2] - 1


@lru_cache(maxsize=2048)
def garden(seed: int, number: int) -> Garden:
    """The garden with this number, 1 to 9, of a seed."""
    rows, cols, count = SIZES[number - 1]
    cursor, path = random_stroke(rows, cols, stream(seed, number))
    cursor, stones = place_stones(path, count, cursor)
    cursor, fences = place_fences(rows, cols, path, FENCES[number - 1], cursor)
    return laid(number, rows, cols, stones, fences)


def laid(number: int, rows: int, cols: int, stones: tuple[Plot, ...], fences: tuple[Edge, ...]) -> Garden:
    """A garden of these parts."""
    shut = {*fences, *((there, here) for here, there in fences)}
    open_ways = tuple(
        (
            NOWHERE if (plot, up) in shut else up,
            NOWHERE if (plot, down) in shut else down,
            NOWHERE if (plot, left) in shut else left,
            NOWHERE if (plot, right) in shut else right,
        )
        for plot, (up, down, left, right) in enumerate(ways(rows, cols))
    )
    return Garden(number, rows, cols, stones, fences, open_ways)


def place_stones(path: list[Plot], count: int, cursor: int) -> tuple[int, tuple[Plot, ...]]:
    """The first and the last plot of the stroke, and others spread between them.

    Each of those is off its even place by up to a third of the way to the next.
    """
    span = len(path) - 1
    sway = span // (count - 1) // 3
    places = [0]
    for stone in range(1, count - 1):
        cursor, drawn = below(cursor, 2 * sway + 1)
        places.append(stone * span // (count - 1) + drawn - sway)
    return cursor, tuple(path[place] for place in (*places, span))


def place_fences(rows: int, cols: int, path: list[Plot], count: int, cursor: int) -> tuple[int, tuple[Edge, ...]]:
    """Some of the edges that the stroke does not cross, in their order: the first of a shuffle."""
    used = {frozenset(step) for step in pairwise(path)}
    free = [
        (plot, other)
        for plot, (_, down, _, right) in enumerate(ways(rows, cols))
        for other in (right, down)
        if other != NOWHERE and frozenset((plot, other)) not in used
    ]
    for place in range(count):
        cursor, drawn = below(cursor, len(free) - place)
        free[place], free[place + drawn] = free[place + drawn], free[place]
    return cursor, tuple(sorted(free[:count]))
