"""CORS preflights, answered before routing: any page may ask for any method of any path.

(The answers themselves carry their CORS header as a constant; see `app.answers`.)
"""

from starlette.types import ASGIApp, Receive, Scope, Send

_HEADERS = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-allow-methods", b"*"),
    (b"access-control-allow-headers", b"*, Authorization, Content-Type"),
    (b"access-control-max-age", b"86400"),
]


class Preflight:
    """ASGI middleware: an OPTIONS request with an ``Origin`` is a preflight, any other goes on to its route."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") == "OPTIONS" and any(name == b"origin" for name, _ in scope["headers"]):
            await send({"type": "http.response.start", "status": 204, "headers": _HEADERS})
            await send({"type": "http.response.body", "body": b""})
        else:
            await self._app(scope, receive, send)
