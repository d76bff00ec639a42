"""What there is to know of a request once it was answered, told to whoever watches: metrics, the log.

Nothing in it comes from the outside as it came: a route is told by its template, a game by its slug if there is such
a game, a method if it is a usual one.
"""

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TypeAlias

from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import CODE

OTHER = "other"
"""The route of a path where nothing is, and the method that is none of the usual ones."""

_METHODS = {name: name for name in ("GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE")}


@dataclass(slots=True)
class Seen:
    """A request and its answer."""

    method: str
    route: str
    game: str | None
    status: int
    code: str | None
    """Why it failed, where it did."""
    seconds: float
    """Until the last byte was handed over."""
    size: int
    """Bytes of the answer's body."""


Watcher: TypeAlias = Callable[[Seen], None]


class Watch:
    """ASGI middleware around the whole app: measures each request, and tells the watchers when it is over."""

    def __init__(
        self, app: ASGIApp, routes: Iterable[BaseRoute], slugs: Container[str], watchers: Sequence[Watcher]
    ) -> None:
        self._app = app
        self._slugs = slugs
        self._watchers = watchers
        # Routing leaves the endpoint in the scope, of mounted apps and of refused methods too.
        self._templates: dict[object, str] = {}
        for route in routes:
            if isinstance(route, Route):
                self._templates[route.endpoint] = route.path
            elif isinstance(route, Mount):
                self._templates[route.app] = route.path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, size, began = 500, 0, perf_counter()

        async def measured(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message["type"] == "http.response.body":
                size += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, measured)
        finally:
            slug = scope.get("path_params", {}).get("slug")
            seen = Seen(
                method=_METHODS.get(scope["method"], OTHER),
                route=self._templates.get(scope.get("endpoint"), OTHER),
                game=slug if slug in self._slugs else None,
                status=status,
                code=scope.get(CODE),
                seconds=perf_counter() - began,
                size=0 if scope["method"] == "HEAD" else size,
            )
            for watcher in self._watchers:
                watcher(seen)
