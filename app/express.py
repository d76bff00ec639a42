"""The short way to the routes that are asked most.

An action's address is known word for word, so it needs no search among patterns, and an endpoint that answers its own
failures needs none of the layers that a framework puts around one. What such a request costs here is a look-up.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from app.errors import EXPECTED, answered


@dataclass(frozen=True, slots=True)
class Stop:
    """A route, and what its pattern would find in the path."""

    route: APIRoute
    path_params: Mapping[str, str]


class Express:
    """ASGI middleware: a POST to one of these paths goes straight to its endpoint, all else the usual way."""

    def __init__(self, app: ASGIApp, stops: Mapping[str, Stop]) -> None:
        self._app = app
        self._stops = stops

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        stop = self._stops.get(scope["path"]) if scope.get("method") == "POST" else None
        if stop is None:
            await self._app(scope, receive, send)
            return
        scope["endpoint"], scope["path_params"] = stop.route.endpoint, stop.path_params
        request = Request(scope, receive, send)
        try:
            answer = await stop.route.endpoint(request)
        except EXPECTED as error:
            answer = answered(scope, error)
        await answer(scope, receive, send)
