"""The laws of `engines/README.md`, over every registered game and the toys."""

from collections.abc import Iterator

import orjson
import pytest
from jsonschema import Draft202012Validator

from engines.kit.game import AnyGame, BadState, Saved
from engines.kit.grammar import Refusal
from engines.kit.json import Json
from tests.conformance.plays import ALL_GAMES, SEEDS, positions, universe, walk
from tests.wire import as_json

pytestmark = [
    pytest.mark.parametrize("seed", SEEDS),
    pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.info.slug),
]


def test_every_well_formed_action_is_accepted_exactly_if_it_is_listed(game: AnyGame, seed: int) -> None:
    for state in positions(game, seed):
        legal = game.legal(state)
        before = game.save(state)
        for action in universe(game):
            turn = game.play(state, game.grammar.write(action))
            if action in legal:
                assert not isinstance(turn, Refusal), (action, turn)
            else:
                assert isinstance(turn, Refusal), action
                assert len(turn.reason) > 20
        assert game.save(state) == before


def test_the_list_has_no_repeats(game: AnyGame, seed: int) -> None:
    for state in positions(game, seed):
        legal = game.legal(state)
        assert len(set(legal)) == len(legal)


def test_actions_are_written_and_read_back(game: AnyGame, seed: int) -> None:
    actions = universe(game)
    assert len(set(actions)) == len(actions)
    for action in actions:
        assert game.grammar.parse(as_json(game.grammar.write(action))) == action


def test_what_is_saved_is_loaded_with_the_same_future(game: AnyGame, seed: int) -> None:
    for state, action, after in walk(game, seed):
        saved = game.save(state)
        loaded = game.load(Saved(as_json(saved.open), saved.secret))
        assert loaded == state
        assert hash(loaded) == hash(state)
        assert game.apply(loaded, action) == after


def test_the_secret_has_one_length(game: AnyGame, seed: int) -> None:
    assert {len(game.save(state).secret) for state in positions(game, seed)} == {len(game.save(game.begin(0)).secret)}


def test_the_secret_stands_nowhere_in_the_open(game: AnyGame, seed: int) -> None:
    for state in positions(game, seed):
        saved = game.save(state)
        if len(set(saved.secret)) < 3:
            continue  # so short a number stands everywhere by chance
        told = orjson.dumps([game.view(state), game.observation(state), saved.open]).decode()
        for spelt in (str(int.from_bytes(saved.secret, "big")), saved.secret.hex()):
            assert spelt not in told


def test_a_saved_run_that_is_no_run_is_refused(game: AnyGame, seed: int) -> None:
    secret = game.save(game.begin(seed)).secret
    nonsenses: tuple[Json, ...] = (None, True, 1, "", [], {}, [[]], {"phase": 1}, ["playing"], [None] * 8)
    for nonsense in nonsenses:
        with pytest.raises(BadState):
            game.load(Saved(nonsense, secret))


def test_the_same_seed_and_actions_give_the_same_bytes(game: AnyGame, seed: int) -> None:
    for state, action, after in walk(game, seed):
        assert game.apply(state, action) == after
        for tell in (game.view, game.observation, game.legal, game.score, game.over):
            assert tell(after) == tell(after)
        assert orjson.dumps(game.report(state, action, after)) == orjson.dumps(game.report(state, action, after))


def test_state_and_report_are_what_their_schemas_say(game: AnyGame, seed: int) -> None:
    for schema in (game.state_schema, game.report_schema, game.grammar.schema()):
        Draft202012Validator.check_schema(as_json(schema))
    state_schema, report_schema = (
        Draft202012Validator(as_json(schema)) for schema in (game.state_schema, game.report_schema)
    )
    for state, action, after in walk(game, seed):
        view, report = as_json(game.view(after)), as_json(game.report(state, action, after))
        state_schema.validate(view)
        report_schema.validate(report)
        assert list(view) == list(as_json(game.state_schema)["properties"])
        assert report["action"] == as_json(game.grammar.write(action))["type"]
        assert not list(_floats([view, report]))


def test_the_end_is_the_end(game: AnyGame, seed: int) -> None:
    ended = False
    for _, _, state in walk(game, seed):
        assert game.over(state) == (not game.legal(state))
        if game.over(state):
            ended = True
            reasons = [game.refusal(state, action) for action in universe(game)]
            assert all(isinstance(reason, Refusal) for reason in reasons)
    assert ended or not game.over(state)


def test_the_score_never_falls(game: AnyGame, seed: int) -> None:
    assert game.score(game.begin(seed)) == 0
    for state, _, after in walk(game, seed):
        assert game.score(after) >= game.score(state)


def test_the_observation_is_clean_text(game: AnyGame, seed: int) -> None:
    for state in positions(game, seed):
        lines = game.observation(state).split("\n")
        assert all(line == line.rstrip() and line.isprintable() for line in lines)
        assert max(map(len, lines)) <= 120


def test_the_spec_is_complete(game: AnyGame, seed: int) -> None:
    spec = as_json(game.spec())
    for text in ("name", "goal", "scoring", "rules"):
        assert spec[text].strip()
    assert [example["type"] for example in spec["examples"]] == [form.type for form in game.grammar.forms]
    for example in spec["examples"]:
        assert not isinstance(game.grammar.parse(example), Refusal)


def _floats(value: object) -> Iterator[float]:
    if isinstance(value, float):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _floats(part)
    elif isinstance(value, list):
        for part in value:
            yield from _floats(part)
