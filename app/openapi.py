"""The OpenAPI 3.1 document: FastAPI's, from the declared routes, with the games' own schemas put where they belong."""

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from app import __version__
from app.batch import MOST as MOST_ITEMS
from app.seats import MOST_ACTIONS, Seat
from app.seeds import LARGEST

_SEED = {"type": "integer", "minimum": 0, "maximum": LARGEST}

SEED: Mapping[str, Any] = {
    "name": "seed",
    "in": "query",
    "description": "Which run. The server draws one where it is left out.",
    "schema": _SEED,
    "example": 7,
}
"""The query parameter of init."""


def slug(seats: Mapping[str, Seat]) -> dict[str, Any]:
    """The path parameter that names a game."""
    return {
        "name": "slug",
        "in": "path",
        "required": True,
        "description": "The game.",
        "schema": {"type": "string", "enum": list(seats)},
    }


def request_body(seats: Mapping[str, Seat]) -> dict[str, Any]:
    """The body of an action: the run as the game carries it, and one of the game's actions."""
    return _body(_any_of(seats, "Request"))


def verify_body(seats: Mapping[str, Seat]) -> dict[str, Any]:
    """The body of a run to be verified."""
    schema = {
        "type": "object",
        "properties": {
            "seed": _SEED,
            "actions": {"type": "array", "items": _any_of(seats, "Action"), "maxItems": MOST_ACTIONS},
        },
        "required": ["seed", "actions"],
    }
    return _body(schema)


def batch_body(seats: Mapping[str, Seat]) -> dict[str, Any]:
    """The body of a batch: new runs and actions, in any order."""
    game = {"game": {"type": "string", "enum": list(seats)}}
    start = {"type": "object", "properties": {**game, "seed": _SEED}, "required": ["game"]}
    action = {"allOf": [{"type": "object", "properties": game, "required": ["game"]}, _any_of(seats, "Request")]}
    items = {"type": "array", "items": {"anyOf": [start, action]}, "minItems": 1, "maxItems": MOST_ITEMS}
    return _body({"type": "object", "properties": {"items": items}, "required": ["items"]})


def document(app: FastAPI, seats: Mapping[str, Seat], title: str, description: str) -> dict[str, Any]:
    """The document of an app whose routes are all declared."""
    found = get_openapi(title=title, version=__version__, description=description, routes=app.routes)
    found["paths"] = dict(sorted(found["paths"].items()))
    schemas = found["components"]["schemas"]
    for model in ("Started", "Accepted"):
        properties = schemas[model]["properties"]
        properties["state"] = _any_of(seats, "State")
        properties["legalActions"]["items"] = _any_of(seats, "Action")
    schemas["Accepted"]["properties"]["report"] = _any_of(seats, "Report")
    for model in ("Refused", "Disproved"):
        schemas[model]["properties"]["legalActions"]["items"] = _any_of(seats, "Action")
    schemas["Verified"]["properties"]["state"] = _any_of(seats, "State")
    for seat in seats.values():
        name, game = _name(seat), seat.game
        schemas[f"{name}Action"] = game.grammar.schema()
        schemas[f"{name}State"] = game.state_schema
        schemas[f"{name}Report"] = game.report_schema
        carried = {"type": "string"} if game.carried_as == "stateToken" else {"$ref": _ref(f"{name}State")}
        schemas[f"{name}Request"] = {
            "type": "object",
            "properties": {game.carried_as: carried, "action": {"$ref": _ref(f"{name}Action")}},
            "required": [game.carried_as, "action"],
        }
    _link(found["paths"], seats)
    return found


def _link(paths: dict[str, Any], seats: Mapping[str, Seat]) -> None:
    """Say where an answer leads: a run is played on with what it is carried by, and verified from its seed."""
    action, verify = (paths[f"/api/games/{{slug}}/{verb}"]["post"] for verb in ("action", "verify"))
    first = "$response.body#/legalActions/0"

    def link(operation: dict[str, Any], body: dict[str, Any], about: str) -> dict[str, Any]:
        leads = {"operationId": operation["operationId"], "parameters": {"slug": "$request.path.slug"}}
        return {**leads, "requestBody": body, "description": about}

    play = {
        f"playBy{carried[0].upper()}{carried[1:]}": link(
            action,
            {carried: f"$response.body#/{carried}", "action": first},
            f"The next action, of a game that is carried as `{carried}`: the first that is legal, for instance.",
        )
        for carried in dict.fromkeys(seat.game.carried_as for seat in seats.values())
    }
    proof = link(
        verify,
        {"seed": "$response.body#/seed", "actions": [first]},
        "The run's actions so far, from its seed: here the first that is legal.",
    )
    for operation, links in ((paths["/api/games/{slug}/init"]["get"], {**play, "verify": proof}), (action, play)):
        operation["responses"]["200"]["links"] = links


def _body(schema: dict[str, Any]) -> dict[str, Any]:
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def _any_of(seats: Mapping[str, Seat], part: str) -> dict[str, Any]:
    return {"anyOf": [{"$ref": _ref(_name(seat) + part)} for seat in seats.values()]}


def _name(seat: Seat) -> str:
    return seat.game.info.name.replace(" ", "")


def _ref(name: str) -> str:
    return f"#/components/schemas/{name}"
