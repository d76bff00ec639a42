"""Plays of Sumi Steps that get somewhere: a solver's, with detours."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engines.kit.grammar import Refusal
from engines.sumi_steps import GAME, wire
from engines.sumi_steps.gardens import garden
from engines.sumi_steps.state import State
from gameboard.agents.sumi_steps import solve
from tests.wire import as_json

DIRECTIONS = ("up", "down", "left", "right")


def public(state: State) -> dict[str, Any]:
    view: dict[str, Any] = as_json(GAME.view(state))
    return view


def gardens_of(seed: int) -> Callable[[int], dict[str, Any]]:
    """The gardens of a seed by number, as far as a player sees them."""

    def laid(number: int) -> dict[str, Any]:
        made = garden(seed, number)
        parts: dict[str, Any] = as_json(
            {"rows": made.rows, "cols": made.cols, "stones": wire.stones(made), "fences": wire.fences(made)}
        )
        return parts

    return laid


def step(direction: str) -> dict[str, Any]:
    return {"type": "step", "direction": direction}


def played(state: State, *actions: dict[str, Any]) -> State:
    """The state after actions that must all be accepted."""
    for action in actions:
        turn = GAME.play(state, action)
        assert not isinstance(turn, Refusal), (action, turn)
        state = turn.state
    return state


def solution(state: State) -> list[dict[str, Any]]:
    """The steps that complete a garden of which Stone 1 is inked only."""
    return [step(direction) for direction in solve(public(state))]


def at_garden(seed: int, number: int) -> State:
    """A perfect run at the beginning of a garden."""
    state = GAME.begin(seed)
    while state.garden.number < number:
        state = played(state, *solution(state))
    return state


def finished(seed: int) -> State:
    """A perfect run, complete."""
    state = at_garden(seed, 9)
    return played(state, *solution(state))


def wander(seed: int, choices: Iterable[int]) -> Iterator[tuple[State, dict[str, Any], State]]:
    """Steps of a play that small numbers choose: mostly along a solution, with wrong turns, undos and resets.

    Whatever is illegal is left out. Each element is the state before, the action and the state after.
    """
    state, ahead = GAME.begin(seed), solution(GAME.begin(seed))
    for choice in choices:
        along = ahead[len(state.stroke) - 1 :]
        on_the_way = (
            public(played(_cleared(state), *ahead[: len(state.stroke) - 1]))["stroke"] == public(state)["stroke"]
        )
        if choice < 12:
            actions = along[: 1 + choice] if on_the_way else [{"type": "undo"}] * choice
        else:
            actions = [[step(DIRECTIONS[choice % 4])], [{"type": "undo"}] * 3, [{"type": "reset"}]][(choice - 12) % 3]
        for action in actions:
            turn = GAME.play(state, action)
            if isinstance(turn, Refusal):
                continue
            yield state, action, turn.state
            if turn.state.phase != "raking":
                return
            if turn.state.garden.number > state.garden.number:
                ahead = solution(turn.state)
            state = turn.state


def _cleared(state: State) -> State:
    return played(state, {"type": "reset"})
