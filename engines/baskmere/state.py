"""Where a run of Baskmere stands."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from engines.baskmere.pond import Pond, Position

Phase = Literal["pond", "drift", "runOver"]
Outcome = Literal["win", "goodGame", "sunset"]

Swim: TypeAlias = tuple[int, int]
"""A move: the rock that the turtle left and the rock that it reached."""

KEPT_MOVES = 256
"""Moves that are remembered, and can be stepped back, at most."""


@dataclass(frozen=True, slots=True)
class State:
    """A run. `par` is the least Daylight that settles the pond from its start; `cursor` draws the ponds to come."""

    phase: Phase
    outcome: Outcome | None
    pond: Pond
    par: int
    position: Position
    moves: tuple[Swim, ...]
    spent: int
    daylight: int
    score: int
    streak: int
    cursor: int
