"""Many actions in one request: whole runs that are verified, and batches."""

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engines.dewspout import GAME
from engines.kit.game import AnyGame
from tests.client import Client, client_of
from tests.conformance.plays import ALL_GAMES

GAMES = pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.info.slug)
FILL, POUR, NEXT = {"type": "fill", "vessel": 1}, {"type": "pour", "from": 1, "to": 2}, {"type": "next"}
VERIFY = "/api/games/dewspout/verify"


def verify(client: Client, body: Any, slug: str = "dewspout") -> dict[str, Any]:
    response = client.post(f"/api/games/{slug}/verify", json=body)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def batch(client: Client, *items: Any) -> list[dict[str, Any]]:
    response = client.post("/api/batch", json={"items": items})
    assert response.status_code == 200, response.text
    answer = response.json()
    assert list(answer) == ["ok", "results"]
    assert answer["ok"] is True
    results: list[dict[str, Any]] = answer["results"]
    return results


def random_run(client: Client, slug: str, seed: int, steps: int = 12) -> tuple[list[Any], dict[str, Any]]:
    """Legal actions, and the answer at their end."""
    choose, answer = Random(seed), client.init(slug, seed)
    actions: list[Any] = []
    while len(actions) < steps and answer["legalActions"]:
        actions.append(choose.choice(answer["legalActions"][:-1] or answer["legalActions"]))
        answer = client.act(slug, answer, actions[-1])
    return actions, answer


@GAMES
def test_a_run_that_was_played_is_verified(toys: Client, game: AnyGame) -> None:
    slug = game.info.slug
    for seed in (0, 7, 4294967295):
        actions, end = random_run(toys, slug, seed)
        answer = verify(toys, {"seed": seed, "actions": actions, "claimed": 10**9}, slug)
        keys = ["ok", "seed", "actionCount", "score", "gameOver", "state"]
        assert list(answer) == keys + ["stateToken"] * (game.carried_as == "stateToken")
        assert (answer["ok"], answer["seed"], answer["actionCount"]) == (True, seed, len(actions))
        for key in ("score", "gameOver", "state", game.carried_as):
            assert answer[key] == end[key]


@GAMES
def test_a_changed_action_is_refused_at_its_index_as_by_the_single_route(toys: Client, game: AnyGame) -> None:
    slug = game.info.slug
    actions, _ = random_run(toys, slug, 7)
    for index in {0, len(actions) // 2, len(actions) - 1}:
        before = toys.init(slug)
        for action in actions[:index]:
            before = toys.act(slug, before, action)
        refused = toys.act(slug, before, {"type": "?"})
        answer = verify(toys, {"seed": 7, "actions": [*actions[:index], {"type": "?"}, *actions[index + 1 :]]}, slug)
        assert list(answer) == ["ok", "index", "reason", "legalActions", "score"]
        assert answer == {**refused, "index": index, "score": before["score"]}


def test_an_action_after_the_end_is_refused_at_its_index(client: Client) -> None:
    answer = verify(client, {"seed": 7, "actions": [FILL, POUR, {"type": "bank"}, NEXT]})
    assert (answer["ok"], answer["index"], answer["legalActions"], answer["score"]) == (False, 3, [], 270)


def test_no_action_is_a_run_too(client: Client) -> None:
    answer = verify(client, {"seed": 7.0, "actions": []})
    assert (answer["seed"], answer["actionCount"], answer["score"]) == (7, 0, 0)
    assert answer["stateToken"] == client.init("dewspout")["stateToken"]


def test_ten_thousand_actions_are_the_most(client: Client) -> None:
    run = [{"type": "fill", "vessel": 0}, {"type": "empty", "vessel": 0}] * 5_000
    assert verify(client, {"seed": 7, "actions": run})["actionCount"] == 10_000
    response = client.post(VERIFY, json={"seed": 7, "actions": [*run, FILL]})
    assert (response.status_code, response.json()["code"]) == (400, "bad_request")
    assert "10,001" in response.json()["reason"]


@pytest.mark.parametrize(
    ("body", "code", "word"),
    [
        ({"actions": []}, "bad_request", '"seed" is missing'),
        ({"seed": 7}, "bad_request", '"actions" is missing'),
        ({"seed": 7, "actions": {"0": FILL}}, "bad_request", "no list"),
        ({"seed": 7, "actions": None}, "bad_request", "no list"),
        *(({"seed": seed, "actions": []}, "bad_seed", "4294967295") for seed in ("7", True, None, -1, 2**32, 7.5, [7])),
    ],
)
def test_what_is_no_run_is_told(client: Client, body: Any, code: str, word: str) -> None:
    response = client.post(VERIFY, json=body)
    answer = response.json()
    assert (response.status_code, answer["ok"], answer["code"], answer["legalActions"]) == (400, False, code, [])
    assert word in answer["reason"]


@pytest.mark.parametrize("path", [VERIFY, "/api/batch"])
def test_a_mebibyte_is_the_most(client: Client, path: str) -> None:
    bodies = {size: b'{"pad": "' + b"x" * (size - 11) + b'"}' for size in (1 << 20, (1 << 20) + 1)}
    assert {size: len(body) for size, body in bodies.items()} == {size: size for size in bodies}
    assert [client.post(path, content=body).json()["code"] for body in bodies.values()] == ["bad_request", "too_large"]
    assert client.post(path, content=bodies[(1 << 20) + 1]).status_code == 413


@pytest.mark.parametrize("path", [VERIFY, "/api/batch"])
@pytest.mark.parametrize("body", [b"", b"[]", b'{"seed": 1, "seed": 2}', b'{"x": NaN}', b'{"x": 1e400}', b"\xff"])
def test_their_bodies_are_read_as_strictly(client: Client, path: str, body: bytes) -> None:
    response = client.post(path, content=body)
    assert (response.status_code, response.json()["code"]) == (400, "bad_json")


@pytest.mark.parametrize("path", ["/api/games/chess/verify", VERIFY, "/api/batch"])
def test_they_are_posted_to(client: Client, path: str) -> None:
    assert client.get(path).status_code == 405
    assert client.get(path).headers["allow"] == "POST"
    if "chess" in path:
        assert client.post(path, content=b"{").json()["code"] == "unknown_game"


@GAMES
def test_a_batch_answers_each_item_as_its_single_route(toys: Client, game: AnyGame) -> None:
    slug, carried = game.info.slug, game.carried_as
    start = toys.init(slug)
    action = start["legalActions"][0]
    wrong: dict[str, Any] = {"stateToken": "x"} if carried == "stateToken" else {"state": {}}
    bodies: list[dict[str, Any]] = [
        {carried: start[carried], "action": action},
        {carried: start[carried], "action": {"type": "?"}},
        {carried: start[carried], "action": None},
        {carried: start[carried]},
        {**wrong, "action": action},
        {"action": action},
        {**start, "action": action},
    ]
    results = batch(toys, {"game": slug, "seed": 7}, *({**body, "game": slug} for body in bodies))
    assert results[0] == {**start, "status": 200}
    for body, result in zip(bodies, results[1:], strict=True):
        single = toys.post(f"/api/games/{slug}/action", json=body)
        assert result == {**single.json(), "status": single.status_code}


def test_one_bad_item_spoils_no_other(client: Client) -> None:
    good = {"game": "dewspout", "seed": 7}
    bad: list[tuple[Any, int, str]] = [
        (None, 400, "bad_request"),
        ([], 400, "bad_request"),
        ({}, 400, "bad_request"),
        ({"game": 3}, 400, "bad_request"),
        ({"game": "chess"}, 404, "unknown_game"),
        ({"game": "chess", "seed": "x"}, 404, "unknown_game"),
        ({"game": "dewspout", "seed": "7"}, 400, "bad_seed"),
        ({"game": "dewspout", "seed": None}, 400, "bad_seed"),
        ({"game": "dewspout", "seed": True}, 400, "bad_seed"),
        ({"game": "dewspout", "Seed": 7}, 400, "bad_seed"),
        ({"game": "dewspout", "stateToken": "x"}, 400, "bad_request"),
        ({"game": "dewspout", "stateToken": "x", "action": FILL}, 400, "bad_token"),
        ({"game": "dewspout", "state": {}, "action": FILL}, 400, "bad_request"),
        ({"game": "sumi-steps", "state": {}, "action": FILL}, 400, "bad_state"),
    ]
    items = [part for item, _, _ in bad for part in (item, good)]
    results = batch(client, *items)
    assert all(result == {**client.init("dewspout"), "status": 200} for result in results[1::2])
    for (item, status, code), result in zip(bad, results[::2], strict=True):
        assert (result["ok"], result["status"], result["code"], result["legalActions"]) == (False, status, code, []), (
            item
        )
        assert result["reason"]


def test_without_a_seed_each_run_of_a_batch_has_its_own(client: Client) -> None:
    results = batch(client, *[{"game": "dewspout", "id": place} for place in range(8)])
    assert len({result["seed"] for result in results}) == 8


def test_a_finished_run_is_not_started_anew(client: Client) -> None:
    over = client.act("dewspout", client.init("dewspout"), {"type": "bank"})
    (result,) = batch(client, {"game": "dewspout", "seed": 8, "stateToken": over["stateToken"], "action": FILL})
    assert (result["ok"], result["status"], result["legalActions"]) == (False, 200, [])


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ({}, "missing"),
        ({"items": {}}, "no list"),
        ({"items": []}, "has 0"),
        ({"items": [{"game": "dewspout", "seed": 7}] * 257}, "has 257"),
    ],
)
def test_what_is_no_batch_is_told(client: Client, body: Any, word: str) -> None:
    response = client.post("/api/batch", json=body)
    assert (response.status_code, response.json()["code"]) == (400, "bad_request")
    assert word in response.json()["reason"]
    assert len(batch(client, *[{"game": "dewspout", "seed": 7}] * 256)) == 256


def test_a_mistake_in_one_item_is_answered_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    def broken(state: Any) -> Any:
        raise ZeroDivisionError("inside")

    with client_of(replace(GAME, observation=broken), ALL_GAMES[0]) as client:
        first, second = batch(client, {"game": "dewspout", "seed": 7}, {"game": ALL_GAMES[0].info.slug, "seed": 7})
    assert (first["status"], first["code"]) == (500, "internal")
    assert "inside" not in json.dumps(first)
    assert "ZeroDivisionError" in caplog.text
    assert second["status"] == 200


def test_the_document_describes_both(toys: Client) -> None:
    document = toys.get("/openapi.json").json()

    def validator(schema: Any) -> Any:
        return Draft202012Validator({**schema, "components": document["components"]})

    def body(path: str) -> Any:
        return validator(document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"])

    def answer(path: str) -> Any:
        return validator(document["paths"][path]["post"]["responses"]["200"]["content"]["application/json"]["schema"])

    verifying, batching = "/api/games/{slug}/verify", "/api/batch"
    run = {"seed": 7, "actions": [FILL, POUR]}
    body(verifying).validate(run)
    answer(verifying).validate(verify(toys, run))
    answer(verifying).validate(verify(toys, {**run, "actions": [POUR]}))
    start = toys.init("dewspout")
    items = [{"game": "dewspout"}, {"game": "dewspout", "stateToken": start["stateToken"], "action": FILL}]
    body(batching).validate({"items": items})
    answer(batching).validate(toys.post("/api/batch", json={"items": items}).json())
    assert not body(verifying).is_valid({"seed": -1, "actions": []})
    assert not body(batching).is_valid({"items": []})
