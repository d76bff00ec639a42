"""The routes under ``/api``, and the health check."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from fastapi import FastAPI, Request

from app import __version__, about, batch, body, models, openapi, seeds
from app.answers import Answer
from app.errors import CODES, Code
from app.express import Stop
from app.line import Line, Work
from app.links import Links
from app.seats import Seat, find
from engines.kit.json import JsonObject


def _failures(*codes: Code) -> dict[int | str, dict[str, Any]]:
    """The failed answers of a route, for its documentation."""
    by_status: dict[int | str, list[str]] = {}
    for code in codes:
        status, meaning = CODES[code]
        by_status.setdefault(status, []).append(f"`{code}`: {meaning}")
    return {
        status: {"model": models.Failed, "description": " ".join(meanings)} for status, meanings in by_status.items()
    }


def _read(sent: bytes, work: Callable[[JsonObject], Work[dict[str, object]]]) -> Work[dict[str, object]]:
    """Work on a large body. It waits as bytes: read, it takes many times as much memory."""
    return (yield from work(body.parse(sent)))


def install(app: FastAPI, seats: Mapping[str, Seat], line: Line, links: Links) -> dict[str, Stop]:
    """Add the routes. Returns those that play, by their addresses."""
    slug_key = openapi.slug(seats)

    def listed(seat: Seat, base: str) -> dict[str, object]:
        slug = seat.game.info.slug
        return {
            **seat.listing(),
            "initUrl": f"{base}/api/games/{slug}/init",
            "actionUrl": f"{base}/api/games/{slug}/action",
            "docsUrl": f"{base}/docs/api/{slug}",
        }

    @app.post(
        "/api/games/{slug}/action",
        summary="Play one action",
        response_model=models.Accepted | models.Refused,
        response_description="The action was played, or refused with a reason.",
        responses=_failures(
            "bad_json", "bad_request", "bad_token", "bad_state", "unknown_game", "too_large", "too_many", "busy"
        ),
        openapi_extra={"parameters": [slug_key], "requestBody": openapi.request_body(seats)},
    )
    async def action(request: Request) -> Answer:
        """Send the run back with one action. The body is read as JSON whatever its Content-Type says."""
        seat = find(seats, request.path_params["slug"])
        return Answer(await seat.play_aside(body.parse(await body.read(request)), partial(body.left, request)))

    @app.post(
        "/api/games/{slug}/verify",
        summary="Verify a run",
        response_model=models.Verified | models.Disproved,
        response_description="The run was played again: all of its actions, or those before the first that is refused.",
        responses=_failures("bad_json", "bad_request", "bad_seed", "unknown_game", "too_large", "too_many", "busy"),
        openapi_extra={"parameters": [slug_key], "requestBody": openapi.verify_body(seats)},
    )
    async def verify(request: Request) -> Answer:
        """Play a run again from its seed: a score that somebody claims is so proved, from seed and actions alone."""
        seat = find(seats, request.path_params["slug"])
        sent = await body.read(request, body.LARGE)
        return Answer(await line.by_turns(_read(sent, seat.verify), partial(body.left, request)))

    @app.post(
        "/api/batch",
        summary="Many at once",
        response_model=models.Batch,
        response_description="What each item is answered, in their order.",
        responses=_failures("bad_json", "bad_request", "too_large", "too_many", "busy"),
        openapi_extra={"requestBody": openapi.batch_body(seats)},
    )
    async def many(request: Request) -> Answer:
        """Start runs and play actions, each answered as by its own route. One bad item spoils no other."""
        sent = await body.read(request, body.LARGE)
        return Answer(await line.by_turns(_read(sent, partial(batch.play, seats)), partial(body.left, request)))

    @app.get(
        "/api/games/{slug}/init",
        summary="Start a run",
        response_model=models.Started,
        response_description="A new run, with the rules.",
        responses=_failures("bad_seed", "unknown_game", "too_many", "busy"),
        openapi_extra={"parameters": [slug_key, openapi.SEED]},
    )
    async def init(request: Request) -> Answer:
        """The same seed always starts the same run; without one the server draws it."""
        seat = find(seats, request.path_params["slug"])
        seed = seeds.from_query(request.scope["query_string"])
        return Answer(await seat.start_aside(seed, partial(body.left, request)))

    @app.get(
        "/api/games/{slug}",
        summary="One game's rules",
        response_model=models.Entry,
        response_description="The game's entry in the index, with its rules as data.",
        responses=_failures("unknown_game"),
        openapi_extra={"parameters": [slug_key]},
    )
    async def entry(request: Request) -> Answer:
        """The rules without starting a run."""
        seat = find(seats, request.path_params["slug"])
        return Answer({**listed(seat, links.base(request)), "spec": seat.spec})

    @app.get("/api/games", summary="The games", response_model=models.Index, response_description="The index.")
    async def index(request: Request) -> Answer:
        """What can be played here, and how."""
        base = links.base(request)
        return Answer(
            {
                "service": about.SERVICE,
                "description": about.DESCRIPTION,
                "howToPlay": {
                    "step1": about.STEP_1,
                    "step2": about.STEP_2,
                    "choosingActions": about.CHOOSING_ACTIONS,
                },
                "docs": f"{base}/docs/api",
                "count": len(seats),
                "games": [listed(seat, base) for seat in seats.values()],
            }
        )

    @app.get("/healthz", summary="Health", response_model=models.Health, response_description="The server answers.")
    async def healthz(_: Request) -> Answer:
        """Cheap; for container health checks and load balancers."""
        return Answer({"ok": True, "version": __version__, "games": len(seats)})

    return {
        "/api/batch": Stop(many, {}),
        **{f"/api/games/{slug}/action": Stop(action, {"slug": slug}) for slug in seats},
        **{f"/api/games/{slug}/verify": Stop(verify, {"slug": slug}) for slug in seats},
    }
