"""Keys of a Unix terminal, one at a time and none lost."""

import os
import select
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

ARROWS = {b"A": "up", b"B": "down", b"C": "right", b"D": "left"}
_ESCAPE = b"\x1b"
_PAUSE = 0.05
"""Seconds after which an escape is a key of its own and begins no other."""


@contextmanager
def keys() -> Iterator[Iterator[str]]:
    """The keys as they are pressed: ``up``, ``down``, ``left``, ``right``, ``enter``, ``backspace``, or the letter."""
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal)
    try:
        yield iter(lambda: _key(terminal), None)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _key(terminal: int) -> str | None:
    """The next key, or None where the terminal is gone."""
    first = os.read(terminal, 1)
    if first == _ESCAPE and select.select([terminal], [], [], _PAUSE)[0] and os.read(terminal, 1) in (b"[", b"O"):
        return ARROWS.get(os.read(terminal, 1), "escape")
    names = {b"": None, b"\r": "enter", b"\n": "enter", b"\x7f": "backspace", b"\x08": "backspace", _ESCAPE: "escape"}
    return names.get(first, first.decode("latin-1"))
