"""The routes of the pages."""

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles

from app.answers import OPEN_TO_ALL, Answer
from app.links import Links
from app.pages.docs import Docs
from app.pages.source import zipped
from app.seats import Seat, find

_HEADERS = {
    **OPEN_TO_ALL,
    "cache-control": "no-cache",
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}

_SWAGGER_HEADERS = {
    **_HEADERS,
    "content-security-policy": "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}


class _Assets(StaticFiles):
    """Files that a browser asks after each time, so that those of one release are never mixed with another's."""

    def file_response(self, *args: Any, **options: Any) -> Response:
        response = super().file_response(*args, **options)
        response.headers.update({"cache-control": "no-cache", "x-content-type-options": "nosniff"})
        return response


def install(app: FastAPI, seats: Mapping[str, Seat], links: Links, openapi: Mapping[str, Any]) -> None:
    """Add the routes. `openapi` is the document that they publish."""
    docs = Docs(seats)

    @app.get("/", include_in_schema=False)
    async def home(request: Request) -> Response:
        return HTMLResponse(docs.home(links.base(request)), headers=_HEADERS)

    @app.get("/play/{slug}", include_in_schema=False)
    async def play(request: Request) -> Response:
        return HTMLResponse(docs.play(find(seats, request.path_params["slug"])), headers=_HEADERS)

    @app.get("/docs", include_in_schema=False)
    async def to_the_overview(request: Request) -> Response:
        return RedirectResponse(f"{links.base(request)}/docs/api", 307, headers=OPEN_TO_ALL)

    @app.get("/docs/api", include_in_schema=False)
    async def overview(request: Request) -> Response:
        return HTMLResponse(docs.overview(links.base(request)), headers=_HEADERS)

    @app.get("/docs/harness", include_in_schema=False)
    async def harness(request: Request) -> Response:
        return HTMLResponse(docs.harness(links.base(request)), headers=_HEADERS)

    @app.get("/docs/api/{slug}", include_in_schema=False)
    async def game(request: Request) -> Response:
        seat = find(seats, request.path_params["slug"])
        return HTMLResponse(docs.game(links.base(request), seat), headers=_HEADERS)

    @app.get("/llms.txt", include_in_schema=False)
    async def llms(request: Request) -> Response:
        return PlainTextResponse(docs.llms(links.base(request)), headers=_HEADERS)

    @app.get("/openapi.json", include_in_schema=False)
    async def openapi_document(request: Request) -> Response:
        return Answer({**openapi, "servers": [{"url": links.base(request)}]})

    @app.get("/swagger", include_in_schema=False)
    async def swagger(_: Request) -> Response:
        return HTMLResponse(docs.swagger(), headers=_SWAGGER_HEADERS)

    @app.get("/source.zip", include_in_schema=False)
    async def source(_: Request) -> Response:
        return Response(await run_in_threadpool(zipped), headers=_HEADERS, media_type="application/zip")

    app.mount("/assets/swagger", _Assets(packages=[("fastapi_offline", "static")]))
    app.mount("/assets", _Assets(packages=[("app.pages", "assets")]))
