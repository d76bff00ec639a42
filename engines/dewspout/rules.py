"""The rules: what may be done, what it does and what it pays (document: "Rules", "Scoring")."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import assert_never

from engines.dewspout import gardens, water
from engines.dewspout.actions import VESSELS, Action, Bank, Empty, Fill, Next, Pour, Restart, Water
from engines.dewspout.state import EMPTY, NAMES, State
from engines.kit.grammar import Refusal

COMPLETION = 100
COMPLETION_PER_PAR = 10
EFFICIENCY = 150
EFFICIENCY_PER_EXTRA_MOVE = 15

_STANDING: Sequence[Action] = (Bank(),)
_RUNNING: Sequence[Action] = (Restart(), Bank())
_CLEARED: Sequence[Action] = (Next(), Bank())
"""What is legal beside the moves of water: with none in the vessels, with some, and in a cleared garden."""


def completion_points(par: int) -> int:
    return COMPLETION + COMPLETION_PER_PAR * par


def efficiency_bonus(par: int, moves: int) -> int:
    return max(0, EFFICIENCY - EFFICIENCY_PER_EXTRA_MOVE * max(0, moves - par))


def garden_points(par: int, moves: int) -> int:
    """What clearing a garden pays, once."""
    return completion_points(par) + efficiency_bonus(par, moves)


def begin(seed: int) -> State:
    """Garden 1, which is the same for every seed; the seed is the cursor that draws the gardens after it."""
    return State("playing", gardens.FIRST, EMPTY, garden_moves=0, total_moves=0, score=0, last_points=0, cursor=seed)


def score(state: State) -> int:
    return state.score


def over(state: State) -> bool:
    return state.phase == "ended"


def legal(state: State) -> list[Action]:
    if state.phase == "playing":
        moves = water.moves(state.garden.capacities, state.amounts)
        return [*moves, *(_STANDING if state.amounts == EMPTY else _RUNNING)]
    return [*_CLEARED] if state.phase == "cleared" else []


def apply(state: State, action: Action) -> State:
    match action:
        case Fill() | Empty() | Pour():
            amounts = water.moves(state.garden.capacities, state.amounts)[action]
            moves = state.garden_moves + 1
            cleared = amounts == state.garden.targets
            points = garden_points(state.garden.par, moves) if cleared else 0
            return replace(
                state,
                phase="cleared" if cleared else "playing",
                amounts=amounts,
                garden_moves=moves,
                total_moves=state.total_moves + 1,
                score=state.score + points,
                last_points=points,
            )
        case Restart():
            return replace(state, amounts=EMPTY, garden_moves=state.garden_moves + 1, total_moves=state.total_moves + 1)
        case Next():
            cursor, garden = gardens.following(state.garden, state.cursor)
            return replace(
                state, phase="playing", garden=garden, amounts=EMPTY, garden_moves=0, last_points=0, cursor=cursor
            )
        case Bank():
            return replace(state, phase="ended")
        case _:
            assert_never(action)


def refusal(state: State, action: Action) -> Refusal | None:
    """Why an action is illegal here, or None. The phase of the run speaks first, then the water."""
    reason = _against_phase(state, action)
    if reason is None and isinstance(action, (Fill, Empty, Pour, Restart)):
        reason = _against_water(state, action)
    return None if reason is None else Refusal(reason)


def _against_phase(state: State, action: Action) -> str | None:
    if state.phase == "playing" and not isinstance(action, Next):
        return None
    number = state.garden.number
    match state.phase, action:
        case "ended", _:
            return (
                f"This run was banked in garden {number} with {state.score} points, and a banked run takes no more "
                "actions. GET /api/games/dewspout/init starts another one."
            )
        case "playing", Next():
            return (
                f"Garden {number} is not cleared: A, B, C hold {_vector(state.amounts)} and must hold "
                f'{_vector(state.garden.targets)}, all three at once. Then "next" opens garden {number + 1}; '
                f'"bank" gives this garden up and ends the run.'
            )
        case "cleared", Restart():
            return f"Garden {number} is cleared and paid, so there is nothing to restart. {_onwards(state)}"
        case "cleared", Fill() | Empty() | Pour():
            return f"Garden {number} is cleared, and its water stays as it is. {_onwards(state)}"
        case _:
            return None


def _against_water(state: State, action: Water | Restart) -> str | None:
    capacities, amounts = state.garden.capacities, state.amounts
    if isinstance(action, Restart):
        if amounts == EMPTY:
            return f"A restart would change nothing: no vessel holds any water. {_room(state)}"
        return None
    if action in water.moves(capacities, amounts):
        return None
    match action:
        case Fill(vessel):
            return (
                f"Vessel {NAMES[vessel]} is full at {capacities[vessel]}, so a fill would add nothing. {_room(state)}"
            )
        case Empty(vessel):
            return (
                f"Vessel {NAMES[vessel]} holds 0 of {capacities[vessel]}, so there is nothing to drain. {_held(state)}"
            )
        case Pour(source, target) if source == target:
            return (
                f'A pour needs two different vessels; "from" and "to" are both {source}, vessel {NAMES[source]}. '
                f"{_held(state)} {_room(state)}"
            )
        case Pour(source, target) if amounts[source] == 0:
            return f"Vessel {NAMES[source]} is empty, so nothing can pour from it into {NAMES[target]}. {_held(state)}"
        case Pour(source, target):
            return (
                f"Vessel {NAMES[target]} is full at {capacities[target]}, so the {amounts[source]} in {NAMES[source]} "
                f"cannot pour into it. {_room(state)}"
            )
        case _:
            assert_never(action)


def _onwards(state: State) -> str:
    return f'"next" opens garden {state.garden.number + 1}; "bank" ends the run with {state.score} points.'


def _held(state: State) -> str:
    held = [f"{NAMES[vessel]} ({state.amounts[vessel]})" for vessel in VESSELS if state.amounts[vessel]]
    return f"Water stands in {', '.join(held)}." if held else "No vessel holds any water."


def _room(state: State) -> str:
    rooms = [full - held for full, held in zip(state.garden.capacities, state.amounts, strict=True)]
    left = [f"{NAMES[vessel]} ({rooms[vessel]})" for vessel in VESSELS if rooms[vessel]]
    return f"Room is left in {', '.join(left)}." if left else "No vessel has room left."


def _vector(amounts: Iterable[int]) -> str:
    return f"[{', '.join(map(str, amounts))}]"
