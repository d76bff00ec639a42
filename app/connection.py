"""The HTTP connection: uvicorn's on h11, with failures of HTTP itself answered in the JSON envelope.

h11 is chosen over uvicorn's faster parser because it bounds the head of a request and the trailers of a body, keeps
trailers apart from headers, and reads on where a client offers an upgrade to HTTP/2, as Java's own client does.
"""

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from app.errors import failed

_REASON = (
    "This is not an HTTP/1.1 request that can be read here. Its first line or a header is malformed, has characters "
    "that must be percent-encoded, or is far too long."
)


class Connection(H11Protocol):
    """One client's connection."""

    def send_400_response(self, msg: str) -> None:
        del msg
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            answer = failed("bad_http", _REASON, {"connection": "close"})
            head = h11.Response(status_code=answer.status_code, headers=answer.raw_headers, reason=b"Bad Request")
            for event in (head, h11.Data(data=bytes(answer.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
