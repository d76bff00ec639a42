"""Tampering with tokens, byte by byte over every position: nothing but the token itself is taken."""

import base64
import hashlib
import hmac
import string
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from itsdangerous import Signer

from app.carriers import TokenCarrier, carriers
from app.errors import ApiError
from app.tokens import Tokens
from engines.kit.game import AnyGame
from engines.registry import GAMES
from tests.client import SECRET, Client
from tests.conformance.plays import walk
from tests.games import PLAYERS
from tests.wire import as_json

CARRIERS = carriers(GAMES, [SECRET])
BASE64 = string.ascii_letters + string.digits + "-_"
FOREIGN = (".", "=", "+", "/", " ", "\n", "\x00", "é", "\u2028", "😀")
PLAIN, DEFLATED = 1, 2
DEEP = 100


def payload_of(token: str) -> bytes:
    value = token.rpartition(".")[0]
    return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))


def token_of(game: AnyGame, state: Any) -> str:
    return str(CARRIERS[game.info.slug].put(state)["stateToken"])


def given_out() -> Iterator[Any]:
    """Tokens of every game that has them: of the first position, of one deep in a run, of one with a long past."""
    for game in GAMES:
        if game.carried_as == "stateToken":
            state = game.begin(7)
            yield pytest.param(game, token_of(game, state), id=f"{game.info.slug}-early")
            for _ in range(DEEP):
                state = game.play(state, PLAYERS[game.info.slug](as_json(game.view(state)))).state  # type: ignore[union-attr]
            yield pytest.param(game, token_of(game, state), id=f"{game.info.slug}-deep")
            wandered = (after for _, _, after in walk(game, 7, 200, state))
            long = max(wandered, key=lambda after: len(orjson.dumps(game.save(after).open)))
            yield pytest.param(game, token_of(game, long), id=f"{game.info.slug}-long")


GIVEN = list(given_out())
EACH = pytest.mark.parametrize(("game", "token"), GIVEN)


def tampered(token: str) -> Iterator[str]:
    """At each position: every other letter, some foreign characters, one less, one more, two swapped, cut."""
    for place, letter in enumerate(token):
        head, tail = token[:place], token[place + 1 :]
        for other in (*BASE64, *FOREIGN):
            yield head + other + tail
        yield head + tail
        yield head + letter + letter + tail
        yield from (head + put + letter + tail for put in ("A", "=", ".", "\n", "é"))
        yield head + tail[:1] + letter + tail[1:]
        yield head
        yield token[place:]


def test_both_layouts_are_tried() -> None:
    assert {payload_of(param.values[1])[0] for param in GIVEN} == {PLAIN, DEFLATED}


@EACH
def test_no_other_text_is_taken_for_a_token(game: AnyGame, token: str) -> None:
    carrier = CARRIERS[game.info.slug]
    assert carrier.put(carrier.take({"stateToken": token}))["stateToken"] == token
    for text in {*tampered(token)} - {token}:
        with pytest.raises(ApiError) as refused:
            carrier.take({"stateToken": text})
        assert refused.value.code == "bad_token"


@EACH
def test_over_http_it_is_a_400(client: Client, game: AnyGame, token: str) -> None:
    path, action = f"/api/games/{game.info.slug}/action", game.grammar.examples()[0]
    assert client.post(path, json={"stateToken": token, "action": action}).status_code == 200
    for text in sorted({*tampered(token)} - {token})[::500]:
        response = client.post(path, json={"stateToken": text, "action": action})
        assert (response.status_code, response.json()["code"]) == (400, "bad_token"), text


@EACH
def test_behind_a_good_signature_no_flipped_bit_leads_to_another_run(game: AnyGame, token: str) -> None:
    """The seal holds the open part too. (Deflate has bits that mean nothing; they change the text and not the run.)"""
    carrier, payload = CARRIERS[game.info.slug], payload_of(token)
    assert isinstance(carrier, TokenCarrier)
    salt = f"gameboard.token.{game.info.slug}".encode()
    signer = Signer(SECRET, salt=salt, digest_method=hashlib.sha256)
    state, taken = carrier.take({"stateToken": token}), 0
    for place in range(8 * len(payload)):
        flipped = bytearray(payload)
        flipped[place // 8] ^= 1 << place % 8
        signed = signer.sign(base64.urlsafe_b64encode(flipped).rstrip(b"=")).decode()
        try:
            found = carrier.take({"stateToken": signed})
        except ApiError as refused:
            code = refused.code
        else:
            code, taken = "bad_token", taken + 1
            assert found == state
        assert code == "bad_token"
    assert taken <= (8 if payload[0] == DEFLATED else 0)


def test_the_only_judge_of_a_signature_takes_the_same_time_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever agrees with the right signature goes whole into `hmac.compare_digest`, and nothing else compares it.

    (Whether it is spelt as base64 is written is asked before, of the text that was sent alone.)
    """
    game, token = GIVEN[0].values
    value, _, signature = token.rpartition(".")
    right = base64.urlsafe_b64decode(signature + "=")
    compared: list[tuple[bytes, bytes]] = []

    def judged(one: bytes, two: bytes) -> bool:
        compared.append((one, two))
        return verdict

    monkeypatch.setattr(hmac, "compare_digest", judged)
    for verdict in (False, True):
        for agree in (0, 1, 16, 31, 32):
            sent = right[:agree] + bytes(byte ^ 0xFF for byte in right[agree:])
            text = f"{value}.{base64.urlsafe_b64encode(sent).decode().rstrip('=')}"
            compared.clear()
            assert Tokens([SECRET], game.info.slug, game.version).made(text) is verdict
            assert compared == [(sent, right)]
