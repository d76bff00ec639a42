"""Many requests in one: each item is answered as its single route would have answered it."""

import logging
from collections.abc import Mapping
from typing import Any

from app.errors import CODES, INTERNAL, ApiError, envelope
from app.line import Work
from app.seats import Seat, find
from app.seeds import from_item
from engines.kit.json import Json, JsonObject, described

MOST = 256
"""Items in a batch."""

_WANTED = f'Send {{"items": [{{"game": "…", "seed": 7}}, …]}} with 1 to {MOST} items.'
_ITEM = 'An item is {"game": "…", "seed": 7}, or a game with a run and an action.'

_log = logging.getLogger("uvicorn.error")


def play(seats: Mapping[str, Seat], request: JsonObject) -> Work[dict[str, object]]:
    """The answer to a batch, to be put aside after any item. Raises `ApiError` where it is none; a bad item is told in
    its own place.
    """
    items = request.get("items")
    if not isinstance(items, list):
        raise ApiError("bad_request", f'"items" is missing or no list. {_WANTED}')
    if not 1 <= len(items) <= MOST:
        raise ApiError("bad_request", f'"items" has {len(items):,}. {_WANTED}')
    results = []
    for item in items:
        results.append(_result(seats, item))
        yield
    return {"ok": True, "results": results}


def _result(seats: Mapping[str, Seat], item: Json) -> dict[str, Any]:
    try:
        return {**_answer(seats, item), "status": 200}
    except ApiError as error:
        return {**envelope(error.code, error.reason), "status": CODES[error.code][0]}
    except Exception:
        _log.exception("An item of a batch failed")
        return {**envelope("internal", INTERNAL), "status": CODES["internal"][0]}


def _answer(seats: Mapping[str, Seat], item: Json) -> dict[str, object]:
    if not isinstance(item, dict):
        raise ApiError("bad_request", f"This item is {described(item)}. {_ITEM}")
    game = item.get("game")
    if not isinstance(game, str):
        raise ApiError("bad_request", f'This item names no "game". {_ITEM}')
    seat = find(seats, game)
    if item.keys() & {"action", "stateToken", "state"}:
        return seat.play(item)
    return seat.start(from_item(item))
