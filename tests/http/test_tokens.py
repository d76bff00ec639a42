"""Tokens: one spelling, nothing secret in the open, no forgery, rotation."""

import base64
import hashlib
import re
import zlib
from dataclasses import replace
from typing import Any

import orjson
import pytest
from itsdangerous import Signer

from app.tokens import BadToken, Tokens
from engines.dewspout import GAME
from engines.kit.game import AnyGame, Saved
from engines.kit.json import Json
from tests.client import SECRET, Client, client_of
from tests.toy import dial

OLD, NEW, OTHER = "old-secret-" * 4, "new-secret-" * 4, "another-secret-" * 3
FILL = {"type": "fill", "vessel": 1}
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def app(*secrets: str, games: tuple[AnyGame, ...] = (GAME,)) -> Client:
    return client_of(*games, secret=",".join(secrets))


def reason(client: Client, token: str, slug: str = "dewspout") -> str:
    """The reason of a token that must be refused."""
    response = client.post(f"/api/games/{slug}/action", json={"stateToken": token, "action": FILL})
    assert (response.status_code, response.json()["code"]) == (400, "bad_token"), (token, response.text)
    return str(response.json()["reason"])


@pytest.fixture(scope="module")
def token(client: Client) -> str:
    return str(client.act("dewspout", client.init("dewspout"), FILL)["stateToken"])


def test_a_token_is_url_safe_and_short(token: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}", token)
    assert len(token) < 200


def test_every_changed_character_is_noticed(client: Client, token: str) -> None:
    """Byte by byte over every position: one other letter, one outside the alphabet."""
    for place, letter in enumerate(token):
        for other in (ALPHABET[(ALPHABET.find(letter) + 1) % 64], "+", "é"):
            reason(client, token[:place] + other + token[place + 1 :])


def test_every_missing_or_doubled_character_is_noticed(client: Client, token: str) -> None:
    for place in range(len(token)):
        reason(client, token[:place] + token[place + 1 :])
        reason(client, token[:place] + token[place] + token[place:])


def test_no_other_spelling_of_the_signature_is_taken(client: Client, token: str) -> None:
    value, _, signature = token.rpartition(".")
    others = [letter for letter in ALPHABET if letter != signature[-1]]
    spellings = [token + tail for tail in ("=", "==", "\n", " ", "\r\n", "\t", "\x00", ".", "é", "!", "A")]
    spellings += [head + token for head in (" ", "\n", "=", ".", "\ufeff")]
    spellings += [f"{value}.{signature[:20]}{foreign}{signature[20:]}" for foreign in ("!", " ", "\n", "é", "=", "*")]
    spellings += [f"{value}.{signature[:-1]}{letter}" for letter in others]
    spellings += [f"{value}=.{signature}", f"{value}\n.{signature}", f"{value}..{signature}", f"{value} .{signature}"]
    spellings += [token.replace("-", "+").replace("_", "/") + "=", f"{value}.{signature.lower()}", token[::-1]]
    for spelt in spellings:
        assert spelt != token
        reason(client, spelt)


@pytest.mark.parametrize(
    "junk", ["", ".", "..", "x", "x.y", "." * 1000, "null", "{}", "A" * 60_000, "A" * 60_000 + ".A"]
)
def test_what_is_no_token_is_told_so(client: Client, junk: str) -> None:
    assert "token" in reason(client, junk)


def test_tokens_of_another_game_are_told_where_they_belong() -> None:
    with app(SECRET, games=(GAME, dial("sealed-dial", "stateToken"))) as client:
        foreign = client.init("sealed-dial")["stateToken"]
        assert reason(client, foreign) == (
            "This token belongs to sealed-dial: POST it to /api/games/sealed-dial/action."
        )
        own = client.init("dewspout")["stateToken"]
        assert "belongs to dewspout" in reason(client, own, "sealed-dial")


def test_tokens_of_another_secret_are_refused() -> None:
    with app(OTHER) as theirs, app(SECRET) as ours:
        assert "another secret" in reason(ours, theirs.init("dewspout")["stateToken"])


def test_tokens_of_another_generator_are_refused_by_their_version() -> None:
    with app(SECRET) as now, app(SECRET, games=(replace(GAME, version=2),)) as later:
        assert "version 1 of this game and this server plays version 2" in reason(
            later, now.init("dewspout")["stateToken"]
        )
        assert "version 2 of this game and this server plays version 1" in reason(
            now, later.init("dewspout")["stateToken"]
        )


def test_a_secret_can_be_replaced_without_losing_a_run() -> None:
    with app(OLD) as before, app(NEW, OLD) as during, app(NEW) as afterwards:
        old = before.init("dewspout")
        played = during.act("dewspout", old, FILL)
        assert played["ok"] is True
        assert afterwards.act("dewspout", played, {"type": "pour", "from": 1, "to": 2})["score"] == 270
        reason(afterwards, old["stateToken"])
        reason(before, played["stateToken"])
        assert during.init("dewspout")["stateToken"] == afterwards.init("dewspout")["stateToken"]


def test_two_servers_of_one_secret_write_the_same_bytes() -> None:
    with app(SECRET) as one, app(SECRET) as two:
        first, second = (server.get("/api/games/dewspout/init?seed=42") for server in (one, two))
        assert first.content == second.content
        assert one.act("dewspout", first.json(), FILL) == two.act("dewspout", second.json(), FILL)


def cleared(client: Client, seed: int) -> dict[str, Any]:
    return client.act(
        "dewspout", client.act("dewspout", client.init("dewspout", seed), FILL), {"type": "pour", "from": 1, "to": 2}
    )


def test_the_cursor_is_in_no_token() -> None:
    """Two seeds that differ in every byte: their tokens hold neither, plain, in hex or in decimal."""
    with app(SECRET) as client:
        for seed in (0x12345678, 0xFEDCBA98):
            payload = payload_of(client.init("dewspout", seed)["stateToken"])
            for needle in (
                seed.to_bytes(4, "big"),
                seed.to_bytes(4, "little"),
                str(seed).encode(),
                f"{seed:x}".encode(),
            ):
                assert needle not in payload


def payload_of(token: str) -> bytes:
    value = token.rpartition(".")[0]
    return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))


def test_tokens_of_all_seeds_have_one_length_and_differ_in_the_seal_only() -> None:
    with app(SECRET) as client:
        payloads = [payload_of(cleared(client, seed)["stateToken"]) for seed in (0, 7, 65536, 4294967295)]
    assert len({len(payload) for payload in payloads}) == 1
    assert len({payload[2 + 20 :] for payload in payloads}) == 1
    assert len({payload[2 : 2 + 20] for payload in payloads}) == 4


def test_the_signature_is_sha_256_with_a_salt_of_the_game() -> None:
    with app(SECRET) as client:
        token = client.init("dewspout")["stateToken"]
    signer = Signer(SECRET, salt=b"gameboard.token.dewspout", digest_method=hashlib.sha256)
    assert signer.sign(token.rpartition(".")[0]).decode() == token


LONG: Json = [list(range(100)), "x" * 1000]


@pytest.mark.parametrize(
    "saved", [Saved([], b""), Saved({"a": [1, 2]}, bytes(4)), Saved(LONG, b"12345678"), Saved("ü", b"1")]
)
def test_what_is_written_is_opened(saved: Saved) -> None:
    tokens = Tokens([SECRET], "dewspout", 1)
    assert tokens.open(tokens.write(saved)) == saved
    assert tokens.write(saved) == tokens.write(saved)


def test_a_long_run_is_deflated_and_a_short_one_is_not() -> None:
    tokens = Tokens([SECRET], "dewspout", 1)
    assert len(tokens.write(Saved(LONG, b""))) < len(orjson.dumps(LONG)) / 2
    assert b'["short"]' in payload_of(tokens.write(Saved(["short"], b"")))


def forged(payload: bytes) -> str:
    """A token that is signed well whatever is in it, as a build with another layout may have made it."""
    value = base64.urlsafe_b64encode(payload).rstrip(b"=")
    return Signer(SECRET, salt=b"gameboard.token.dewspout", digest_method=hashlib.sha256).sign(value).decode()


def test_another_layout_is_told() -> None:
    with pytest.raises(BadToken, match="layout 9"):
        Tokens([SECRET], "dewspout", 1).open(forged(b"\x09\x00[1,[]]"))


def test_a_seal_of_something_else_does_not_open() -> None:
    tokens = Tokens([SECRET], "dewspout", 1)
    payload = payload_of(tokens.write(Saved(["mine"], bytes(4))))
    with pytest.raises(BadToken, match="seal"):
        tokens.open(forged(payload.replace(b"mine", b"ours")))


def test_nothing_is_inflated_before_the_signature_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("inflated")

    bomb = zlib.compress(bytes(10_000_000), wbits=-15)
    value = base64.urlsafe_b64encode(b"\x02\x00" + bomb).rstrip(b"=").decode()
    monkeypatch.setattr(zlib, "decompressobj", never)
    with pytest.raises(BadToken):
        Tokens([SECRET], "dewspout", 1).open(f"{value}.{'A' * 43}")


def test_a_good_token_with_a_run_that_is_none_is_a_bad_token(client: Client) -> None:
    token = Tokens([SECRET], "dewspout", GAME.version).write(Saved(["playing", 0], bytes(4)))
    assert "cannot be played on" in reason(client, token)


@pytest.mark.parametrize(
    "payload",
    [
        b"", b"\x01", b"\x02", b"\x01\x00", b"\x02\x00", b"\x01\x14[1,[]]", b"\x01\xff[1,[]]", b"\x01\x00{}",
        b"\x01\x00[1]", b"\x01\x00[1,[],2]", b"\x01\x00null", b"\x01\x00[true,[]]", b'\x01\x00["1",[]]',
        b"\x01\x00[1.0,[]]", b"\x01\x00\xff\xfe", b"\x01\x00[1,[]", b"\x02\x00[1,[]]", b"\x02\x00" + bytes(20),
        b"\x02\x00" + zlib.compress(b" " * 70_000 + b"[1,[]]", wbits=-15),
        b"\x01\x00" + b"[" * 40_000,
    ],
)  # fmt: skip
def test_a_signed_payload_that_is_no_run_is_a_bad_token(client: Client, payload: bytes) -> None:
    reason(client, forged(payload))


def test_no_signed_payload_is_inflated_further_than_a_run_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    inflated: list[int] = []

    class Inflating:
        def __init__(self, wbits: int) -> None:
            self._real = real(wbits=wbits)

        def decompress(self, stored: bytes, most: int) -> bytes:
            inflated.append(len(plain := self._real.decompress(stored, most)))
            return plain

    real = zlib.decompressobj
    monkeypatch.setattr(zlib, "decompressobj", Inflating)
    with pytest.raises(BadToken):
        Tokens([SECRET], "dewspout", 1).open(forged(b"\x02\x00" + zlib.compress(bytes(50_000_000), wbits=-15)))
    assert inflated == [65_536]


def test_a_signed_value_that_is_no_base64_is_a_bad_token(client: Client) -> None:
    signer = Signer(SECRET, salt=b"gameboard.token.dewspout", digest_method=hashlib.sha256)
    for value in ("A", "AAAAA", "é", " ", "", "."):
        reason(client, signer.sign(value.encode()).decode())
