"""Dewspout's engine against a model written from the rules alone."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engines.dewspout import GAME, rules
from engines.kit.grammar import Refusal
from tests.client import Client
from tests.conformance.plays import universe
from tests.games.dewspout.model import Model
from tests.wire import as_json

SEEDS = [0, 7, 4294967295]
EVERYTHING = [as_json(GAME.grammar.write(action)) for action in universe(GAME)]


def actions(model: Model, choose: Random, gardens: int) -> Iterator[dict[str, Any]]:
    """Some detours and mistakes, then a shortest solution, garden after garden; the bank at the end."""
    for _ in range(gardens):
        for _ in range(choose.randrange(6)):
            action = choose.choice(EVERYTHING)
            if action["type"] not in ("bank", "next"):
                yield action
        if model.view()["phase"] == "playing":
            yield {"type": "restart"}
            yield {"type": "next"}
            yield from model.solution()
        yield {"type": "fill", "vessel": 0}
        yield {"type": "next"}
    yield {"type": "bank"}
    yield {"type": "bank"}


@pytest.mark.parametrize("seed", SEEDS)
def test_thirty_gardens(seed: int) -> None:
    model, state = Model(seed), rules.begin(seed)
    for action in actions(model, Random(seed), 30):
        told = model.act(action)
        turn = GAME.play(state, action)
        assert (told is None) == isinstance(turn, Refusal), (action, turn)
        if not isinstance(turn, Refusal):
            state = turn.state
            assert as_json(turn.report) == told
        assert list(as_json(GAME.view(state)).items()) == list(model.view().items())
        assert [as_json(GAME.grammar.write(legal)) for legal in GAME.legal(state)] == model.legal()
    assert model.view()["phase"] == "ended"
    assert model.view()["garden"] == 31


@pytest.mark.untraced
@pytest.mark.parametrize("seed", SEEDS)
def test_thirty_gardens_at_par_over_http(client: Client, seed: int) -> None:
    model, answer = Model(seed), client.init("dewspout", seed)
    earned = 0
    for _ in range(30):
        earned += 250 + 10 * model.view()["par"]
        for action in [*model.solution(), {"type": "next"}]:
            answer = client.act("dewspout", answer, action)
            assert answer["ok"] is True, answer
            assert answer["report"] == model.act(action)
            assert answer["state"] == model.view()
            assert answer["legalActions"] == model.legal()
        assert answer["score"] == earned
    assert len(answer["stateToken"]) < 300


@pytest.mark.parametrize("seed", range(40))
def test_random_play(seed: int) -> None:
    choose, model, state = Random(seed), Model(seed), rules.begin(seed)
    for _ in range(150):
        action = choose.choice([other for other in EVERYTHING if other["type"] != "bank"])
        told, turn = model.act(action), GAME.play(state, action)
        assert (told is None) == isinstance(turn, Refusal), (action, turn)
        if not isinstance(turn, Refusal):
            state = turn.state
            assert as_json(turn.report) == told
            assert as_json(GAME.view(state)) == model.view()
