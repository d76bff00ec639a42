"""The four types of action, and their grammar (document: "Action grammar")."""

from dataclasses import dataclass
from typing import TypeAlias

from engines.kit.grammar import Form, Grammar, IntField

MOST_ROCKS = 5


@dataclass(frozen=True, slots=True)
class Move:
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class StepBack:
    pass


@dataclass(frozen=True, slots=True)
class NextPond:
    pass


@dataclass(frozen=True, slots=True)
class EndRun:
    pass


Action: TypeAlias = Move | StepBack | NextPond | EndRun

MOVES = {(start, end): Move(start, end) for start in range(MOST_ROCKS) for end in range(MOST_ROCKS)}
"""Every move, by the rock it leaves and the rock it reaches."""

GRAMMAR: Grammar[Action] = Grammar(
    Form(
        "MOVE",
        Move(0, 1),
        "Move the top turtle of one rock onto another. Costs 1 Daylight, or 2 for the Grandshell.",
        (
            IntField("from", 0, MOST_ROCKS - 1, "The rock to take the top turtle from; 0 is the leftmost."),
            IntField("to", 0, MOST_ROCKS - 1, "The rock to put it on: empty, or with a bigger turtle on top."),
        ),
    ),
    Form(
        "STEP_BACK",
        StepBack(),
        "Walk the last move of this pond back, for the same Daylight. It refunds nothing; several in a row go on back.",
    ),
    Form(
        "NEXT_POND",
        NextPond(),
        "Open the next pond and receive its par and spare as Daylight. After a pond is settled.",
    ),
    Form("END_RUN", EndRun(), "End the run and keep every point: a win between ponds, a good game within one."),
)
