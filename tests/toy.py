"""Dial, the smallest game: what a game needs at least, carried by token or in the open."""

from dataclasses import dataclass
from typing import Literal

from engines.kit.game import BadState, Game, Info, Saved
from engines.kit.grammar import Form, Grammar, Refusal, WordField
from engines.kit.json import JsonObject, integer
from engines.kit.mulberry32 import below
from engines.kit.schema import record, whole


@dataclass(frozen=True, slots=True)
class Dial:
    mark: int
    turns: int = 0


@dataclass(frozen=True, slots=True)
class Twist:
    way: str


def refusal(state: Dial, action: Twist) -> Refusal | None:
    return Refusal("The dial was turned 3 times, and that is all it takes.") if state.turns == 3 else None


def view(state: Dial) -> JsonObject:
    return {"mark": state.mark, "turns": state.turns}


def load(saved: Saved) -> Dial:
    fields = saved.open if isinstance(saved.open, dict) else {}
    mark, turns = integer(fields.get("mark")), integer(fields.get("turns"))
    if mark is None or turns is None or not 0 <= turns <= 3:
        raise BadState("turns: a whole number from 0 to 3, beside a mark.")
    return Dial(mark, turns)


def dial(slug: str, carried_as: Literal["stateToken", "state"]) -> Game[Dial, Twist]:
    return Game(
        info=Info(slug, "Dial", "Toy", "One dial.", "Turn it.", "A point a turn.", "It goes round: below 0 comes 999."),
        version=1,
        carried_as=carried_as,
        grammar=Grammar(Form("turn", Twist("up"), "", (WordField("way", ("up", "down"), "Where."),)), extras="ignored"),
        begin=lambda seed: Dial(below(seed, 1000)[1]),
        legal=lambda state: [action for action in (Twist("up"), Twist("down")) if refusal(state, action) is None],
        refusal=refusal,
        apply=lambda state, action: Dial((state.mark + (1 if action.way == "up" else -1)) % 1000, state.turns + 1),
        report=lambda before, action, after: {"action": "turn", "mark": after.mark},
        score=lambda state: state.turns,
        over=lambda state: state.turns == 3,
        view=view,
        observation=lambda state: f"The dial stands at {state.mark} after {state.turns} turns.",
        save=lambda state: Saved(view(state), b""),
        load=load,
        state_schema=record("A dial.", {"mark": whole("Where it stands."), "turns": whole("Turns so far.")}),
        report_schema=record("A turn.", {"action": {"const": "turn"}, "mark": whole("Where it stands now.")}),
    )
