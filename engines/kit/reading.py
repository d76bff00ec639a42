"""Saved states: what every `load` asks of the values that it is given, and how a random cursor is kept."""

from typing import TypeVar

from engines.kit.game import BadState
from engines.kit.json import Json, described, integer

W = TypeVar("W", bound=str)

LARGEST = 2**53 - 1
"""No saved count is larger. No play comes near; it keeps every number small enough to be written and read exactly."""


def read_whole(path: str, value: Json, least: int = 0, most: int = LARGEST) -> int:
    """An integer between bounds, both included. Raises `BadState` that names the path."""
    number = value if type(value) is int else integer(value)
    if number is None or not least <= number <= most:
        bounds = f"from {least}" if most == LARGEST else f"from {least} to {most}"
        raise BadState(f"{path}: it is a whole number {bounds}, not {described(value)}.")
    return number


def read_word(path: str, value: Json, words: tuple[W, ...]) -> W:
    """One of a few words. Raises `BadState` that names the path."""
    for known in words:
        if value == known:
            return known
    raise BadState(f"{path}: it is one of {', '.join(words)}, not {described(value)}.")


CURSOR_BYTES = 4


def cursor_bytes(cursor: int) -> bytes:
    """A random cursor as the secret of a saved run: always of the same length."""
    return cursor.to_bytes(CURSOR_BYTES, "big")


def read_cursor(secret: bytes) -> int:
    """The random cursor in the secret of a saved run. Raises `BadState`."""
    if len(secret) != CURSOR_BYTES:
        raise BadState(f"cursor: it takes {CURSOR_BYTES} bytes, not {len(secret)}.")
    return int.from_bytes(secret, "big")
