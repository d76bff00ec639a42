"""Requests that fail before a game can judge them, and what they are answered.

ApiError                what our own code raises: a code for machines and a reason for people
starlette HTTPException what routing raises: unknown paths and wrong methods
Exception               a bug; logged by the server, told to the client without any detail
"""

from collections.abc import Callable, Mapping
from typing import Literal

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Scope

from app.answers import Answer
from engines.kit.json import quoted

Code = Literal[
    "bad_http",
    "bad_json",
    "bad_request",
    "bad_token",
    "bad_state",
    "bad_seed",
    "unknown_game",
    "not_found",
    "method_not_allowed",
    "too_large",
    "too_many",
    "busy",
    "internal",
]

CODES: Mapping[Code, tuple[int, str]] = {
    "bad_http": (400, "The request is not valid HTTP/1.1, or its head is far too long."),
    "bad_json": (
        400,
        "The body is empty, not an object, or not strict JSON in UTF-8 (duplicate keys, NaN, overflow …).",
    ),
    "bad_request": (400, "A key that the route wants is missing or of the wrong kind."),
    "bad_token": (400, "The token was altered, belongs to another game, or was made with another secret or version."),
    "bad_state": (400, "No play can have produced this state; the reason names the first wrong field."),
    "bad_seed": (400, "The seed is not a whole number from 0 to 4294967295, or there is another query key."),
    "unknown_game": (404, "There is no such game; the reason lists those there are."),
    "not_found": (404, "There is nothing at this path."),
    "method_not_allowed": (405, "The path takes other methods; `Allow` lists them."),
    "too_large": (413, "The body has more bytes than the route reads."),
    "too_many": (429, "So many requests come from this address that a proxy in front puts them off (`Retry-After`)."),
    "busy": (503, "So much slow work is waiting that more of it is put off (`Retry-After`); all else is answered."),
    "internal": (500, "A mistake of the server. The token or state that was sent stays good."),
}
"""Every code with its status and meaning: the one list, for answers and documents alike."""

_HEADERS: Mapping[Code, Mapping[str, str]] = {"busy": {"retry-after": "1"}}


CODE = "gameboard.code"
"""The key of a request's scope under which it is left why it failed, for whoever watches."""


class ApiError(Exception):
    """A request that cannot be served. The reason names what was wrong and what is wanted."""

    def __init__(self, code: Code, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


INTERNAL = "The server made a mistake. What you sent stays good: try again."


def envelope(code: Code, reason: str) -> dict[str, object]:
    """What a request is told that no game judged."""
    return {"ok": False, "reason": reason, "legalActions": [], "code": code}


def failed(code: Code, reason: str, headers: Mapping[str, str] | None = None) -> Answer:
    """The answer to a request that no game judged."""
    return Answer(envelope(code, reason), CODES[code][0], headers)


EXPECTED = (ApiError, ClientDisconnect)
"""What an endpoint may raise."""


def answered(scope: Scope, error: Exception) -> Response:
    """The answer to what an endpoint raised."""
    if isinstance(error, ApiError):
        return _told(scope, error.code, error.reason, _HEADERS.get(error.code))
    return Response(status_code=499)  # the client left, as proxies log it


def mistaken(scope: Scope) -> Answer:
    """The answer where the server made a mistake."""
    return _told(scope, "internal", INTERNAL)


def install(app: FastAPI, base: Callable[[Request], str]) -> None:
    """Let every failure of the app be answered in the JSON envelope. `base` is what its addresses begin with."""

    async def http_exception(request: Request, error: Exception) -> Answer:
        assert isinstance(error, HTTPException)
        path = quoted(request.scope["path"])
        if error.status_code == 405:
            allow = (error.headers or {}).get("Allow", "GET, HEAD")
            reason = f"{path} takes {allow}; this was {quoted(request.method)}."
            return _told(request.scope, "method_not_allowed", reason, {"allow": allow})
        slash = " Addresses here have no slash at the end." if request.scope["path"].endswith("/") else ""
        here = base(request)
        return _told(
            request.scope,
            "not_found",
            f"There is nothing at {path}.{slash} GET {here}/api/games lists the games, GET {here}/llms.txt tells how "
            "to play.",
        )

    for kind in EXPECTED:
        app.add_exception_handler(kind, _answered)
    app.add_exception_handler(HTTPException, http_exception)
    app.add_exception_handler(Exception, _internal)


async def _answered(request: Request, error: Exception) -> Response:
    return answered(request.scope, error)


async def _internal(request: Request, _: Exception) -> Answer:
    return mistaken(request.scope)


def _told(scope: Scope, code: Code, reason: str, headers: Mapping[str, str] | None = None) -> Answer:
    scope[CODE] = code
    return failed(code, reason, headers)
