"""The HTTP connection: uvicorn's on h11, with failures of HTTP itself answered in the JSON envelope.

h11 is chosen over uvicorn's faster parser because it bounds the head of a request and the trailers of a body, keeps
trailers apart from headers, and reads on where a client offers an upgrade to HTTP/2, as Java's own client does.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from app.errors import failed

_REASON = (
    "This is not an HTTP/1.1 request that can be read here. Its first line or a header is malformed, has characters "
    "that must be percent-encoded, or is far too long."
)


PATIENCE = 60.0
"""Seconds between two looks at a connection. A client has so long for a request or for taking an answer, at least."""


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
    """One client's connection.

    It is looked at now and then: where the same request is still not complete, or the same answer still not taken, the
    client is too slow or gone, and the connection is closed. One without any request is closed too.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.conn = _Reader(h11.SERVER)
        self._look: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._look_later()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._look is not None:
            self._look.cancel()
        super().connection_lost(exc)

    def _look_later(self) -> None:
        self._look = self.loop.call_later(PATIENCE, self._look_again, self._held_up_by())

    def _look_again(self, before: object) -> None:
        if before is not None and before is self._held_up_by():
            self.transport.abort()
        else:
            self._look_later()

    def _held_up_by(self) -> object:
        """What the client has yet to send or to take: the request's cycle, or the connection before its first."""
        if not self.flow.write_paused and self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            return None
        cycle: object | None = self.cycle
        return self if cycle is None else cycle

    def send_400_response(self, msg: str) -> None:
        del msg
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            answer = failed("bad_http", _REASON, {"connection": "close"})
            head = h11.Response(status_code=answer.status_code, headers=answer.raw_headers, reason=b"Bad Request")
            for event in (head, h11.Data(data=bytes(answer.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
