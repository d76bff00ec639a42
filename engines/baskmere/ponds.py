"""Which ponds there are: the schedule, and the draw of a pond from the random cursor alone.

(Document: "POND FEATURES"; the figures are those that proved good over many seeds.) The plan is drawn first; one
search backwards from it finds every distance; then a start is drawn at the wanted one. Par is exact by construction.
What does not work out is drawn again, with a bound on every loop.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, permutations
from typing import Any, TypeVar

from engines.baskmere.distances import Distances, search
from engines.baskmere.piles import takes
from engines.baskmere.pond import CREEK, FEATURES, GRANDSHELL, LILY_PAD, SHY_SHELLS, Pond, Position
from engines.kit.mulberry32 import below
from engines.kit.shelf import Shelf

T = TypeVar("T")

DEEPEST = 60
"""From this pond on everything is as hard as it gets."""

HARDEST_PAR = 32
COLOURS = 3

NO_ROCK = -1
"""Where a turtle lies that is not laid yet."""

REDRAWS = 32
"""Draws of colours, lily pad and plan before the band of pars widens; and failed proofs that are an error."""

PADS_ARE_NEW = 10
"""Up to this pond lily pads are introduced, and should make a difference."""

PAD_REDRAWS = 16
"""Draws in search of a pond in which they do."""


KEPT_TABLES = 48
"""Distance tables kept at most; the largest has about 2 MB."""

KEPT_OPENINGS = 4096


@dataclass(frozen=True, slots=True)
class Opened:
    """A pond as it opens: where the turtles lie, its par, and the random cursor after the draws."""

    pond: Pond
    start: Position
    par: int
    cursor: int


_tables: Shelf[Pond, Distances] = Shelf(KEPT_TABLES)
_openings: Shelf[tuple[int, int], Opened] = Shelf(KEPT_OPENINGS)

SHELVES: Mapping[str, Shelf[Any, Any]] = {"openings": _openings, "distances": _tables}


def distances(pond: Pond) -> Distances:
    """The exact distances of a pond, searched where they are not at hand."""
    return _tables.get(pond, lambda: search(pond))


@lru_cache(maxsize=64)
def needed(pond: Pond, position: Position) -> int | None:
    """The least Daylight that settles a pond from a position, or None where none does."""
    return distances(pond).of(position)


def distances_at_hand(pond: Pond) -> bool:
    return pond in _tables


def opening(number: int, cursor: int) -> Opened:
    """The pond with this number that a random cursor draws."""
    return _openings.get((number, cursor), lambda: draw(number, cursor))


def opening_at_hand(number: int, cursor: int) -> bool:
    return (number, cursor) in _openings


def spare(number: int) -> int:
    """Daylight that a pond grants beyond its par."""
    return max(0, 8 - (number - 1) // 2)


def cap(number: int) -> int:
    """The highest par of a pond."""
    return min(HARDEST_PAR, 6 + (number - 1) * 26 // 59)


def lowest(number: int) -> int:
    """The lowest par that is wanted of a pond."""
    return HARDEST_PAR - 4 if number >= DEEPEST else max(3, cap(number) - 3)


def rock_choices(number: int) -> tuple[int, ...]:
    """Numbers of rocks, each as likely as it is often in the list."""
    if number <= 3:
        return 3, 4
    if number <= 6:
        return 3, 4, 5
    if number <= 10 or 15 <= number <= 18:
        return 4, 5
    return 3, 4, 4, 5, 5


def feature_choices(number: int, rocks: int) -> list[tuple[str, ...]]:
    """The mixes of features that a pond may have."""
    introduced = {range(1, 7): (), range(7, 11): (LILY_PAD,), range(11, 15): (SHY_SHELLS,)}
    introduced |= {range(15, 19): (CREEK,), range(19, 21): (GRANDSHELL,)}
    for ponds, features in introduced.items():
        if number in ponds:
            return [features]
    fewest, most = (1, 2) if number <= 35 else (2, 3) if number <= 49 else (3, 4)
    most = min(most, rocks - 1)
    mixes = [mix for size in range(min(fewest, most), most + 1) for mix in combinations(FEATURES, size)]
    return [mix for mix in mixes if _may_mix(number, rocks, mix)]


def _may_mix(number: int, rocks: int, mix: tuple[str, ...]) -> bool:
    if rocks == 3:
        return LILY_PAD not in mix and not {CREEK, SHY_SHELLS} <= {*mix} and (number < DEEPEST or GRANDSHELL in mix)
    if rocks == 4:
        return not {CREEK, LILY_PAD, SHY_SHELLS} <= {*mix} and (number < DEEPEST or GRANDSHELL in mix)
    return number < 50 or (CREEK in mix if number < DEEPEST else len(mix) == len(FEATURES))


def turtle_choices(number: int, rocks: int, features: tuple[str, ...]) -> range:
    """The numbers of turtles that a pond may have."""
    creek, shy = CREEK in features, SHY_SHELLS in features
    rows: tuple[tuple[int, tuple[int, int], tuple[int, int], tuple[int, int]], ...] = (
        (6, (3, 4), (4, 5), (5, 5)),
        (10, (0, 0), (5, 5), (5, 6)),
        (14, (4, 5), (5, 6), (6, 7)),
        (18, (0, 0), (5, 6), (6, 7)),
        (20, (4, 4), (6, 6), (7, 8)),
        (35, (4, 4) if creek else (4, 5) if shy else (5, 5), (6, 7) if creek else (7, 8), (8, 9)),
        (49, (4, 5) if creek else (5, 6), (7, 8) if creek else (8, 9), (9, 9)),
    )
    deepest = ((4, 5) if creek else (5, 6), (8, 9), (9, 9))
    fewest, most = next((row[1:] for row in rows if number <= row[0]), deepest)[rocks - 3]
    return range(fewest, most + 1)


def sun_chance(number: int, rocks: int) -> int:
    """In how many of a hundred cases a turtle of the plan goes to the Sun Rock where it may."""
    if rocks == 5 and number >= 36:
        return 60 if number <= 49 else 90
    return 35


def draw(number: int, cursor: int) -> Opened:
    """Draw a pond: rocks, features, turtles and the wanted par once; colours, lily pad and plan until they serve."""
    cursor, rocks = _chosen(rock_choices(number), cursor)
    cursor, features = _chosen(feature_choices(number, rocks), cursor)
    cursor, turtles = _chosen(turtle_choices(number, rocks, features), cursor)
    cursor, wanted = _chosen(range(lowest(number), cap(number) + 1), cursor)
    failed = 0
    for attempt in range(REDRAWS + HARDEST_PAR):
        cursor, shells = _shells(turtles, cursor)
        cursor, pad = below(cursor, rocks - 1) if LILY_PAD in features else (cursor, None)
        blank = Pond(number, rocks, shells, pad, features, plan=())
        cursor, plan = draw_plan(blank, sun_chance(number, rocks), cursor)
        if plan is None:
            continue
        pond = replace(blank, plan=plan)
        table = search(pond)
        if not table.closed():
            failed += 1
            if failed == REDRAWS:
                break
            continue
        floor = max(1, lowest(number) - max(0, attempt - REDRAWS + 1))
        par = next((depth for depth in range(min(wanted, table.deepest), floor - 1, -1) if table.count(depth)), None)
        starts = range(table.count(par, off=plan[-1])) if par is not None else range(0)
        if par is None or not starts:
            continue
        telling = _where_the_pad_matters(pond, table, par, starts)
        if not telling and attempt < PAD_REDRAWS:
            continue
        cursor, place = _chosen(telling or starts, cursor)
        start = table.pick(par, place, off=plan[-1])
        _tables.put(pond, table)
        return Opened(pond, start, par, cursor)
    raise RuntimeError(f"no pond {number} with {rocks} rocks, {turtles} turtles and {features} was found")


def _chosen(choices: Sequence[T], cursor: int) -> tuple[int, T]:
    cursor, drawn = below(cursor, len(choices))
    return cursor, choices[drawn]


def _shells(turtles: int, cursor: int) -> tuple[int, tuple[int, ...]]:
    """All three colours in each block of three sizes; turtles that are neighbours across two blocks differ."""
    shells: tuple[int, ...] = ()
    while len(shells) < turtles:
        blocks = [block for block in permutations(range(COLOURS)) if block[0] not in shells[-1:]]
        cursor, block = _chosen(blocks, cursor)
        shells += block
    return cursor, shells[:turtles]


def draw_plan(pond: Pond, sun: int, cursor: int) -> tuple[int, Position | None]:
    """A layout, the biggest turtle first; None where some turtle finds no rock that takes it."""
    plan: list[int] = [NO_ROCK] * pond.turtles
    for turtle in reversed(range(pond.turtles)):
        laid = tuple(plan)
        cursor, drawn = below(cursor, 100)
        if drawn < sun and takes(pond, laid, turtle, pond.sun_rock):
            plan[turtle] = pond.sun_rock
            continue
        rocks = [rock for rock in range(pond.rocks) if takes(pond, laid, turtle, rock)]
        if not rocks:
            return cursor, None
        cursor, plan[turtle] = _chosen(rocks, cursor)
    return cursor, tuple(plan)


def _where_the_pad_matters(pond: Pond, table: Distances, par: int, starts: range) -> Sequence[int]:
    """Those of the starts from which the lily pad makes the way longer.

    Asked on four rocks where the pad is new, so that the ponds that introduce it show what it does; elsewhere all.
    """
    if pond.features != (LILY_PAD,) or pond.rocks != 4 or pond.number > PADS_ARE_NEW:
        return starts
    without = search(replace(pond, features=(), lily_pad=None))
    return [place for place in starts if without.of(table.pick(par, place, off=pond.plan[-1])) != par]
