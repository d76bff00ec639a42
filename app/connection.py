"""The HTTP connection: uvicorn's on h11, with failures of HTTP itself answered in the JSON envelope.

h11 is chosen over uvicorn's faster parser because it bounds the head of a request and the trailers of a body, keeps
trailers apart from headers, and reads on where a client offers an upgrade to HTTP/2, as Java's own client does.
"""

from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from app.errors import failed

_REASON = (
    "This is not an HTTP/1.1 request that can be read here. Its first line or a header is malformed, has characters "
    "that must be percent-encoded, or is far too long."
)


class _Reader(h11.Connection):
    """h11, but a body whose length is declared in both ways is refused: it may hide a second request from a proxy."""

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        event = super().next_event()
        if isinstance(event, h11.Request):
            names = {name for name, _ in event.headers}
            if b"content-length" in names and b"transfer-encoding" in names:
                raise h11.RemoteProtocolError("both Content-Length and Transfer-Encoding")
        return event


class Connection(H11Protocol):
    """One client's connection."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.conn = _Reader(h11.SERVER)

    def send_400_response(self, msg: str) -> None:
        del msg
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            answer = failed("bad_http", _REASON, {"connection": "close"})
            head = h11.Response(status_code=answer.status_code, headers=answer.raw_headers, reason=b"Bad Request")
            for event in (head, h11.Data(data=bytes(answer.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
