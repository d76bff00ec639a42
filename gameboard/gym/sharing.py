"""One local board for all the environments of a process: an app takes a moment to make, and threads may share it."""

import os
from threading import Lock

from gameboard.client import Gameboard


class Shared:
    """A local board that is there while somebody holds it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._board: Gameboard | None = None
        self._holders = 0

    def hold(self) -> Gameboard:
        """The board, made for the first who holds it."""
        with self._lock:
            if self._board is None:
                self._board = Gameboard.local()
            self._holders += 1
            return self._board

    def release(self) -> None:
        """Hold it no longer. The last one closes it."""
        with self._lock:
            self._holders -= 1
            if self._board and not self._holders:
                self._board.close()
                self._board = None


_of_process: dict[int, Shared] = {}
"""By process: one that was forked finds its parent's here, whose thread it does not have."""


def shared() -> Shared:
    """The one of this process."""
    return _of_process.setdefault(os.getpid(), Shared())
