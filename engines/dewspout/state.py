"""Where a run of Dewspout stands."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Amounts: TypeAlias = tuple[int, int, int]
"""Units in the vessels A, B and C."""

NAMES = "ABC"
EMPTY: Amounts = (0, 0, 0)

Phase = Literal["playing", "cleared", "ended"]


@dataclass(frozen=True, slots=True)
class Garden:
    """A puzzle: fill vessels of these capacities to exactly these targets. `par` is the fewest moves that do it."""

    number: int
    capacities: Amounts
    targets: Amounts
    par: int


@dataclass(frozen=True, slots=True)
class State:
    """A run. `cursor` is the random cursor that draws the gardens to come; all else is public."""

    phase: Phase
    garden: Garden
    amounts: Amounts
    garden_moves: int
    total_moves: int
    score: int
    last_points: int
    cursor: int
