"""The contract over HTTP, for every game and for the toys: shapes, key order, the same bytes for the same request."""

import json
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from engines.kit.game import AnyGame
from tests.client import Client
from tests.conformance.plays import ALL_GAMES, universe

GAMES = pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.info.slug)

LISTED = ["slug", "name", "genre", "description", "goal", "initUrl", "actionUrl", "docsUrl"]


def carried(game: AnyGame) -> list[str]:
    return ["stateToken"] if game.carried_as == "stateToken" else []


def assert_constant_headers(response: httpx.Response) -> None:
    assert response.headers["content-type"] == "application/json"
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["access-control-allow-origin"] == "*"


@GAMES
def test_a_new_run(toys: Client, game: AnyGame) -> None:
    response = toys.get(f"/api/games/{game.info.slug}/init?seed=7")
    assert response.status_code == 200
    assert_constant_headers(response)
    answer = response.json()
    assert list(answer) == [
        "ok", "seed", *carried(game), "state", "observation", "legalActions", "score", "gameOver", "spec",
    ]  # fmt: skip
    assert (answer["ok"], answer["seed"], answer["score"], answer["gameOver"]) == (True, 7, 0, False)
    assert list(answer["spec"])[:5] == ["slug", "name", "goal", "scoring", "rules"]
    assert {"actionGrammar", "examples"} <= answer["spec"].keys()


@GAMES
def test_an_accepted_action(toys: Client, game: AnyGame) -> None:
    started = toys.init(game.info.slug)
    for action in started["legalActions"]:
        answer = toys.act(game.info.slug, started, action)
        assert list(answer) == [
            "ok", *carried(game), "state", "observation", "report", "legalActions", "score", "gameOver",
        ]  # fmt: skip
        assert answer["ok"] is True
        assert answer["report"]["action"] == action["type"]


@GAMES
def test_a_refused_action_changes_nothing(toys: Client, game: AnyGame) -> None:
    slug = game.info.slug
    started = toys.init(slug)
    illegal = [game.grammar.write(action) for action in universe(game)]
    unlisted: list[object] = [action for action in illegal if action not in started["legalActions"]]
    for action in [*unlisted, None, [], "x", {}, {"type": "?"}]:
        answer = toys.act(slug, started, action)
        assert list(answer) == ["ok", "reason", "legalActions"]
        assert answer["ok"] is False
        assert answer["legalActions"] == started["legalActions"]
    first = started["legalActions"][0]
    assert toys.act(slug, started, first) == toys.act(slug, toys.init(slug), first)


@GAMES
def test_every_legal_action_is_accepted_as_it_stands_until_the_end(toys: Client, game: AnyGame) -> None:
    slug = game.info.slug
    answer = toys.init(slug, 4294967295)
    for step in range(12):
        if answer["gameOver"]:
            break
        answer = toys.act(slug, answer, answer["legalActions"][step % len(answer["legalActions"])])
        assert answer["ok"] is True
    while not answer["gameOver"]:
        answer = toys.act(slug, answer, answer["legalActions"][-1])
    assert answer["legalActions"] == []
    for action in (*game.grammar.examples(), None):
        refused = toys.act(slug, answer, action)
        assert (refused["ok"], refused["legalActions"]) == (False, [])


@GAMES
def test_the_same_request_gives_the_same_bytes(toys: Client, game: AnyGame) -> None:
    slug = game.info.slug
    first, again = (toys.get(f"/api/games/{slug}/init?seed=0") for _ in range(2))
    assert first.content == again.content
    body = {**first.json(), "action": first.json()["legalActions"][0]}
    assert (
        toys.post(f"/api/games/{slug}/action", json=body).content
        == toys.post(f"/api/games/{slug}/action", json=body).content
    )


@GAMES
def test_an_old_answer_can_be_played_on(toys: Client, game: AnyGame) -> None:
    slug = game.info.slug
    started = toys.init(slug)
    branches = [toys.act(slug, started, action) for action in started["legalActions"]]
    assert len({json.dumps(branch["state"]) for branch in branches}) == len(branches)


@GAMES
def test_seed_0_is_a_seed_like_any_other(toys: Client, game: AnyGame) -> None:
    first, second = (toys.get(f"/api/games/{game.info.slug}/init?seed=0") for _ in range(2))
    assert first.json()["seed"] == 0
    assert first.content == second.content


@GAMES
def test_without_a_seed_the_server_draws_one(toys: Client, game: AnyGame) -> None:
    slug = game.info.slug
    answers = [toys.get(f"/api/games/{slug}/init").json() for _ in range(8)]
    assert len({answer["seed"] for answer in answers}) == 8
    for answer in answers:
        assert answer == toys.init(slug, answer["seed"])


@GAMES
def test_different_seeds_are_different_runs(toys: Client, game: AnyGame) -> None:
    answers = [toys.init(game.info.slug, seed) for seed in range(50)]
    key = "stateToken" if carried(game) else "state"
    assert len({json.dumps(answer[key]) for answer in answers}) > 45


@GAMES
def test_an_entry_is_the_index_entry_with_the_rules(toys: Client, game: AnyGame) -> None:
    response = toys.get(f"/api/games/{game.info.slug}")
    assert_constant_headers(response)
    entry = response.json()
    assert list(entry) == [*LISTED, "spec"]
    assert entry["spec"] == toys.init(game.info.slug)["spec"]
    listed = [{key: entry[key] for key in LISTED}]
    assert [game for game in toys.get("/api/games").json()["games"] if game["slug"] == entry["slug"]] == listed


def test_the_index(toys: Client) -> None:
    response = toys.get("/api/games")
    assert_constant_headers(response)
    index = response.json()
    assert list(index) == ["service", "description", "howToPlay", "docs", "count", "games"]
    assert list(index["howToPlay"]) == ["step1", "step2", "choosingActions"]
    assert index["docs"] == "http://testserver/docs/api"
    assert index["count"] == len(index["games"]) == len(ALL_GAMES)
    for game in index["games"]:
        assert list(game) == LISTED
        base = f"http://testserver/api/games/{game['slug']}"
        assert (game["initUrl"], game["actionUrl"]) == (f"{base}/init", f"{base}/action")
        assert game["docsUrl"] == f"http://testserver/docs/api/{game['slug']}"
        assert toys.get(game["initUrl"]).status_code == toys.get(game["docsUrl"]).status_code == 200


def test_the_health_check(client: Client) -> None:
    response = client.get("/healthz")
    assert response.status_code == 200
    assert response.json()["ok"] is True


@pytest.mark.parametrize(
    "path",
    ["/api/games", "/api/games/dewspout", "/api/games/dewspout/init?seed=7", "/healthz", "/openapi.json", "/llms.txt",
     "/", "/play/dewspout", "/docs", "/docs/api", "/docs/api/dewspout", "/swagger", "/source.zip", "/assets/site.css"],
)  # fmt: skip
def test_head_works_where_get_does(client: Client, path: str) -> None:
    get, head = client.get(path), client.request("HEAD", path)
    assert head.status_code == get.status_code
    assert dict(head.headers) == dict(get.headers)


@pytest.mark.parametrize(
    "content_type",
    ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x", "application/json;charset=x",
     "nonsense", ""],
)  # fmt: skip
def test_a_body_is_json_whatever_its_content_type_says(client: Client, content_type: str) -> None:
    token = client.init("dewspout")["stateToken"]
    body = json.dumps({"stateToken": token, "action": {"type": "fill", "vessel": 1}})
    response = client.post("/api/games/dewspout/action", content=body, headers={"content-type": content_type})
    assert response.json()["report"]["moved"] == 5


def test_a_number_with_an_integral_value_is_an_integer(client: Client) -> None:
    started = client.init("dewspout")
    assert client.act("dewspout", started, {"type": "fill", "vessel": 1.0})["report"]["moved"] == 5


def test_every_answer_is_what_the_openapi_document_says(toys: Client) -> None:
    document = toys.get("/openapi.json").json()

    def validator(model: str) -> Draft202012Validator:
        return Draft202012Validator({"$ref": f"#/components/schemas/{model}", "components": document["components"]})

    def check(model: str, answer: Any) -> None:
        validator(model).validate(answer)

    check("Index", toys.get("/api/games").json())
    check("Health", toys.get("/healthz").json())
    check("Failed", toys.get("/api/games/chess").json())
    for game in ALL_GAMES:
        slug = game.info.slug
        check("Entry", toys.get(f"/api/games/{slug}").json())
        started = toys.init(slug)
        check("Started", started)
        for action in started["legalActions"]:
            check("Accepted", toys.act(slug, started, action))
        check("Refused", toys.act(slug, started, None))
    for wrong in ({"ok": True}, {**toys.init("dewspout"), "score": "0"}, {**toys.init("dewspout"), "more": 1}):
        assert not validator("Started").is_valid(wrong)
