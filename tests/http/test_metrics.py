"""Metrics: what is counted, under which few labels, and that nothing is where they are off."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.types import Receive, Scope, Send

from app import __version__
from app.line import Line
from app.main import create_app
from app.metrics import BUCKETS, Metrics
from app.seats import seats
from app.settings import Settings
from app.tools import Toolbox
from app.watch import Watch
from engines.kit.json import JsonObject
from engines.kit.shelf import Shelf
from engines.registry import GAMES
from tests.broken import BROKEN
from tests.client import SECRET, Client, client_of
from tests.exposition import Samples, samples
from tests.toy import dial

FILL = {"type": "fill", "vessel": 1}
ILLEGAL: JsonObject = {"type": "fill", "vessel": 9}
ACTION = "/api/games/dewspout/action"


@pytest.fixture
def counted() -> Iterator[Client]:
    with client_of(metrics=True) as client:
        yield client


def told(client: Client, name: str) -> Samples:
    return samples(client.get("/metrics").text, f"gameboard_{name}")


def test_without_the_setting_there_is_no_such_page_and_nothing_around_the_app(client: Client) -> None:
    response = client.get("/metrics")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")
    settings: dict[str, Any] = {"secret": SECRET}
    assert not isinstance(create_app(Settings(**settings)), Watch)
    assert isinstance(create_app(Settings(**settings, metrics=True)), Watch)


def test_the_page_is_prometheus_text(counted: Client) -> None:
    response = counted.get("/metrics")
    assert response.headers["content-type"] == CONTENT_TYPE_LATEST
    assert response.headers["cache-control"] == "no-store"
    assert counted.request("HEAD", "/metrics").status_code == 200
    assert counted.post("/metrics").headers["allow"] == "GET, HEAD"
    assert "/metrics" not in counted.get("/openapi.json").json()["paths"]
    assert samples(response.text, "gameboard_info") == {(__version__,): 1}
    assert samples(response.text, "gameboard_workers") == {(): 1}


REQUESTS = [
    ("GET", "/", "/", "200"),
    ("GET", "/api/games", "/api/games", "200"),
    ("HEAD", "/api/games", "/api/games", "200"),
    ("GET", "/api/games/dewspout", "/api/games/{slug}", "200"),
    ("GET", "/api/games/chess", "/api/games/{slug}", "404"),
    ("GET", "/api/games/dewspout/init?seed=7", "/api/games/{slug}/init", "200"),
    ("GET", "/api/games/sumi-steps/init?seed=8", "/api/games/{slug}/init", "200"),
    ("GET", "/api/games/dewspout/init?Seed=7", "/api/games/{slug}/init", "400"),
    ("POST", "/api/games/dewspout/init", "/api/games/{slug}/init", "405"),
    ("POST", "/api/games/dewspout/action", "/api/games/{slug}/action", "400"),
    ("GET", "/healthz", "/healthz", "200"),
    ("GET", "/docs", "/docs", "307"),
    ("GET", "/docs/api/dewspout", "/docs/api/{slug}", "200"),
    ("GET", "/assets/site.css", "/assets", "200"),
    ("GET", "/assets/nope.css", "/assets", "404"),
    ("GET", "/assets/swagger/swagger-ui.css", "/assets/swagger", "200"),
    ("GET", "/mcp", "/mcp", "405"),
    ("GET", "/nope", "other", "404"),
    ("GET", "/nope/again", "other", "404"),
    ("OPTIONS", "/healthz", "/healthz", "405"),
    ("BREW", "/healthz", "/healthz", "405"),
    ("STEEP", "/healthz", "/healthz", "405"),
]


def test_requests_are_counted_by_route_method_and_status(counted: Client) -> None:
    expected: Samples = {("OPTIONS", "other", "204"): 1}
    for method, path, route, status in REQUESTS:
        assert str(counted.request(method, path).status_code) == status, path
        key = (method if method not in ("BREW", "STEEP") else "other", route, status)
        expected[key] = expected.get(key, 0) + 1
    assert counted.request("OPTIONS", "/api/games", headers={"origin": "https://x.example"}).status_code == 204
    assert told(counted, "requests_total") == expected
    assert told(counted, "requests_total") == {**expected, ("GET", "/metrics", "200"): 1}


def test_seconds_are_counted_by_route_in_buckets(counted: Client) -> None:
    for _ in range(3):
        counted.get("/healthz")
    text = counted.get("/metrics").text
    found = samples(text, "gameboard_request_seconds_bucket")
    assert {route for _, route in found} == {"/healthz"}
    buckets = {float(most): count for (most, _), count in found.items()}
    assert list(buckets) == [*BUCKETS, float("inf")]
    assert list(buckets.values()) == sorted(buckets.values())
    assert buckets[float("inf")] == 3
    assert samples(text, "gameboard_request_seconds_count") == {("/healthz",): 3}
    assert samples(text, "gameboard_request_seconds_sum")["/healthz",] > 0


def test_refusals_are_counted_on_every_way(counted: Client) -> None:
    run = counted.init("dewspout")
    assert counted.act("dewspout", run, ILLEGAL)["ok"] is False
    assert counted.act("dewspout", run, FILL)["ok"] is True
    item = {"game": "dewspout", "stateToken": run["stateToken"], "action": ILLEGAL}
    counted.post("/api/batch", json={"items": [item, {**item, "action": FILL}, item]})
    counted.post("/api/games/dewspout/verify", json={"seed": 7, "actions": [FILL, ILLEGAL, ILLEGAL]})
    assert told(counted, "refusals_total") == {("dewspout",): 4, ("baskmere",): 0, ("sumi-steps",): 0}


def test_the_line_is_told_as_it_is() -> None:
    line = Line()
    metrics = Metrics(seats(GAMES, [SECRET], line), line)

    def length() -> float:
        return samples(metrics.exposition().decode(), "gameboard_line")[()]

    assert length() == 0
    assert asyncio.run(line.once(length)) == 1
    assert length() == 0


def test_a_tool_s_refusals_are_counted_too() -> None:
    line = Line()
    table = seats(GAMES, [SECRET], line)
    metrics = Metrics(table, line)
    box = Toolbox(metrics.counting(table))
    run = table["dewspout"].start(7)["stateToken"]
    call = box.call("act", {"game": "dewspout", "run": str(run), "action": ILLEGAL})
    assert asyncio.run(call).failed
    assert samples(metrics.exposition().decode(), "gameboard_refusals_total")["dewspout",] == 1


def test_failures_are_counted_by_code(counted: Client) -> None:
    for body in (b"", b"{", b"{}"):
        counted.post(ACTION, content=body)
    counted.get("/nope")
    counted.get("/api/games/chess")
    assert told(counted, "failures_total") == {
        ("bad_json",): 2,
        ("bad_request",): 1,
        ("not_found",): 1,
        ("unknown_game",): 1,
    }


def test_a_mistake_of_ours_is_counted() -> None:
    with client_of(BROKEN, metrics=True) as client:
        response = client.post(
            "/api/games/broken/action", json={**client.init("broken"), "action": {"type": "turn", "way": "up"}}
        )
        assert response.status_code == 500
        assert told(client, "requests_total")["POST", "/api/games/{slug}/action", "500"] == 1
        assert told(client, "failures_total") == {("internal",): 1}


def test_a_client_that_leaves_in_mid_body_is_counted() -> None:
    settings: dict[str, Any] = {"secret": SECRET, "metrics": True}
    app = create_app(Settings(**settings))
    messages = [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]

    async def leaving(scope: Scope, receive: Receive, send: Send) -> None:
        async def gone() -> Any:
            return messages.pop(0)

        await app(scope, gone if scope["path"] == ACTION else receive, send)

    with Client(leaving) as client:
        client.post(ACTION)
        assert told(client, "requests_total")["POST", "/api/games/{slug}/action", "499"] == 1


def test_shelves_are_counted_from_when_the_app_was_made() -> None:
    toy = dial("toy", "state")
    shelf: Shelf[int, Any] = Shelf(8)
    game = replace(toy, begin=lambda seed: shelf.get(seed, lambda: toy.begin(seed)), shelves={"dials": shelf})
    shelf.get(1, lambda: toy.begin(1))
    with client_of(game, metrics=True) as client:
        assert told(client, "shelf_gets_total") == {("toy", "hit", "dials"): 0, ("toy", "made", "dials"): 0}
        for seed in (1, 2, 3, 2, 1):
            client.init("toy", seed)
        assert told(client, "shelf_gets_total") == {("toy", "hit", "dials"): 3, ("toy", "made", "dials"): 2}


def test_the_ponds_that_are_opened_are_counted(counted: Client) -> None:
    for _ in range(3):
        counted.init("baskmere", 271828)
    found = told(counted, "shelf_gets_total")
    assert found["baskmere", "hit", "openings"] + found["baskmere", "made", "openings"] == 3
    assert found["baskmere", "hit", "openings"] >= 2
    assert {key[2] for key in found} == {"openings", "distances"}
