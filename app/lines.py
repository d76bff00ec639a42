"""Lines of JSON on standard error: with ``GAMEBOARD_LOG=json`` each request is one, and each message of `app.logs`."""

import os
import socket
import stat
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from time import time

import orjson

from app.watch import Seen


class Lines:
    """Writes JSON objects to a descriptor, a line each, and neither waits for a reader nor fails for want of one.

    A line that a full or broken pipe or socket does not take is lost; the next that it takes says how many were.
    """

    def __init__(self, descriptor: int = 2) -> None:
        self._send = _unhurried(descriptor)
        self._lost = 0

    def write(self, seconds: float, level: str, fields: Mapping[str, object]) -> None:
        when = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = {"time": when, "level": level, **fields}
        if self._lost:
            line["lost"] = self._lost
        try:
            self._send(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
        except OSError:
            self._lost += 1
        else:
            self._lost = 0

    def watch(self, seen: Seen) -> None:
        """Write the line of a request."""
        fields: dict[str, object] = {"method": seen.method, "route": seen.route}
        if seen.game is not None:
            fields["game"] = seen.game
        fields |= {"status": seen.status, "microseconds": round(seen.seconds * 1e6), "bytes": seen.size}
        if seen.code is not None:
            fields["code"] = seen.code
        level = "warning" if seen.code == "busy" else "error" if seen.status >= 500 else "info"
        self.write(time(), level, fields)


def _unhurried(descriptor: int) -> Callable[[bytes], int]:
    """Writes to a pipe or a socket so that it can refuse a line where it is full; for this process alone, which a flag
    of the descriptor would not be. Anything else is written to as it is.
    """
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISSOCK(mode):  # as under systemd
        return partial(_send_now, descriptor)
    if stat.S_ISFIFO(mode):
        with suppress(OSError):  # no /proc here, or not ours to open: then a full pipe is waited for
            return partial(os.write, os.open(f"/proc/self/fd/{descriptor}", os.O_WRONLY | os.O_NONBLOCK))
    return partial(os.write, descriptor)


def _send_now(descriptor: int, line: bytes) -> int:
    log = socket.socket(fileno=descriptor)
    try:
        return log.send(line, socket.MSG_DONTWAIT)
    finally:
        log.detach()
