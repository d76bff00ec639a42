"""The exact search in plain Python, for ponds of few positions: a breadth-first search over codes.

What a swim needs to know is looked up: for every code, the top turtle of each rock. A turtle that swims from rock a to
rock b adds (b − a) · rocks**turtle to the code. Levels are lists of codes; the Grandshell's swims go to the list after
the next. A code may be listed more than once, and the first, which is the nearest, counts.
"""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from engines.baskmere.codes import code_of, open_lanes, position_of
from engines.baskmere.pond import PAD_HOLDS, SHY_SHELLS, Pond, Position

ILLEGAL, UNREACHED = 0xFFFE, 0xFFFF
"""Marks of a table, above every distance."""

EMPTY = 0xFF
"""The top of a rock without turtles: bigger than any, so that every turtle may swim there and none from there."""


@dataclass(frozen=True, slots=True)
class SmallDistances:
    """Distances as an array with one number for each code."""

    pond: Pond
    table: "array[int]"
    deepest: int

    @property
    def nbytes(self) -> int:
        return len(self.table) * self.table.itemsize

    def of(self, position: Position) -> int | None:
        found = self.table[code_of(position, self.pond.rocks)]
        return found if found < ILLEGAL else None

    def count(self, distance: int, off: int | None = None) -> int:
        return len(self.codes(distance, off))

    def pick(self, distance: int, k: int, off: int | None = None) -> Position:
        return position_of(self.codes(distance, off)[k], self.pond.rocks, self.pond.turtles)

    def codes(self, distance: int, off: int | None) -> list[int]:
        """Every code at this distance; with `off`, those whose biggest turtle is not on that rock."""
        if not 0 <= distance <= self.deepest:
            return []
        biggest = self.pond.rocks ** (self.pond.turtles - 1)
        return [code for code, found in enumerate(self.table) if found == distance and code // biggest != off]

    def closed(self) -> bool:
        if UNREACHED not in self.table:
            return True
        lanes = swims(self.pond, open_lanes(self.pond))
        for code, found in enumerate(self.table):
            if found < ILLEGAL:
                for start, end, steps in lanes:
                    turtle = start[code]
                    if turtle < end[code] and self.table[code + steps[turtle]] == UNREACHED:
                        return False
        return True


@lru_cache(maxsize=8)
def tops(rocks: int, turtles: int) -> tuple[bytes, ...]:
    """For each rock, the top turtle on it by code.

    One more turtle, bigger than all before, repeats the codes so far once for each rock that it may be on; there it
    is the top if no other turtle is.
    """
    top = [bytes([EMPTY])] * rocks
    for turtle in range(turtles):
        alone = [on_rock.replace(bytes([EMPTY]), bytes([turtle])) for on_rock in top]
        top = [on_rock * rock + alone[rock] + on_rock * (rocks - 1 - rock) for rock, on_rock in enumerate(top)]
    return tuple(top)


def swims(pond: Pond, lanes: Iterable[tuple[int, int]]) -> list[tuple[bytes, bytes, list[int]]]:
    """For each lane: the tops of its two rocks by code, and what a swim adds to the code, by turtle."""
    top = tops(pond.rocks, pond.turtles)
    powers = [pond.rocks**turtle for turtle in range(pond.turtles)]
    return [(top[start], top[end], [(end - start) * power for power in powers]) for start, end in lanes]


def legal_codes(pond: Pond) -> list[int]:
    """The codes of all legal positions, built by laying the turtles down, the biggest first."""
    shells: tuple[int | None, ...] = pond.shells if pond.has(SHY_SHELLS) else (None,) * pond.turtles
    bare: tuple[int | None, ...] = (None,) * pond.rocks
    laid = [(0, 0, bare)]  # code, turtles on the lily pad, shell on top of each rock
    for turtle in reversed(range(pond.turtles)):
        shell, power = shells[turtle], pond.rocks**turtle
        laid = [
            (code + rock * power, on_pad + (rock == pond.lily_pad), (*top[:rock], shell, *top[rock + 1 :]))
            for code, on_pad, top in laid
            for rock in range(pond.rocks)
            if (shell is None or top[rock] != shell) and (rock != pond.lily_pad or on_pad < PAD_HOLDS)
        ]
    return [code for code, _, _ in laid]


def blank_table(pond: Pond) -> "array[int]":
    """A table in which every legal position is unreached."""
    positions: int = pond.rocks**pond.turtles
    if pond.lily_pad is None and not pond.has(SHY_SHELLS):
        return array("H", [UNREACHED]) * positions
    table = array("H", [ILLEGAL]) * positions
    for code in legal_codes(pond):
        table[code] = UNREACHED
    return table


def search_small(pond: Pond) -> SmallDistances:
    """The distances of a pond, one position after the other."""
    backwards = swims(pond, [(end, start) for start, end in open_lanes(pond)])
    costs = [pond.cost(turtle) for turtle in range(pond.turtles)]
    table = blank_table(pond)
    levels: list[list[int]] = [[code_of(pond.plan, pond.rocks)], [], []]  # this level, and the two that swims reach
    distance = deepest = 0
    while any(levels):
        for code in levels[0]:
            if table[code] != UNREACHED:
                continue
            table[code] = deepest = distance
            for start, end, steps in backwards:
                turtle = start[code]
                if turtle < end[code] and table[code + steps[turtle]] == UNREACHED:
                    levels[costs[turtle]].append(code + steps[turtle])
        levels = [*levels[1:], []]
        distance += 1
    return SmallDistances(pond, table, deepest)
