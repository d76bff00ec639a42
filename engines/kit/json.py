"""JSON values: their types, and how a refusal talks about one."""

import json
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import TypeAlias

Json: TypeAlias = "None | bool | int | float | str | Sequence[Json] | Mapping[str, Json]"
JsonObject: TypeAlias = Mapping[str, Json]

SHOWN = 40
"""Characters of a foreign text or number that a sentence quotes at most."""

CUT = 12
"""Characters that are quoted of a longer text: it may be a token in the wrong place, which is nobody's to read."""


def integer(value: Json) -> int | None:
    """The integer that a JSON value stands for, or None.

    As in JSON Schema a number with an integral value is an integer (``1.0`` is 1); a boolean is none.
    """
    if type(value) is int:
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return None


def quoted(text: str) -> str:
    """A foreign text in quotes, escaped to ASCII and cut to a readable length."""
    shown = text if len(text) <= SHOWN else text[:CUT] + "…"
    return json.dumps(shown, ensure_ascii=not shown.isprintable())


def guess(word: str, known: Iterable[str]) -> str:
    """The sentence that asks whether one of the known words was meant, or nothing."""
    lower = {other.lower(): other for other in known}
    close = get_close_matches(word.lower(), lower, n=1) if len(word) <= SHOWN else []
    return f" Did you mean {quoted(lower[close[0]])}?" if close else ""


def described(value: Json) -> str:
    """A JSON value as a noun for a sentence: ``null``, ``true``, ``12``, ``"fill"``, ``a list``, ``an object``."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, str):
        return f"the text {quoted(value)}"
    if isinstance(value, int) and abs(value) >= 10**SHOWN:
        return f"a number of over {SHOWN} digits"
    if isinstance(value, int | float):
        return json.dumps(value)
    return "an object" if isinstance(value, Mapping) else "a list"
