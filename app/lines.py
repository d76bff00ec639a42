"""Lines of JSON on standard error: with ``GAMEBOARD_LOG=json`` each request is one, and each message of `app.logs`."""

import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from time import time

import orjson

from app.watch import Seen


class Lines:
    """Writes JSON objects to a descriptor, a line each, and neither waits for a reader nor fails for want of one.

    A line that a full or broken pipe does not take is lost; the next that it takes says how many were.
    """

    def __init__(self, descriptor: int = 2) -> None:
        self._descriptor = _unhurried(descriptor)
        self._lost = 0

    def write(self, seconds: float, level: str, fields: Mapping[str, object]) -> None:
        when = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = {"time": when, "level": level, **fields}
        if self._lost:
            line["lost"] = self._lost
        try:
            os.write(self._descriptor, orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
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
        self.write(time(), "error" if seen.status >= 500 else "info", fields)


def _unhurried(descriptor: int) -> int:
    """A pipe opened once more, so that it can refuse a line where it is full; for this process alone, unlike a flag."""
    if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
        with suppress(OSError):  # no /proc here, or not ours to open: then a full pipe is waited for
            return os.open(f"/proc/self/fd/{descriptor}", os.O_WRONLY | os.O_NONBLOCK)
    return descriptor
