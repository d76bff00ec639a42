"""A JSON answer, and the bytes it becomes.

Every JSON answer carries the same constant headers: it is never cached, and a page of any origin may read it.
"""

from collections.abc import Mapping

import orjson
from starlette.responses import Response

OPEN_TO_ALL = {"access-control-allow-origin": "*", "access-control-expose-headers": "Allow, Retry-After"}


def _raw(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]


_CONSTANT = _raw(
    {
        "content-type": "application/json",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        **OPEN_TO_ALL,
    }
)


class Answer(Response):
    """A JSON answer. Keys come out in the order in which they were put in."""

    def __init__(
        self, content: Mapping[str, object], status: int = 200, headers: Mapping[str, str] | None = None
    ) -> None:
        self.status_code = status
        self.background = None
        self.body = orjson.dumps(content)
        self.raw_headers = [*_CONSTANT, (b"content-length", b"%d" % len(self.body))]
        if headers:
            self.raw_headers += _raw(headers)
