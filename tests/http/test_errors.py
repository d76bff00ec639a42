"""The error table, case by case, and the order in which the checks run."""

import json
from dataclasses import replace
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from app.errors import CODES
from app.main import create_app
from app.settings import Settings
from engines.registry import GAMES
from tests.client import SECRET, Client, client_of
from tests.toy import dial

SECRET_ONLY: dict[str, Any] = {"secret": SECRET}
ACTION = "/api/games/dewspout/action"
FILL = {"type": "fill", "vessel": 1}
DEEP = b'{"a":' + b"[" * 1001 + b"]" * 1001 + b"}"


def failure(client: Client, method: str, path: str, code: str, **options: Any) -> str:
    """The reason of a failed request, after a look at everything else about it."""
    response = client.request(method, path, **options)
    assert (response.status_code, response.json()["code"]) == (CODES[code][0], code), response.text  # type: ignore[index]
    assert list(response.json()) == ["ok", "reason", "legalActions", "code"]
    assert response.json()["ok"] is False
    assert response.json()["legalActions"] == []
    assert response.headers["access-control-allow-origin"] == "*"
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["content-type"] == "application/json"
    reason: str = response.json()["reason"]
    assert len(reason) > 20
    return reason


BAD_JSON: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "empty"),
    "white space": (b"  \n", "not strict JSON"),
    "no JSON": (b"{not json}", "key must be a string"),
    "cut": (b'{"action": {"type"', "not strict JSON"),
    "single quotes": (b"{'action': 1}", "key must be a string"),
    "trailing comma": (b'{"action": 1,}', "trailing comma"),
    "two values": (b"{} {}", "trailing characters"),
    "a form": (b"stateToken=x&action=y", "not strict JSON"),
    "a list": (b"[]", "a list"),
    "null": (b"null", "null"),
    "a text": (b'"{}"', "the text"),
    "a number": (b"12", "12"),
    "true": (b"true", "true"),
    "UTF-16": ('{"action": 1}'.encode("utf-16-le"), "not strict JSON"),
    "Latin-1": (b'{"action": "\xe9"}', "unicode"),
    "a byte-order mark": (b"\xef\xbb\xbf{}", "not strict JSON"),
    "a lone surrogate": (b'{"action": "\\ud800"}', "escape"),
    "a lone low surrogate": (b'{"action": "\\udc00x"}', "not strict JSON"),
    "a surrogate in bytes": (b'{"action": "\xed\xa0\x80"}', "unicode"),
    "a surrogate as key": (b'{"\\ud800": 1}', "escape"),
    "deep nesting": (DEEP, "recursion"),
    "deep objects": (b'{"a":' * 1001 + b"1" + b"}" * 1001, "recursion"),
    "a duplicate key": (b'{"action": {}, "action": {}}', "duplicate"),
    "a duplicate key within": (b'{"action": {"type": "bank", "type": "fill"}}', "duplicate"),
    "a duplicate key, escaped": (b'{"action": 1, "\\u0061ction": 2}', "duplicate"),
    "a duplicate ignored key": (b'{"x": [{"y": 1, "y": 1}], "action": {}}', "duplicate"),
    "NaN": (b'{"action": NaN}', "not strict JSON"),
    "Infinity": (b'{"x": Infinity}', "not strict JSON"),
    "-Infinity": (b'{"x": -Infinity}', "not strict JSON"),
    "an overflow": (b'{"action": 1e400}', "infinity"),
    "a negative overflow": (b'{"x": [[{"y": -1e400}]]}', "infinity"),
    "an overflow in an ignored key": (b'{"ignored": 1e400, "stateToken": "x", "action": {}}', "infinity"),
    "a long overflow": (b'{"x": ' + b"9" * 400 + b".0}", "infinity"),
    "4,301 digits": (b'{"x": ' + b"1" * 4301 + b"}", "out of range"),
    "a leading zero": (b'{"x": 01}', "number"),
    "a control character": (b'{"x": "\x01"}', "control character"),
    "a NUL at the end": (b"{}\x00", "trailing"),
}


@pytest.mark.parametrize("name", BAD_JSON)
def test_bad_json(client: Client, name: str) -> None:
    body, fragment = BAD_JSON[name]
    reason = failure(client, "POST", ACTION, "bad_json", content=body)
    assert fragment.lower() in reason.lower()
    assert len(reason) < 300


@pytest.mark.parametrize("levels", [1, 60])
def test_moderate_nesting_is_json(client: Client, levels: int) -> None:
    body = b'{"x": ' + b"[" * levels + b"]" * levels + b"}"
    assert '"action" is missing' in failure(client, "POST", ACTION, "bad_request", content=body)


def test_4300_digits_are_json(client: Client) -> None:
    token = client.init("dewspout")["stateToken"]
    body = f'{{"stateToken": "{token}", "action": {{"type": "fill", "vessel": {"9" * 4300}}}}}'
    answer = client.post(ACTION, content=body).json()
    assert "a number of over 40 digits is out of range" in answer["reason"]


@pytest.mark.parametrize(
    ("body", "fragments"),
    [
        ({}, ['"action" is missing']),
        ({"stateToken": "x"}, ['"action" is missing']),
        ({"action": FILL}, ['"stateToken" is missing']),
        ({"action": FILL, "stateToken": None}, ['"stateToken" must be the text', "null"]),
        ({"action": FILL, "stateToken": 12}, ['"stateToken" must be the text', "12"]),
        ({"action": FILL, "stateToken": ["x"]}, ['"stateToken" must be the text', "a list"]),
        ({"action": FILL, "stateToken": {"x": 1}}, ['"stateToken" must be the text', "an object"]),
        ({"action": FILL, "state": {"phase": "playing"}}, ["Dewspout is carried by its token", '"stateToken"']),
    ],
)
def test_bad_request_to_a_token_game(client: Client, body: object, fragments: list[str]) -> None:
    reason = failure(client, "POST", ACTION, "bad_request", json=body)
    assert all(fragment in reason for fragment in fragments), reason


@pytest.mark.parametrize(
    ("body", "fragments"),
    [
        ({"action": FILL}, ['"state" is missing']),
        ({"action": FILL, "state": None}, ['"state" must be the object', "null"]),
        ({"action": FILL, "state": "{}"}, ['"state" must be the object', "the text"]),
        ({"action": FILL, "state": []}, ['"state" must be the object', "a list"]),
        ({"action": FILL, "stateToken": "x"}, ["Dial has no token", '"state"']),
    ],
)
def test_bad_request_to_a_game_in_the_open(toys: Client, body: object, fragments: list[str]) -> None:
    reason = failure(toys, "POST", "/api/games/open-dial/action", "bad_request", json=body)
    assert all(fragment in reason for fragment in fragments), reason


def test_bad_state(toys: Client) -> None:
    reason = failure(
        toys,
        "POST",
        "/api/games/open-dial/action",
        "bad_state",
        json={"state": {"mark": 1, "turns": 4}, "action": {"type": "turn", "way": "up"}},
    )
    assert reason.startswith("turns: ")


@pytest.mark.parametrize(
    ("query", "fragment"),
    [
        ("seed=", 'seed was ""'),
        ("seed", 'seed was ""'),
        ("seed=-1", 'seed was "-1"'),
        ("seed=4294967296", "4294967296"),
        ("seed=99999999999999999999", "99999999999999999999"),
        ("seed=" + "9" * 5000, "9999"),
        ("seed=7%0A", "seed was"),
        ("seed=07", '"07"'),
        ("seed=00", '"00"'),
        ("seed=7.0", '"7.0"'),
        ("seed=1e3", '"1e3"'),
        ("seed=1_0", '"1_0"'),
        ("seed=0x7", '"0x7"'),
        ("seed=seven", '"seven"'),
        ("seed=+7", '" 7"'),
        ("seed=%2B7", '"+7"'),
        ("seed=%207", '" 7"'),
        ("seed=7%20", '"7 "'),
        ("seed=7%0A", "7"),
        ("seed=%EF%BC%91", "seed was"),
        ("seed=%D9%A7", "seed was"),
        ("seed=%FF", "seed was"),
        ("seed=null", '"null"'),
        ("seed=true", '"true"'),
        ("seed=7&seed=7", "2 times"),
        ("seed=7&seed=8&seed=9", "3 times"),
        ("Seed=7", '"Seed"'),
        ("SEED=7", '"SEED"'),
        ("seeds=7", '"seeds"'),
        ("seed[]=7", '"seed[]"'),
        ("seed=7&x=1", '"x"'),
        ("x", '"x"'),
        ("=7", '""'),
        ("seed=7;x=1", '"7;x=1"'),
    ],
)
def test_bad_seed(client: Client, query: str, fragment: str) -> None:
    reason = failure(client, "GET", f"/api/games/dewspout/init?{query}", "bad_seed")
    assert fragment in reason
    assert "from 0 to 4294967295" in reason
    assert len(reason) < 300


@pytest.mark.parametrize(("query", "seed"), [("seed=0", 0), ("seed=%37", 7), ("seed=4294967295", 2**32 - 1)])
def test_good_seeds(client: Client, query: str, seed: int) -> None:
    assert client.get(f"/api/games/dewspout/init?{query}").json()["seed"] == seed


@pytest.mark.parametrize("slug", ["chess", "Dewspout", "dewspout ", "%FF", "..", "%00", "x" * 3000])
@pytest.mark.parametrize(("method", "rest"), [("GET", ""), ("GET", "/init?Seed=7"), ("POST", "/action")])
def test_unknown_game(client: Client, slug: str, method: str, rest: str) -> None:
    if slug == "..":
        slug = "%2e%2e"
    reason = failure(client, method, f"/api/games/{slug}{rest}", "unknown_game")
    assert f"The games: {', '.join(game.info.slug for game in GAMES)}." in reason
    assert len(reason) < 300


@pytest.mark.parametrize(
    "path",
    ["/nope", "/api", "/api/", "/api/games/", "/api/games/dewspout/", "/api/games/dewspout/init/",
     "/api/games/dewspout/action/", "/api/games/dewspout/play", "/api/games//init", "/docs/", "/docs/api/", "/healthz/",
     "/llms.txt/", "/swagger/", "/assets/nope.css", "/assets/", "/assets/../pyproject.toml", "/redoc", "/docs/api/x/y",
     "/assets/%00", "/assets/site.css%00.js", "/assets/..%2f..%2fmain.py", "/assets/%2e%2e/%2e%2e/tokens.py",
     "/assets/%2fetc%2fpasswd", "/assets/..%5c..%5cmain.py", "/assets/" + "a" * 5000, "/assets/" + "a/" * 2000,
     "/assets/swagger/%2e%2e/__init__.py", "/assets/%ED%A0%80", "//evil.example/x", "/%0d%0aSet-Cookie:%20x=y",
     "/api/games%0A", "/api/games/dewspout/init%0A?seed=7", "/healthz%0A", "/docs/api%0A"],
)  # fmt: skip
def test_not_found(client: Client, path: str) -> None:
    reason = failure(client, "GET", path, "not_found")
    assert "/api/games lists the games" in reason
    assert client.request("HEAD", path).status_code == 404


@pytest.mark.parametrize("path", ["/docs/api/chess"])
def test_the_page_of_an_unknown_game(client: Client, path: str) -> None:
    assert "dewspout" in failure(client, "GET", path, "unknown_game")


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("GET", "/api/games/dewspout/action", "POST"),
        ("PUT", "/api/games/dewspout/action", "POST"),
        ("POST", "/api/games/dewspout/init", "GET, HEAD"),
        ("DELETE", "/api/games/dewspout", "GET, HEAD"),
        ("POST", "/api/games", "GET, HEAD"),
        ("PATCH", "/healthz", "GET, HEAD"),
        ("POST", "/docs/api", "GET, HEAD"),
        ("POST", "/openapi.json", "GET, HEAD"),
        ("POST", "/assets/site.css", "GET, HEAD"),
        ("BREW", "/api/games", "GET, HEAD"),
        ("OPTIONS", "/api/games/dewspout/action", "POST"),
        ("OPTIONS", "/api/games", "GET, HEAD"),
        ("GET", "/api/games/chess/action", "POST"),
        ("POST", "/api/games/chess/init", "GET, HEAD"),
    ],
)
def test_method_not_allowed(client: Client, method: str, path: str, allow: str) -> None:
    reason = failure(client, method, path, "method_not_allowed")
    assert allow in reason
    assert client.request(method, path).headers["allow"] == allow


def padded(client: Client, size: int) -> bytes:
    """A good action in a body of exactly this many bytes."""
    body = json.dumps({"stateToken": client.init("dewspout")["stateToken"], "action": FILL, "x": ""}).encode()
    return body[:-2] + b"x" * (size - len(body)) + body[-2:]


def chunks(body: bytes, size: int = 8192) -> Any:
    async def stream() -> Any:
        for start in range(0, len(body), size):
            yield body[start : start + size]

    return stream()


def test_64_kib_are_read(client: Client) -> None:
    assert client.post(ACTION, content=padded(client, 65_536)).json()["ok"] is True
    assert client.post(ACTION, content=chunks(padded(client, 65_536))).json()["ok"] is True


def test_more_are_too_large(client: Client) -> None:
    assert "65536" in failure(client, "POST", ACTION, "too_large", content=padded(client, 65_537))


def test_more_are_too_large_when_no_length_is_declared(client: Client) -> None:
    failure(client, "POST", ACTION, "too_large", content=chunks(padded(client, 65_537)))
    failure(client, "POST", ACTION, "too_large", content=chunks(b"x" * 1_000_000))


@pytest.mark.parametrize("declared", ["65537", "9" * 30, "9" * 5000])
def test_a_declared_length_is_enough_to_refuse(client: Client, declared: str) -> None:
    failure(client, "POST", ACTION, "too_large", content=b"{}", headers={"content-length": declared})


@pytest.mark.parametrize("declared", ["", "-1", "²", "abc", "1e9"])
def test_an_odd_length_does_no_harm(client: Client, declared: str) -> None:
    headers = {b"content-length": declared.encode("latin-1")}
    assert client.post(ACTION, content=b"{}", headers=headers).json()["code"] == "bad_request"


@pytest.mark.parametrize("path", ["/api/games/dewspout/action", "/api/games", "/nope", "/docs/api"])
@pytest.mark.parametrize("method", ["POST", "DELETE", "PATCH", "nonsense"])
def test_preflights_are_answered_whatever_they_ask_for(client: Client, path: str, method: str) -> None:
    asked = {
        "origin": "https://elsewhere.example",
        "access-control-request-method": method,
        "access-control-request-headers": "x-whatever",
    }
    response = client.request("OPTIONS", path, headers=asked)
    assert response.status_code == 204
    assert response.headers["access-control-allow-origin"] == "*"
    assert "*" in response.headers["access-control-allow-methods"]
    assert "*" in response.headers["access-control-allow-headers"]
    assert "access-control-allow-credentials" not in response.headers


def test_the_checks_run_in_their_order(toys: Client) -> None:
    """Each request is wrong in everything that comes after, too."""
    huge, good = b"x" * 70_000, toys.init("dewspout")["stateToken"]
    open_dial = "/api/games/open-dial/action"
    failure(toys, "DELETE", "/api/games/chess/nope", "not_found", content=huge)
    failure(toys, "GET", "/api/games/chess/action", "method_not_allowed", content=huge)
    failure(toys, "POST", "/api/games/chess/action", "unknown_game", content=huge)
    failure(toys, "POST", ACTION, "too_large", content=huge)
    failure(toys, "POST", ACTION, "bad_json", content=b'{"stateToken": 1')
    failure(toys, "POST", ACTION, "bad_request", json={"stateToken": "bad"})
    failure(toys, "POST", ACTION, "bad_request", json={"stateToken": 1, "action": {"type": "?"}})
    failure(toys, "POST", ACTION, "bad_token", json={"stateToken": "bad", "action": {"type": "?"}})
    failure(toys, "POST", open_dial, "bad_request", json={"state": 1, "action": {"type": "?"}})
    failure(toys, "POST", open_dial, "bad_state", json={"state": {}, "action": {"type": "?"}})
    assert toys.act("dewspout", {"stateToken": good}, {"type": "?"})["ok"] is False


def test_a_mistake_of_ours_is_told_without_detail() -> None:
    def broken(_: object) -> str:
        raise RuntimeError("the secret of the house")

    game = replace(dial("broken", "stateToken"), observation=broken)
    with client_of(*GAMES, game) as client:
        reason = failure(client, "GET", "/api/games/broken/init?seed=7", "internal")
        assert "secret" not in reason


def test_a_client_that_leaves_in_mid_body_raises_nothing() -> None:
    app = create_app(Settings(**SECRET_ONLY))
    messages = [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]

    async def leaving(scope: Scope, receive: Receive, send: Send) -> None:
        async def gone() -> Any:
            return messages.pop(0)

        await app(scope, gone, send)

    with Client(leaving) as client:
        assert client.post(ACTION).status_code == 499
    assert not messages


def test_no_answer_quotes_the_token_that_was_sent(client: Client) -> None:
    token = client.init("dewspout")["stateToken"]
    altered = token[:20] + ("A" if token[20] != "A" else "B") + token[21:]
    wrong: list[dict[str, Any]] = [
        {"stateToken": altered, "action": FILL},
        {"stateToken": [token], "action": FILL},
        {"stateToken": token},
        {"stateToken": token, "action": token},
        {"stateToken": token, "action": {"type": token}},
        {"stateToken": token, "action": {"type": "fill", "vessel": token}},
        {"stateToken": token, "action": {"type": "fill", "vessel": 1, token: 1}},
    ]
    for sent in wrong:
        response = client.post(ACTION, json=sent)
        assert response.json()["ok"] is False
        assert token[12:24] not in response.text


@pytest.mark.parametrize("number", ["1e308", "1E+308", "-1e-400", "1" * 308 + ".5", "0.0e999", "1" * 4300])
def test_large_numbers_that_do_not_overflow_are_json(client: Client, number: str) -> None:
    failure(client, "POST", ACTION, "bad_request", content=f'{{"x": {number}}}'.encode())


@pytest.mark.parametrize(
    "number", ["1e309", "1E309", "1e+309", "9" * 309 + ".5", "0.1e310", "-2e308", "1" * 300 + "e99"]
)
def test_numbers_that_overflow_are_not(client: Client, number: str) -> None:
    assert "infinity" in failure(client, "POST", ACTION, "bad_json", content=f'{{"x": [{number}]}}'.encode())


def test_many_long_numbers_are_json(client: Client) -> None:
    numbers = ",".join(["1" * 299, "1" * 900, "0." + "1" * 900] * 20)
    failure(client, "POST", ACTION, "bad_request", content=f'{{"x": [{numbers}]}}'.encode())
