"""The floors of `benchmarks.http`: apps that read the same body and answer the same bytes, and do nothing else.

``python -m benchmarks.floors KIND ANSWERS --port P``: KIND is one of `FLOORS`, ANSWERS a JSON file with a list of
answers; the path of a request is the number of its answer. They run on the server and the connection of
``python -m app``.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import uvicorn
from fastapi import FastAPI
from fastapi.responses import JSONResponse
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse as PlainJSON
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from app.__main__ import SERVED_BY

Answers: TypeAlias = Sequence[Any]


def bare(answers: Answers) -> ASGIApp:
    """Reads the body to its end and sends bytes that are ready: what the server and the connection cost."""
    ready = [bytes(PlainJSON(answer).body) for answer in answers]

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive()).get("more_body"):
            pass
        body = ready[int(scope["path"][1:])]
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return app


def starlette(answers: Answers) -> ASGIApp:
    """A Starlette route, with the JSON of the standard library."""

    async def endpoint(request: Request) -> Response:
        if body := await request.body():
            json.loads(body)
        return PlainJSON(answers[int(request.path_params["place"])])

    return Starlette(routes=[Route("/{place}", endpoint, methods=["GET", "POST"])])


def fastapi(answers: Answers) -> ASGIApp:
    """A FastAPI route, with the JSON of the standard library."""
    app = FastAPI()

    @app.api_route("/{place}", methods=["GET", "POST"])
    async def endpoint(request: Request) -> Response:
        if body := await request.body():
            json.loads(body)
        return JSONResponse(answers[int(request.path_params["place"])])

    return app


FLOORS = {"bare": bare, "starlette": starlette, "fastapi": fastapi}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=FLOORS)
    parser.add_argument("answers", type=Path)
    parser.add_argument("--port", type=int, required=True)
    arguments = parser.parse_args()
    app = FLOORS[arguments.kind](json.loads(arguments.answers.read_text(encoding="utf-8")))
    uvicorn.run(app, port=arguments.port, log_level="warning", **SERVED_BY)


if __name__ == "__main__":
    main()
