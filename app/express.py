"""The short way to the routes that play.

Their addresses are known word for word, so they need no search among patterns, and their failures are answered here,
so they need none of the layers that a framework puts around an endpoint. What such a request costs is a look-up.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from app.errors import EXPECTED, answered, mistaken


@dataclass(frozen=True, slots=True)
class Stop:
    """An endpoint, and what its route's pattern would find in the path."""

    endpoint: Callable[[Request], Awaitable[Response]]
    path_params: Mapping[str, str]


class Express:
    """ASGI middleware around the app: a POST to one of these paths goes to its endpoint, all else into the app.

    A mistake of the server is answered as such and then raised, so that whoever serves this logs it.
    """

    def __init__(self, app: ASGIApp, stops: Mapping[str, Stop]) -> None:
        self._app = app
        self._stops = stops

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        stop = self._stops.get(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        if stop is None:
            await self._app(scope, receive, send)
            return
        scope["endpoint"], scope["path_params"] = stop.endpoint, stop.path_params
        try:
            answer = await stop.endpoint(Request(scope, receive, send))
        except EXPECTED as error:
            answer = answered(scope, error)
        except Exception:
            await mistaken(scope)(scope, receive, send)
            raise
        await answer(scope, receive, send)
