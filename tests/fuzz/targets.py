"""What is fuzzed. A target takes bytes; it returns whatever they are and raises where the server has a mistake."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import orjson
from itsdangerous.encoding import base64_encode
from jsonschema import Draft202012Validator

from app import body
from app.carriers import carriers
from app.errors import ApiError
from app.tokens import Tokens
from engines.kit.game import AnyGame, Saved
from engines.kit.grammar import Refusal
from engines.registry import GAMES
from tests.client import SECRET
from tests.conformance.plays import universe, walk
from tests.fuzz.mutations import json_changed, spliced
from tests.games import PLAYERS
from tests.wire import as_json

SEEDS = (0, 7, 4294967295)
STEPS = 330
"""Enough to see a whole run of Sumi Steps."""

TOKEN_GAMES = [game for game in GAMES if game.carried_as == "stateToken"]
OPEN_GAMES = [game for game in GAMES if game.carried_as == "state"]
CARRIERS = carriers(GAMES, [SECRET])
TOKENS = {game.info.slug: Tokens([SECRET], game.info.slug, game.version) for game in TOKEN_GAMES}
GRAMMARS = [(game.grammar, Draft202012Validator(as_json(game.grammar.schema()))) for game in GAMES]


@dataclass(frozen=True)
class Target:
    """`run` takes bytes, `seeds` are some that are right, `mutate` changes some."""

    run: Callable[[bytes], None]
    seeds: Callable[[], Iterator[bytes]]
    mutate: Callable[[bytes, Random], bytes]


def told(error: ApiError, code: str) -> None:
    """A refusal is of the right kind, and a sentence that can be shown."""
    assert error.code == code, error.code
    assert error.reason.isprintable()
    assert len(error.reason) < 600


def runs(game: AnyGame) -> Sequence[Any]:
    """States of runs, from the first to far in: played at random, played well, and lost in the end."""
    return _played(GAMES.index(game))


@cache
def _played(place: int) -> Sequence[Any]:
    return tuple(_runs(GAMES[place]))


def _runs(game: AnyGame) -> Iterator[Any]:
    for seed in SEEDS:
        yield game.begin(seed)
        for _, _, state in walk(game, seed, 30):
            yield state
    state = game.begin(SEEDS[1])
    for step in range(STEPS):
        if game.over(state):
            return
        if step % 80 == 40:
            yield from (after for _, _, after in walk(game, step, 200, state))
        turn = game.play(state, PLAYERS[game.info.slug](as_json(game.view(state))))
        assert not isinstance(turn, Refusal)
        state = turn.state
        yield state


def plays_on(game: AnyGame, state: Any) -> None:
    """A state that was taken can be shown, written and played; where that takes long, by one action only."""
    legal = game.legal(state)
    for action in legal[:1] if game.slow_play(state) else legal:
        raw = game.grammar.write(action)
        turn = game.play(state, raw)
        assert not isinstance(turn, Refusal), turn
        orjson.dumps([turn.report, game.score(turn.state), game.over(turn.state)])
        _shown(game, turn.state)
    for action in universe(game):
        refusal = game.refusal(state, action)
        assert (refusal is None) == (action in legal)
    _shown(game, state)


def _shown(game: AnyGame, state: Any) -> None:
    orjson.dumps([game.view(state), game.observation(state), [game.grammar.write(each) for each in game.legal(state)]])
    orjson.dumps(CARRIERS[game.info.slug].put(state))


# --- the body reader: only what another strict reader reads alike ---------------------------------------------------


def read_body(data: bytes) -> None:
    try:
        value = body.parse(data)
    except ApiError as error:
        told(error, "bad_json")
    else:
        assert json.loads(data) == value
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()


def bodies() -> Iterator[bytes]:
    for game in GAMES:
        for state in runs(game)[::25]:
            action = game.grammar.examples()[0]
            yield orjson.dumps({**CARRIERS[game.info.slug].put(state), "state": game.view(state), "action": action})
    yield from (b'{"a":[1,2.5e-3,true,null,"\\u00e9\\ud83d\\ude00"]}', b'{"x":1e308,"y":-1E+9}', b"{}")


# --- the grammars: never an exception, and the published schema's own judgement -------------------------------------


def read_action(data: bytes) -> None:
    try:
        value = body.parse(data).get("action")
    except ApiError:
        return
    for grammar, validator in GRAMMARS:
        read = grammar.parse(value)
        assert isinstance(read, Refusal) != validator.is_valid(value), (read, value)
        if isinstance(read, Refusal):
            assert read.reason.isprintable()
            assert len(read.reason) < 600
        else:
            assert grammar.parse(grammar.write(read)) == read


def actions() -> Iterator[bytes]:
    for game in GAMES:
        for example in game.grammar.examples():
            yield orjson.dumps({"action": example})


# --- tokens: none but those that were given out ---------------------------------------------------------------------


def take_token(data: bytes) -> None:
    try:
        token = data.decode()
    except UnicodeDecodeError:
        return
    for game in TOKEN_GAMES:
        try:
            state = CARRIERS[game.info.slug].take({"stateToken": token})
        except ApiError as error:
            told(error, "bad_token")
            continue
        assert CARRIERS[game.info.slug].put(state) == {"stateToken": token}, "a second spelling"


def given_out() -> Iterator[bytes]:
    for game in TOKEN_GAMES:
        for state in runs(game)[::9]:
            yield CARRIERS[game.info.slug].put(state)["stateToken"].encode()  # type: ignore[union-attr]


# --- behind the signature: whatever was signed with the right key ---------------------------------------------------


def take_signed(data: bytes) -> None:
    """A payload as it stands, or where it is JSON, ``[game, version, saved, cursor]``, sealed and signed well."""
    try:
        place, version, saved, [*cursor] = json.loads(data)
        game = TOKEN_GAMES[place]
        token = Tokens([SECRET], game.info.slug, version).write(Saved(saved, bytes(cursor)))
        tried = [(game, token)]
    except (ValueError, TypeError, IndexError, RecursionError):
        tried = [(game, signed(game, data)) for game in TOKEN_GAMES]
    for game, token in tried:
        carrier = CARRIERS[game.info.slug]
        try:
            state = carrier.take({"stateToken": token})
        except ApiError as error:
            told(error, "bad_token")
            continue
        assert carrier.take(carrier.put(state)) == state
        plays_on(game, state)


def signed(game: AnyGame, payload: bytes) -> str:
    """A token of this payload, signed well whatever it is."""
    (key,) = TOKENS[game.info.slug]._keys
    return key.signer.sign(base64_encode(payload)).decode()


def payloads() -> Iterator[bytes]:
    for place, game in enumerate(TOKEN_GAMES):
        for state in runs(game)[::3]:
            saved = game.save(state)
            yield orjson.dumps([place, game.version, saved.open, list(saved.secret)])
    yield from (b"", b"\x01", b"\x01\x14", b"\x02\x00" + bytes(20), b"\x01\x00[1,[]]")


# --- states in the open: only what a play can reach, and that to the last field -------------------------------------


def take_state(data: bytes) -> None:
    try:
        raw = body.parse(data)
    except ApiError:
        return
    for game in OPEN_GAMES:
        try:
            state = CARRIERS[game.info.slug].take({"state": raw})
        except ApiError as error:
            told(error, "bad_state")
            continue
        assert exact(game.view(state)) == exact(raw), "taken, and shown otherwise"
        plays_on(game, state)
        for action in game.legal(state):
            after = game.apply(state, action)
            assert game.load(Saved(as_json(game.view(after)), b"")) == after


def exact(value: Any) -> str:
    """A JSON value as text, in which 1.0 is 1 and true is not."""
    return json.dumps(_whole(as_json(value)), sort_keys=True)


def _whole(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _whole(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_whole(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def states() -> Iterator[bytes]:
    for game in OPEN_GAMES:
        for state in runs(game)[::3]:
            yield orjson.dumps(game.view(state))


TARGETS = {
    "body": Target(read_body, bodies, spliced),
    "grammar": Target(read_action, actions, json_changed),
    "token": Target(take_token, given_out, spliced),
    "signed": Target(take_signed, payloads, json_changed),
    "state": Target(take_state, states, json_changed),
}
