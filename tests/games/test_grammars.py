"""The published grammar of every game is the one of its document, descriptions aside."""

import json
from pathlib import Path
from typing import Any

import pytest

from engines.kit.game import AnyGame
from engines.registry import GAMES
from tests.wire import as_json


def without_descriptions(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {key: without_descriptions(value) for key, value in schema.items() if key != "description"}
    return [without_descriptions(value) for value in schema] if isinstance(schema, list) else schema


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.slug)
def test_it_is_the_documents_grammar(game: AnyGame) -> None:
    document = Path(__file__).parent / game.info.slug.replace("-", "_") / "grammar.json"
    assert without_descriptions(as_json(game.grammar.schema())) == json.loads(document.read_text())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.slug)
def test_every_part_of_it_is_described(game: AnyGame) -> None:
    for form in game.grammar.forms:
        assert form.about.endswith(".")
        assert all(field.about.endswith(".") for field in form.fields)
