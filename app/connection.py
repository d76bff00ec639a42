"""The HTTP connection: uvicorn's on httptools, made strict and bounded, its failures answered in the JSON envelope.

What uvicorn leaves open is closed here. The head of a request, what lies between two pieces of its body, and the
requests that come before one is answered are bounded. Trailers are no headers. A client that offers another protocol,
as Java's does with HTTP/2, keeps its body. And a client that never completes a request, or never takes its answer, is
let go.
"""

import asyncio
from collections.abc import Sized
from typing import Any

import httptools
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.errors import failed

LARGEST_HEAD = 16_384
"""Bytes of the first line and the headers of a request, and of the trailers of its body, at most."""

HEADER_COUNTS = 32
"""Bytes that each header counts beyond its own, since it takes as much at least."""

MOST_BETWEEN = 65_536
"""Bytes that may come without anything of a request being complete: no head, no piece of a body."""

MOST_AHEAD = 32
"""Requests that a client may send before the first of them is answered."""

PATIENCE = 60.0
"""Seconds between two looks at a connection. A client has so long for a request or for taking an answer, at least."""

_REASON = (
    "This is not an HTTP/1.1 request that can be read here. Its first line or a header is malformed, has characters "
    "that must be percent-encoded, or is far too long; or too many came before one was answered."
)


class _Flow(FlowControl):
    """Reads nothing more from a client while requests wait that it sent ahead."""

    def __init__(self, transport: asyncio.Transport, ahead: Sized) -> None:
        super().__init__(transport)
        self._ahead = ahead

    def resume_reading(self) -> None:
        if not self._ahead:
            super().resume_reading()


class _Whole:
    """The way of one answer to its client: the head waits for the first of the body, so that both leave in one piece.

    Where no body follows at once, or none at all as after HEAD, it leaves alone.
    """

    def __init__(self, transport: asyncio.Transport, cycle: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._cycle, self._loop = transport, cycle, loop
        self._waits, self._head = cycle.scope["method"] != "HEAD", b""
        self.is_closing = transport.is_closing

    def write(self, data: bytes) -> None:
        if self._waits and self._cycle.response_started:
            self._waits, self._head = False, data
            self._loop.call_soon(self._flush)
        else:
            head, self._head = self._head, b""
            self._transport.write(head + data)

    def _flush(self) -> None:
        if self._head and not self.is_closing():
            self.write(b"")

    def close(self) -> None:
        self._flush()
        self._transport.close()


class Connection(HttpToolsProtocol):
    """One client's connection.

    It is looked at now and then: where the same request is still not complete, or the same answer still not taken, the
    client is too slow or gone, and the connection is closed. One without any request is closed too.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._look: asyncio.TimerHandle | None = None
        self._running: Any = None
        """The cycle of the request that is being answered, or was last. Others wait in `pipeline`, the newest left."""
        self._between = 0
        self._head = 0
        self._in_head = False
        self._offered = False
        self._broken = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.flow = _Flow(transport, self.pipeline)
        self._look_later()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._look is not None:
            self._look.cancel()
        if self._running is not None and not self._running.response_complete:
            self._leave(self._running)
        self.pipeline.clear()
        super().connection_lost(exc)

    def _look_later(self) -> None:
        self._look = self.loop.call_later(PATIENCE, self._look_again, self._held_up_by())

    def _look_again(self, before: object) -> None:
        if before is not None and before is self._held_up_by():
            self.transport.abort()
        else:
            self._look_later()

    def _held_up_by(self) -> object:
        """What waits for the client, if anything: a request's cycle, or the connection before the first."""
        running = self._running
        if running is None:
            return self
        if running.response_complete:
            return running if self._between else None  # of a next request; without one the keep-alive timer runs
        return running if running.more_body or self.flow.write_paused else None

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        if self._broken:
            return
        self._between += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._read_on(data[upgrade.args[0] :])
        except httptools.HttpParserError:
            self.send_400_response("")
        else:
            if self._between > MOST_BETWEEN:
                self.send_400_response("")

    def _read_on(self, rest: bytes) -> None:
        """Read a request that offered another protocol as if it had not: its head once more, without the offer."""
        method = self.parser.get_method()
        if method == b"CONNECT":
            self.send_400_response("")
            return
        lines = [b"%s %s HTTP/%s" % (method, self.url, self.parser.get_http_version().encode())]
        lines += [b"%s: %s" % header for header in self.headers if header[0] != b"upgrade"]
        self.parser = httptools.HttpRequestParser(self)
        self.data_received(b"\r\n".join(lines) + b"\r\n\r\n" + rest)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head, self._in_head = 0, True

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(len(name) + len(value) + HEADER_COUNTS)
        if self._in_head:
            super().on_header(name, value)

    def _count(self, length: int) -> None:
        self._head += length
        if self._head > LARGEST_HEAD:
            raise ValueError("the parser makes a malformed request of this")

    def on_headers_complete(self) -> None:
        self._between, self._head, self._in_head = 0, 0, False
        if len(self.pipeline) >= MOST_AHEAD:
            raise ValueError("nothing behind it is read")
        self._offered = self.parser.should_upgrade()
        if not self._offered:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._between = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._between = 0
        if self._offered:
            return
        super().on_message_complete()
        if not self.parser.should_keep_alive():  # a trailer may have said so, and nothing more is read then
            self.cycle.keep_alive = False
            if self.cycle.response_complete:
                self.transport.close()

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._running = cycle
        cycle.transport = _Whole(self.transport, cycle, self.loop)
        super()._start_asgi_task(cycle, app)

    @staticmethod
    def _leave(cycle: Any) -> None:
        """Tell a request's endpoint that its client is gone."""
        cycle.disconnected = True
        cycle.message_event.set()

    def send_400_response(self, msg: str) -> None:
        """Answer a malformed request, or what follows a complete one; those before it are still answered."""
        del msg
        self._broken = True
        last: Any = self.cycle
        if self._running is not None and not self._running.response_complete:
            if self._running is not last and last.more_body:  # the malformed one waits
                self.pipeline.popleft()
                last = self.pipeline[0][0] if self.pipeline else self._running
            if not last.more_body:
                last.keep_alive = False
                return
            self._leave(last)
            if last.response_started:
                self.transport.close()
                return
        answer = failed("bad_http", _REASON, {"connection": "close"})
        headers = [*self.server_state.default_headers, *answer.raw_headers]
        lines = [b"HTTP/1.1 400 Bad Request", *(b"%s: %s" % header for header in headers)]
        self.transport.write(b"\r\n".join(lines) + b"\r\n\r\n" + bytes(answer.body))
        self.transport.close()
