"""How a run travels between two calls: as a signed token, or as the raw public state. The game says which."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import orjson

from app.errors import ApiError
from app.tokens import BadToken, Tokens
from engines.kit.game import AnyGame, BadState, Saved
from engines.kit.json import Json, JsonObject, described
from engines.kit.shelf import Shelf


class Carrier(Protocol):
    """One game's way to carry a run."""

    def put(self, state: Any) -> JsonObject:
        """What an answer carries beside the public state."""

    def take(self, body: JsonObject) -> Any:
        """The state of the run in a request. Raises a 400 that says what is wrong with it."""


KEPT_STATES = 2048
"""States of a game that a process keeps at most."""


class TokenCarrier:
    """The run as ``stateToken``.

    Most tokens come back at once, to be played on, so the newest are kept with the states that they stand for. That
    saves opening them; a token that is not known to the last character is opened.
    """

    def __init__(self, game: AnyGame, tokens: Mapping[str, Tokens]) -> None:
        self._game = game
        self._tokens = tokens
        self._own = tokens[game.info.slug]
        self._states: Shelf[str, Any] = Shelf(KEPT_STATES)

    def put(self, state: Any) -> JsonObject:
        token = self._own.write(self._game.save(state))
        self._states.put(token, state)
        return {"stateToken": token}

    def take(self, body: JsonObject) -> Any:
        token = body.get("stateToken")
        if not isinstance(token, str):
            raise ApiError("bad_request", self._absent(body, token))
        return self._states.get(token, lambda: self._opened(token))

    def _opened(self, token: str) -> Any:
        try:
            return self._game.load(self._own.open(token))
        except BadToken as bad:
            raise ApiError("bad_token", self._foreign(token) or str(bad)) from None
        except BadState as bad:
            raise ApiError("bad_token", f"The run in the token cannot be played on. {bad}") from None

    def _absent(self, body: JsonObject, token: Json) -> str:
        name = self._game.info.name
        if "stateToken" in body:
            return f'"stateToken" must be the text that the last answer gave, not {described(token)}.'
        if "state" in body:
            return f'{name} is carried by its token: send the "stateToken" of the last answer, not its "state".'
        return f'"stateToken" is missing. {name} wants {{"stateToken": "…", "action": {{…}}}}.'

    def _foreign(self, token: str) -> str | None:
        for slug, tokens in self._tokens.items():
            if slug != self._game.info.slug and tokens.made(token):
                return f"This token belongs to {slug}: POST it to /api/games/{slug}/action."
        return None


class StateCarrier:
    """The run as its raw public state, which the game's `load` checks.

    The newest are kept by their bytes: what comes back as it was sent needs no check.
    """

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._states: Shelf[bytes, Any] = Shelf(KEPT_STATES)

    def put(self, state: Any) -> JsonObject:
        self._states.put(orjson.dumps(self._game.view(state)), state)
        return {}

    def take(self, body: JsonObject) -> Any:
        raw = body.get("state")
        if not isinstance(raw, dict):
            raise ApiError("bad_request", self._absent(body, raw))
        try:
            sent = orjson.dumps(raw)
        except TypeError:  # a number beyond 64 bits
            return self._loaded(raw)
        return self._states.get(sent, lambda: self._loaded(raw))

    def _loaded(self, raw: JsonObject) -> Any:
        try:
            return self._game.load(Saved(raw, b""))
        except BadState as bad:
            raise ApiError("bad_state", str(bad)) from None

    def _absent(self, body: JsonObject, raw: Json) -> str:
        name = self._game.info.name
        if "state" in body:
            return f'"state" must be the object that the last answer gave, not {described(raw)}.'
        if "stateToken" in body:
            return f'{name} has no token: send the whole "state" of the last answer.'
        return f'"state" is missing. {name} wants {{"state": {{…}}, "action": {{…}}}}.'


def carriers(games: Sequence[AnyGame], secrets: Sequence[str]) -> dict[str, Carrier]:
    """The carrier of each game, by slug."""
    tokens = {
        game.info.slug: Tokens(secrets, game.info.slug, game.version)
        for game in games
        if game.carried_as == "stateToken"
    }
    return {
        game.info.slug: TokenCarrier(game, tokens) if game.info.slug in tokens else StateCarrier(game) for game in games
    }
