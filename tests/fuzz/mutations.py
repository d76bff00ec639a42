"""Changes to what was right, so that fuzzing gets past the first look."""

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

INTERESTING: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 3, 9, 10, 16, 255, 256, 10**12, 2**32, 2**53, 2**63 - 1, 2**63, 2**64, 10**30,
    0.5, 1.0, -0.0, 1e300, "", "0", "00", "1", "pond", "drift", "runOver", "playing", "cleared", "ended", "complete",
    [], {}, [0, 0, 0], [[]], {"row": 0, "col": 0}, {"type": "next"}, "\u2028", "x" * 50,
)  # fmt: skip
"""Values at the edges of something."""


def json_changed(data: bytes, choose: Random) -> bytes:
    """A JSON text with one to four of its parts changed, or as it was where it is none."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return data
    for _ in range(choose.randint(1, 4)):
        value = _changed(value, choose)
    return json.dumps(value, ensure_ascii=choose.random() < 0.5).encode("utf-8", "replace")


def spliced(data: bytes, choose: Random) -> bytes:
    """A text with a character changed, left out, doubled, moved or cut off, as a token may be tampered with."""
    place = choose.randrange(len(data) + 1)
    other = choose.randrange(len(data) + 1)
    head, tail = data[:place], data[place:]
    return choose.choice(
        (
            lambda: head + bytes([choose.choice(b"ABCxyz019-_.=+/ \n\x00\xc3")]) + tail[1:],
            lambda: head + tail[1:],
            lambda: head + head[-1:] + tail,
            lambda: head + tail[1:2] + tail[:1] + tail[2:],
            lambda: head,
            lambda: data[min(place, other) : max(place, other)],
            lambda: head + data[other:],
            lambda: data + choose.choice((b"=", b"==", b"\n", b".", b"A")),
        )
    )()


def _changed(value: Any, choose: Random) -> Any:
    """The value with one part, anywhere in it, put in the place of another, left out, doubled or replaced."""
    paths = list(_paths(value))
    path = choose.choice(paths)
    change = choose.choice(_CHANGES)
    return _put(value, path, change(_at(value, path), _at(value, choose.choice(paths)), choose))


def _near(part: Any, other: Any, choose: Random) -> Any:
    """A value beside the one that is there."""
    if type(part) is int:
        return choose.choice((part + 1, part - 1, -part, float(part), part * 10))
    if isinstance(part, str):
        place = choose.randrange(len(part) + 1)
        put = choose.choice(("", "0", "1", "2", "3", "9", part[:3], part[place : place + 1] * 2))
        return part[:place] + put + part[place + choose.randrange(2) :]
    if isinstance(part, list):
        place = choose.randrange(len(part) + 1)
        return choose.choice((part[:place], part[place:], [*part[:place], other, *part[place:]], part * 2, part[::-1]))
    if isinstance(part, dict):
        keys = list(part)
        choose.shuffle(keys)
        dropped = {key: part[key] for key in keys[1:]}
        return choose.choice((dropped, {**part, "extra": other}, {key: part[key] for key in keys}))
    return other


_CHANGES: tuple[Callable[[Any, Any, Random], Any], ...] = (
    _near,
    _near,
    lambda part, other, choose: other,
    lambda part, other, choose: choose.choice(INTERESTING),
)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from _paths(part, (*path, key))


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def _put(value: Any, path: tuple[Any, ...], part: Any) -> Any:
    """A copy of the value with another part at the end of the path."""
    if not path:
        return part
    copied: Any = list(value) if isinstance(value, list) else dict(value)
    copied[path[0]] = _put(value[path[0]], path[1:], part)
    return copied
