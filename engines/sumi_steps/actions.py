"""The four types of action, and their grammar (document: "Action grammar"). Extra fields are ignored."""

from dataclasses import dataclass
from typing import TypeAlias

from engines.kit.grammar import Form, Grammar, WordField
from engines.sumi_steps.state import DIRECTIONS


@dataclass(frozen=True, slots=True)
class Step:
    direction: str


@dataclass(frozen=True, slots=True)
class Undo:
    pass


@dataclass(frozen=True, slots=True)
class Reset:
    pass


@dataclass(frozen=True, slots=True)
class EndRun:
    pass


Action: TypeAlias = Step | Undo | Reset | EndRun

GRAMMAR: Grammar[Action] = Grammar(
    Form(
        "step",
        Step("right"),
        "Move the head of the stroke one plot. Back onto the plot behind the head it lifts the ink, as undo does.",
        (WordField("direction", DIRECTIONS, "Where the head moves; up is towards row 0, left towards col 0."),),
    ),
    Form("undo", Undo(), "Lift the head off the stroke. One wasted step. Needs more ink than Stone 1."),
    Form("reset", Reset(), "Sweep this garden back to Stone 1. Ten wasted steps."),
    Form("endRun", EndRun(), "End the run and keep every point. Pays nothing more."),
    extras="ignored",
)
