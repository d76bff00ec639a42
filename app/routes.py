"""How a route is declared: documented like every FastAPI route, served like a plain Starlette one.

The endpoints read their requests and write their answers themselves, byte for byte, so FastAPI's reading of parameters
and its serialization would only cost time (and answer in its own shape). What remains of it is the OpenAPI document.
"""

import re
from collections.abc import Callable
from typing import Any

from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.routing import Match, request_response
from starlette.types import Receive, Scope, Send


class DirectRoute(APIRoute):
    """A route whose endpoint takes the request and returns the response. Where GET works, HEAD works too."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, endpoint, **options)
        self.app = request_response(endpoint)
        # Starlette's pattern ends in $, which would also match before a line break at the end of the path.
        self.path_regex = re.compile(self.path_regex.pattern.removesuffix("$") + r"\Z")
        # HEAD stays out of `methods`, which FastAPI documents one by one.
        methods = self.methods or set()
        self._answered = methods | {"HEAD"} if "GET" in methods else methods

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, child = super().matches(scope)
        if match is Match.PARTIAL and scope["method"] in self._answered:
            match = Match.FULL
        return match, child

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in self._answered:
            raise HTTPException(405, headers={"Allow": ", ".join(sorted(self._answered))})
        await self.app(scope, receive, send)
