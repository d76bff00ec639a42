"""The OpenAPI document: valid, complete, and without a word of the framework's own."""

import json
from typing import Any

from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from tests.client import Client
from tests.conformance.plays import ALL_GAMES


def test_it_is_valid_openapi_3_1(toys: Client) -> None:
    document = toys.get("/openapi.json").json()
    assert document["openapi"].startswith("3.1.")
    validate(document)


def test_every_route_of_the_contract_is_in_it(toys: Client) -> None:
    paths = toys.get("/openapi.json").json()["paths"]
    assert {path: sorted(methods) for path, methods in paths.items()} == {
        "/api/games": ["get"],
        "/api/games/{slug}": ["get"],
        "/api/games/{slug}/init": ["get"],
        "/api/games/{slug}/action": ["post"],
        "/api/games/{slug}/verify": ["post"],
        "/api/batch": ["post"],
        "/healthz": ["get"],
    }
    assert sorted(paths["/api/games/{slug}/action"]["post"]["responses"]) == ["200", "400", "404", "413", "429", "503"]
    assert sorted(paths["/api/games/{slug}/init"]["get"]["responses"]) == ["200", "400", "404", "429", "503"]


def test_no_framework_answer_is_in_it(toys: Client) -> None:
    text = toys.get("/openapi.json").text
    for word in ("422", "HTTPValidationError", "ValidationError", '"detail"'):
        assert word not in text


def test_a_request_is_the_run_and_an_action_of_the_game(toys: Client) -> None:
    document = toys.get("/openapi.json").json()
    body = document["paths"]["/api/games/{slug}/action"]["post"]["requestBody"]
    schema = body["content"]["application/json"]["schema"]
    validator = Draft202012Validator({**schema, "components": document["components"]})
    for game in ALL_GAMES:
        started = toys.init(game.info.slug)
        for action in started["legalActions"]:
            validator.validate({**started, "action": action})
        assert not validator.is_valid({game.carried_as: started[game.carried_as], "action": {"type": "?"}})
        assert not validator.is_valid({"action": started["legalActions"][0]})


def test_the_games_and_seeds_are_in_it(toys: Client) -> None:
    parameters = toys.get("/openapi.json").json()["paths"]["/api/games/{slug}/init"]["get"]["parameters"]
    slug, seed = parameters
    assert slug["schema"]["enum"] == [game.info.slug for game in ALL_GAMES]
    assert (seed["name"], seed["schema"]["minimum"], seed["schema"]["maximum"]) == ("seed", 0, 2**32 - 1)


def test_every_reference_leads_somewhere(toys: Client) -> None:
    document = toys.get("/openapi.json").json()
    text = json.dumps(document)
    for name in document["components"]["schemas"]:
        assert f"#/components/schemas/{name}" in text, f"nothing uses {name}"


def filled(part: Any, slug: str, answer: dict[str, Any]) -> Any:
    """A part of a link with its runtime expressions worked out; KeyError where the answer has no such key."""
    if isinstance(part, dict):
        return {key: filled(value, slug, answer) for key, value in part.items()}
    if isinstance(part, list):
        return [filled(value, slug, answer) for value in part]
    if part == "$request.path.slug":
        return slug
    found: Any = answer
    for step in part.removeprefix("$response.body#/").split("/"):
        found = found[int(step)] if isinstance(found, list) else found[step]
    return found


def test_its_links_lead_on(toys: Client) -> None:
    """Every link of an answer is followed: a run is played on, and verified."""
    paths = toys.get("/openapi.json").json()["paths"]
    targets = {it["operationId"]: path for path, methods in paths.items() for it in methods.values()}
    init, action = paths["/api/games/{slug}/init"]["get"], paths["/api/games/{slug}/action"]["post"]
    for game in ALL_GAMES:
        slug, answer = game.info.slug, toys.init(game.info.slug)
        for operation in (init, action):
            followed = {}
            for name, link in operation["responses"]["200"]["links"].items():
                if name.startswith("playBy") and link["requestBody"].keys() <= {game.carried_as, "action"}:
                    followed["play"] = link
                elif name == "verify":
                    followed["verify"] = link
            assert ("verify" in followed) == (operation is init)
            for link in followed.values():
                path = targets[link["operationId"]].format(**filled(link["parameters"], slug, answer))
                told = toys.post(path, json=filled(link["requestBody"], slug, answer)).json()
                assert told["ok"] is True, (link, told)
            played = filled(followed["play"]["requestBody"], slug, answer)
            answer = toys.post(f"/api/games/{slug}/action", json=played).json()
