"""Sumi Steps' engine against a model written from the rules alone."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.kit.grammar import Refusal
from engines.sumi_steps import GAME
from engines.sumi_steps.state import State
from tests.conformance.plays import universe
from tests.games.sumi_steps.model import Model
from tests.games.sumi_steps.plays import finished, gardens_of, public, solution, wander
from tests.wire import as_json

EVERYTHING = [as_json(GAME.grammar.write(action)) for action in universe(GAME)]


def assert_equal(model: Model, state: State) -> None:
    assert list(public(state).items()) == list(model.view().items())
    assert [as_json(GAME.grammar.write(action)) for action in GAME.legal(state)] == model.legal()


@pytest.mark.untraced
@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.lists(st.integers(0, 17), max_size=40))
def test_plays_with_detours(seed: int, choices: list[int]) -> None:
    model = Model(seed, gardens_of(seed))
    assert_equal(model, GAME.begin(seed))
    for before, action, after in wander(seed, choices):
        turn = GAME.play(before, action)
        assert not isinstance(turn, Refusal)
        assert as_json(turn.report) == model.act(action)
        assert_equal(model, after)


@pytest.mark.parametrize("seed", range(25))
def test_random_play_with_every_mistake(seed: int) -> None:
    choose, model, state = Random(seed), Model(seed, gardens_of(seed)), GAME.begin(seed)
    for _ in range(200):
        action = choose.choice(EVERYTHING[:-1])
        told, turn = model.act(action), GAME.play(state, action)
        assert (told is None) == isinstance(turn, Refusal), (action, turn)
        if not isinstance(turn, Refusal):
            state = turn.state
            assert as_json(turn.report) == told
            assert_equal(model, state)


@pytest.mark.parametrize("seed", [0, 7, 4294967295])
def test_a_perfect_run(seed: int) -> None:
    model, state = Model(seed, gardens_of(seed)), GAME.begin(seed)
    while not GAME.over(state):
        for action in solution(state):
            turn = GAME.play(state, action)
            assert not isinstance(turn, Refusal)
            assert as_json(turn.report) == model.act(action)
            state = turn.state
            assert_equal(model, state)
    assert state == finished(seed)
    assert model.act({"type": "endRun"}) is None
