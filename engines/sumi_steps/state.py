"""Where a run of Sumi Steps stands."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Plot: TypeAlias = int
"""A plot of the garden by its place in reading order: row × cols + col, from the top left corner."""

Edge: TypeAlias = tuple[Plot, Plot]
"""Two neighbouring plots, the smaller first."""

DIRECTIONS = ("up", "down", "left", "right")

Phase = Literal["raking", "complete", "ended"]

NOWHERE = -1
"""The plot that lies beyond the edge of a garden, or behind a fence."""


@dataclass(frozen=True, slots=True)
class Garden:
    """A puzzle: its size, its stones in their order (Stone 1 first), and its fences in theirs.

    `ways` follows from the rest: for each plot the plots above, below, left and right of it, or `NOWHERE`.
    """

    number: int
    rows: int
    cols: int
    stones: tuple[Plot, ...]
    fences: tuple[Edge, ...]
    ways: tuple[tuple[Plot, Plot, Plot, Plot], ...] = field(compare=False, repr=False)

    @property
    def cells(self) -> int:
        """How many plots there are to ink."""
        return self.rows * self.cols


@dataclass(frozen=True, slots=True)
class Entry:
    """What a completed garden left in the ledger. All else about it follows from these."""

    garden: int
    undos: int
    resets: int


@dataclass(frozen=True, slots=True)
class State:
    """A run. `stroke` leads from Stone 1 to the head; `reached` is the highest stone latched in this garden."""

    seed: int
    phase: Phase
    garden: Garden
    stroke: tuple[Plot, ...]
    reached: int
    undos: int
    resets: int
    completed: tuple[Entry, ...]
    score: int
