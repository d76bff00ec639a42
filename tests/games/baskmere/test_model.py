"""Baskmere's engine against a model written from the rules alone."""

from random import Random
from typing import Any

import pytest

from engines.baskmere import GAME, ponds, wire
from engines.baskmere.pond import Pond
from engines.baskmere.state import State
from engines.kit.grammar import Refusal
from tests.conformance.plays import universe
from tests.games.baskmere.model import Model
from tests.games.baskmere.player import play, position_of
from tests.wire import as_json

EVERYTHING = [as_json(GAME.grammar.write(action)) for action in universe(GAME)]
MOVES = [action for action in EVERYTHING if action["type"] == "MOVE"]


def modelled(state: State) -> Model:
    """A model of a run that was just begun.

    Big ponds are too slow for its own search: there it asks the engine's, which has tests of its own.
    """
    return Model(*shown(state), needed=lambda pond, piles: _needed(pond, piles))


def shown(state: State) -> tuple[dict[str, Any], list[list[int]]]:
    pond: dict[str, Any] = as_json(wire.pond_view(state.pond, state.par))
    return pond, wire.piles_view(state.pond, state.position)


_known: dict[str, Pond] = {}


def _needed(pond: dict[str, Any], piles: Any) -> int:
    found = ponds.distances(_known[repr(pond)]).of(position_of([list(pile) for pile in piles]))
    assert found is not None
    return found


def step(model: Model, state: State, action: dict[str, Any]) -> State:
    """Play an action on both, and compare all that they say."""
    turn = GAME.play(state, action)
    after = state if isinstance(turn, Refusal) else turn.state
    _known[repr(shown(after)[0])] = after.pond
    told = model.act(action, shown(after) if action["type"] == "NEXT_POND" else None)
    assert (told is None) == isinstance(turn, Refusal), (action, turn)
    if not isinstance(turn, Refusal):
        assert as_json(turn.report) == told
    assert list(as_json(GAME.view(after)).items()) == list(model.view().items())
    assert [as_json(GAME.grammar.write(legal)) for legal in GAME.legal(after)] == model.legal()
    return after


@pytest.mark.untraced
@pytest.mark.parametrize("seed", range(6))
def test_a_good_player_with_some_waste(seed: int) -> None:
    """Shortest ways with a detour and mistakes now and then, pond after pond, until the sun sets or pond 16."""
    choose, state = Random(seed), GAME.begin(seed)
    _known[repr(shown(state)[0])] = state.pond
    model = modelled(state)
    while state.phase != "runOver" and state.pond.number < 16:
        chance = choose.random()
        if chance < 0.1:
            state = step(model, state, choose.choice(MOVES))
        elif chance < 0.15:
            state = step(model, state, {"type": "STEP_BACK"})
        elif chance < 0.2:
            state = step(model, state, {"type": "NEXT_POND"})
        else:
            state = step(model, state, play(as_json(GAME.view(state))))
    for action in EVERYTHING:
        state = step(model, state, action)
    assert state.pond.number > 2


@pytest.mark.parametrize("seed", range(20))
def test_random_play_to_the_sunset(seed: int) -> None:
    choose, state = Random(seed), GAME.begin(seed)
    _known[repr(shown(state)[0])] = state.pond
    model = modelled(state)
    for _ in range(60):
        state = step(model, state, choose.choice(EVERYTHING[:-1]))
    assert state.phase in ("runOver", "drift", "pond")


@pytest.mark.untraced
@pytest.mark.parametrize("seed", [0, 7, 4294967295])
def test_a_perfect_run_into_deep_ponds(seed: int) -> None:
    """Forty ponds, the last of them with several features, all Perfect."""
    state = GAME.begin(seed)
    _known[repr(shown(state)[0])] = state.pond
    model = modelled(state)
    while state.pond.number < 40 or state.phase != "drift":
        action = play(as_json(GAME.view(state)))
        state = step(model, state, action)
        if state.phase == "drift":
            assert (state.spent, state.streak) == (state.par, state.pond.number)
    step(model, state, {"type": "END_RUN"})
    assert model.view()["outcome"] == "win"
