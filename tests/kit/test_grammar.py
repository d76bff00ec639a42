"""A grammar reads exactly what its published schema allows, and says why it does not read the rest."""

from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from engines.kit.game import AnyGame
from engines.kit.grammar import Refusal
from tests.conformance.plays import ALL_GAMES, universe
from tests.wire import as_json

GAMES = pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.info.slug)

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.integers()
    | st.sampled_from([0.0, -0.0, 1.0, 2.0, 2.5, 1e300, -1.0])
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6)
    | st.sampled_from(["0", "1", "true", "type"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def near(game: AnyGame) -> st.SearchStrategy[Any]:
    """JSON values that look like actions of the game: right words in the wrong places, fields swapped and left out."""
    forms = as_json(game.grammar.schema())["oneOf"]
    keys = sorted({key for form in forms for key in form["properties"]})
    words = [form["properties"]["type"]["const"] for form in forms]
    words += [word for form in forms for field in form["properties"].values() for word in field.get("enum", [])]
    value = st.sampled_from([*words, words[0].upper(), words[0] + " "]) | SCALARS | VALUES
    right = st.sampled_from([game.grammar.write(action) for action in universe(game)])
    wrong = st.tuples(right, st.sampled_from([*keys, "extra"]), SCALARS).map(lambda it: {**it[0], it[1]: it[2]})
    short = st.tuples(right, st.sampled_from(keys)).map(lambda it: {k: v for k, v in it[0].items() if k != it[1]})
    return st.dictionaries(st.sampled_from([*keys, "Type"]), value, max_size=4) | right | wrong | short | VALUES


@GAMES
def test_it_reads_what_the_schema_allows_and_nothing_else(game: AnyGame) -> None:
    validator = Draft202012Validator(as_json(game.grammar.schema()))

    @settings(max_examples=100, deadline=None, derandomize=True)
    @given(near(game))
    def agree(value: Any) -> None:
        read = game.grammar.parse(value)
        assert isinstance(read, Refusal) != validator.is_valid(value)
        if isinstance(read, Refusal):
            assert read.reason.isprintable()
            assert len(read.reason) < 600

    agree()


(DEWSPOUT,) = (game.grammar for game in ALL_GAMES if game.info.slug == "dewspout")


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (None, 'An action is a JSON object such as {"type":"fill","vessel":1}; this one is null.'),
        (True, 'An action is a JSON object such as {"type":"fill","vessel":1}; this one is true.'),
        (3, 'An action is a JSON object such as {"type":"fill","vessel":1}; this one is 3.'),
        ("fill", 'An action is a JSON object such as {"type":"fill","vessel":1}; this one is the text "fill".'),
        ([{}], 'An action is a JSON object such as {"type":"fill","vessel":1}; this one is a list.'),
        (
            {"vessel": 1},
            'The action has no "type". It is one of "fill", "empty", "pour", "restart", "next", "bank"; for example '
            '{"type":"fill","vessel":1}.',
        ),
        (
            {"type": {}},
            '"type" must be one of the texts "fill", "empty", "pour", "restart", "next", "bank"; it was an object.',
        ),
        (
            {"type": "Fil"},
            'There is no action "Fil". Did you mean "fill"? The types are "fill", "empty", "pour", "restart", "next", '
            '"bank".',
        ),
        (
            {"type": "dig"},
            'There is no action "dig". The types are "fill", "empty", "pour", "restart", "next", "bank".',
        ),
        (
            {"type": "next", "garden": 2},
            '"garden" is not a field of "next", which carries "type" and nothing else: {"type":"next"}.',
        ),
        (
            {"type": "pour", "from": 1},
            '"pour" needs the field "to" as well: {"type":"pour","from":1,"to":2}. The vessel to pour into, another '
            "one: 0 is A, 1 is B, 2 is C.",
        ),
        (
            {"type": "fill", "vessel": True},
            '"vessel" must be a whole number from 0 to 2; true is not one. The vessel to fill: 0 is A, 1 is B, 2 is C.',
        ),
        (
            {"type": "fill", "vessel": "1"},
            '"vessel" must be a whole number from 0 to 2; the text "1" is not one. The vessel to fill: 0 is A, 1 is B, '
            "2 is C.",
        ),
        (
            {"type": "fill", "vessel": 0.5},
            '"vessel" must be a whole number from 0 to 2; 0.5 is not one. The vessel to fill: 0 is A, 1 is B, 2 is C.',
        ),
        (
            {"type": "fill", "vessel": -1},
            '"vessel" must be a whole number from 0 to 2; -1 is out of range. The vessel to fill: 0 is A, 1 is B, 2 is '
            "C.",
        ),
        (
            {"type": "fill", "vessel": 10**4000},
            '"vessel" must be a whole number from 0 to 2; a number of over 40 digits is out of range. The vessel to '
            "fill: 0 is A, 1 is B, 2 is C.",
        ),
    ],
)
def test_each_way_to_be_no_action_has_a_reason_of_its_own(raw: Any, reason: str) -> None:
    assert DEWSPOUT.parse(raw) == Refusal(reason)


def test_a_word_field_lists_its_words() -> None:
    (dial,) = (game for game in ALL_GAMES if game.info.slug == "open-dial")
    assert dial.grammar.parse({"type": "turn", "way": "left"}) == Refusal(
        '"way" must be one of "up", "down"; it was the text "left". Where.'
    )
    assert dial.grammar.parse({"type": "turn", "way": ["up"]}) == Refusal(
        '"way" must be one of "up", "down"; it was a list. Where.'
    )


@pytest.mark.parametrize("word", ["x" * 50_000, "\u2028\u0000\ud800", '"' * 100])
def test_a_foreign_text_is_cut_and_escaped(word: str) -> None:
    read = DEWSPOUT.parse({"type": word})
    assert isinstance(read, Refusal)
    assert len(read.reason) < 400
    assert read.reason.isprintable()
    orjson.dumps(read.reason)
