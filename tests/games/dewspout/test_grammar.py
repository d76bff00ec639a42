"""The published grammar of Dewspout is the one of its document."""

import json
from pathlib import Path
from typing import Any

import orjson

from engines.dewspout.actions import GRAMMAR

DOCUMENT = json.loads((Path(__file__).parent / "grammar.json").read_text())


def without_descriptions(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {key: without_descriptions(value) for key, value in schema.items() if key != "description"}
    return [without_descriptions(value) for value in schema] if isinstance(schema, list) else schema


def test_it_is_the_documents_grammar() -> None:
    assert without_descriptions(json.loads(orjson.dumps(GRAMMAR.schema()))) == DOCUMENT


def test_there_is_one_example_of_each_type() -> None:
    assert GRAMMAR.examples() == [
        {"type": "fill", "vessel": 1},
        {"type": "empty", "vessel": 0},
        {"type": "pour", "from": 1, "to": 2},
        {"type": "restart"},
        {"type": "next"},
        {"type": "bank"},
    ]
