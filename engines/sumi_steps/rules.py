"""The rules: what an action does and what it pays (document: "Rules", "Scoring")."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import assert_never

from engines.sumi_steps import gardens
from engines.sumi_steps.actions import Action, EndRun, Reset, Step, Undo
from engines.sumi_steps.state import DIRECTIONS, Entry, Plot, State
from engines.sumi_steps.steps import behind, open_steps, target

STONE = 10
COMPLETION = 75
COMPLETION_PER_GARDEN = 25
BRUSH_PER_CELL = 2
BRUSH_PER_WASTED_STEP = 2
WASTED_BY_UNDO = 1
WASTED_BY_RESET = 10
STILL_WATER = 250

MOST = 10**12
"""Undos and resets are not counted further than this. No play comes near; it keeps every number that is sent small
enough to be read back exactly."""

_STEPS = {direction: Step(direction) for direction in DIRECTIONS}
_AT_STONE_1: Sequence[Action] = (Reset(), EndRun())
_ELSEWHERE: Sequence[Action] = (Undo(), Reset(), EndRun())
"""What is legal beside the steps, at the start of the stroke and elsewhere."""


def wasted(undos: int, resets: int) -> int:
    """Wasted steps of a garden."""
    return undos * WASTED_BY_UNDO + resets * WASTED_BY_RESET


def brush_bonus(number: int, waste: int) -> int:
    """The Clean Brush Bonus for completing the garden with this number."""
    return max(0, BRUSH_PER_CELL * gardens.cells(number) - BRUSH_PER_WASTED_STEP * waste)


def completion_points(number: int, waste: int) -> int:
    """What the completion of a garden pays."""
    return COMPLETION + COMPLETION_PER_GARDEN * number + brush_bonus(number, waste)


def garden_points(number: int, waste: int) -> int:
    """All that a completed garden paid: its stones and its completion."""
    return STONE * gardens.later_stones(number) + completion_points(number, waste)


def still_water(completed: Iterable[Entry]) -> int:
    """The bonus for a finished run, where no step was wasted."""
    return 0 if any(wasted(entry.undos, entry.resets) for entry in completed) else STILL_WATER


def begin(seed: int) -> State:
    return _opened(seed, 1, (), 0)


def score(state: State) -> int:
    return state.score


def over(state: State) -> bool:
    return state.phase != "raking"


def legal(state: State) -> list[Action]:
    if over(state):
        return []
    steps = [_STEPS[direction] for direction in open_steps(state)]
    return [*steps, *(_AT_STONE_1 if len(state.stroke) == 1 else _ELSEWHERE)]


def apply(state: State, action: Action) -> State:
    match action:
        case Step(direction):
            plot = target(state, direction)
            return _lifted(state) if plot == behind(state) else _inked(state, plot)
        case Undo():
            return _lifted(state)
        case Reset():
            return replace(state, stroke=state.stroke[:1], resets=min(state.resets + 1, MOST))
        case EndRun():
            return replace(state, phase="ended")
        case _:
            assert_never(action)


def _opened(seed: int, number: int, completed: tuple[Entry, ...], score: int) -> State:
    """The run at the beginning of a garden."""
    garden = gardens.garden(seed, number)
    return State(seed, "raking", garden, garden.stones[:1], 1, 0, 0, completed, score)


def _lifted(state: State) -> State:
    return replace(state, stroke=state.stroke[:-1], undos=min(state.undos + 1, MOST))


def _inked(state: State, plot: Plot) -> State:
    garden, stroke = state.garden, (*state.stroke, plot)
    stone = garden.stones.index(plot) + 1 if plot in garden.stones else 0
    latched = stone > state.reached
    after = replace(
        state,
        stroke=stroke,
        reached=stone if latched else state.reached,
        score=state.score + (STONE if latched else 0),
    )
    return _completed(after) if len(stroke) == garden.cells else after


def _completed(state: State) -> State:
    """The run after the last plot of a garden was inked; that plot is the final stone, as no way leads on from it."""
    number, waste = state.garden.number, wasted(state.undos, state.resets)
    completed = (*state.completed, Entry(number, state.undos, state.resets))
    score = state.score + completion_points(number, waste)
    if number < gardens.LAST:
        return _opened(state.seed, number + 1, completed, score)
    return replace(state, phase="complete", completed=completed, score=score + still_water(completed))
