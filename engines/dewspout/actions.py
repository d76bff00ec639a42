"""The six types of action, and their grammar (document: "Action grammar")."""

from dataclasses import dataclass
from typing import TypeAlias

from engines.kit.grammar import Form, Grammar, IntField


@dataclass(frozen=True, slots=True)
class Fill:
    vessel: int


@dataclass(frozen=True, slots=True)
class Empty:
    vessel: int


@dataclass(frozen=True, slots=True)
class Pour:
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Restart:
    pass


@dataclass(frozen=True, slots=True)
class Next:
    pass


@dataclass(frozen=True, slots=True)
class Bank:
    pass


Water: TypeAlias = Fill | Empty | Pour
Action: TypeAlias = Water | Restart | Next | Bank

VESSELS = (0, 1, 2)

WATER: tuple[Water, ...] = (
    *(Fill(vessel) for vessel in VESSELS),
    *(Empty(vessel) for vessel in VESSELS),
    *(Pour(source, target) for source in VESSELS for target in VESSELS if source != target),
)
"""Every water action that can ever change something, in the published order."""


def _vessel(name: str, about: str) -> IntField:
    return IntField(name, 0, 2, f"{about}: 0 is A, 1 is B, 2 is C.")


GRAMMAR: Grammar[Action] = Grammar(
    Form("fill", Fill(1), "Fill a vessel to its capacity. One move.", (_vessel("vessel", "The vessel to fill"),)),
    Form("empty", Empty(0), "Drain a vessel to nothing. One move.", (_vessel("vessel", "The vessel to drain"),)),
    Form(
        "pour",
        Pour(1, 2),
        "Pour one vessel into another until the first is empty or the second is full. One move.",
        (_vessel("from", "The vessel to pour from"), _vessel("to", "The vessel to pour into, another one")),
    ),
    Form("restart", Restart(), "Empty all three vessels and try the same garden again. One move."),
    Form("next", Next(), "Leave a cleared garden for the next one. Not counted as a move."),
    Form("bank", Bank(), "End the run and keep its score. Not counted as a move."),
)
