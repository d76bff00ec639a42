"""Words for JSON Schemas of what a game sends: states and reports, each key described."""

from collections.abc import Iterable

from engines.kit.json import Json, JsonObject


def whole(about: str, minimum: int | None = 0, maximum: int | None = None) -> JsonObject:
    """An integer between bounds, both included; None is no bound."""
    bounds = {"minimum": minimum, "maximum": maximum}
    return {"type": "integer", **{word: bound for word, bound in bounds.items() if bound is not None}, **_said(about)}


def flag(about: str) -> JsonObject:
    return {"type": "boolean", **_said(about)}


def word(about: str, *words: str) -> JsonObject:
    """One of a few texts."""
    return {"enum": list(words), **_said(about)}


def row(about: str, items: JsonObject, length: int | None = None) -> JsonObject:
    """A list of like items; None is any length."""
    size = {} if length is None else {"minItems": length, "maxItems": length}
    return {"type": "array", "items": items, **size, **_said(about)}


def record(about: str, properties: JsonObject, required: Iterable[str] | None = None) -> JsonObject:
    """An object with these keys and no others. Unless `required` names fewer, all of them are always there."""
    needed: list[Json] = list(properties if required is None else required)
    return {
        "type": "object",
        **_said(about),
        "properties": properties,
        "required": needed,
        "additionalProperties": False,
    }


def _said(about: str) -> JsonObject:
    return {"description": about} if about else {}
