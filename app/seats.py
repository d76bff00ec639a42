"""A game ready to be played over a connection: requests in, answers out, no HTTP yet."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import orjson

from app.carriers import Carrier, carriers
from app.errors import ApiError
from app.line import Leaving, Line, Work, never
from app.seeds import from_json
from engines.kit.game import AnyGame
from engines.kit.grammar import Refusal
from engines.kit.json import Json, JsonObject, guess, quoted

MOST_ACTIONS = 10_000
"""Actions of a run that can be verified at a time."""

_VERIFY = f'Send {{"seed": 7, "actions": […]}} with up to {MOST_ACTIONS:,} actions.'


@dataclass(frozen=True, slots=True)
class Seat:
    """One game, the way its runs travel, and its spec as JSON, which never changes and is encoded once."""

    game: AnyGame
    carrier: Carrier
    spec: orjson.Fragment
    line: Line
    """Where its slow work waits."""
    on_refusal: Callable[[], None] = lambda: None
    """Told of each refused action."""

    def listing(self) -> dict[str, str]:
        """The game in an index, without addresses."""
        info = self.game.info
        return {
            "slug": info.slug,
            "name": info.name,
            "genre": info.genre,
            "description": info.description,
            "goal": info.goal,
        }

    def start(self, seed: int) -> dict[str, object]:
        """The answer to a new run."""
        state = self.game.begin(seed)
        return {"ok": True, "seed": seed, **self._run(state), **self._standing(state), "spec": self.spec}

    def play(self, request: JsonObject) -> dict[str, object]:
        """The answer to one action. Raises `ApiError` where the request carries no action or no good run."""
        return self._answer(self._opened(request), request["action"])

    async def start_aside(self, seed: int, leaving: Leaving = never) -> dict[str, object]:
        """`start`, in the line where it may take long, so that others are answered meanwhile."""
        if self.game.slow_begin(seed):
            return await self.line.once(partial(self.start, seed), leaving)
        return self.start(seed)

    async def play_aside(self, request: JsonObject, leaving: Leaving = never) -> dict[str, object]:
        """`play`, in the line where it may take long."""
        state = self._opened(request)
        if self.game.slow_play(state):
            return await self.line.once(partial(self._answer, state, request["action"]), leaving)
        return self._answer(state, request["action"])

    def verify(self, request: JsonObject) -> Work[dict[str, object]]:
        """A whole run played again from its seed, to be put aside after any action.

        Raises `ApiError` where the request has no seed or no actions.
        """
        if "seed" not in request:
            raise ApiError("bad_request", f'"seed" is missing. {_VERIFY}')
        seed, actions = from_json(request["seed"]), request.get("actions")
        if not isinstance(actions, list) or len(actions) > MOST_ACTIONS:
            told = f"has {len(actions):,}" if isinstance(actions, list) else "is missing or no list"
            raise ApiError("bad_request", f'"actions" {told}. {_VERIFY}')
        state = self.game.begin(seed)
        for index, action in enumerate(actions):
            turn = self.game.play(state, action)
            if isinstance(turn, Refusal):
                refused = self._refused(state, turn)
                return {"ok": False, "index": index, **refused, "score": self.game.score(state)}
            state = turn.state
            yield
        return {
            "ok": True,
            "seed": seed,
            "actionCount": len(actions),
            "score": self.game.score(state),
            "gameOver": self.game.over(state),
            "state": self.game.view(state),
            **self.carrier.put(state),
        }

    def _opened(self, request: JsonObject) -> Any:
        """The state of the run in a request."""
        if "action" not in request:
            example = orjson.dumps(self.game.grammar.examples()[0]).decode()
            raise ApiError("bad_request", f'"action" is missing. {self.game.info.name} wants one such as {example}.')
        return self.carrier.take(request)

    def _answer(self, state: Any, action: Json) -> dict[str, object]:
        turn = self.game.play(state, action)
        if isinstance(turn, Refusal):
            return {"ok": False, **self._refused(state, turn)}
        return {"ok": True, **self._run(turn.state), "report": turn.report, **self._standing(turn.state)}

    def _refused(self, state: Any, refusal: Refusal) -> dict[str, object]:
        self.on_refusal()
        return {"reason": refusal.reason, "legalActions": self._legal(state)}

    def _run(self, state: Any) -> dict[str, object]:
        view, observation = self.game.view(state), self.game.observation(state)
        return {**self.carrier.put(state), "state": view, "observation": observation}

    def _standing(self, state: Any) -> dict[str, object]:
        return {
            "legalActions": self._legal(state),
            "score": self.game.score(state),
            "gameOver": self.game.over(state),
        }

    def _legal(self, state: Any) -> list[JsonObject]:
        return list(map(self.game.grammar.write, self.game.legal(state)))


def seats(games: Sequence[AnyGame], secrets: Sequence[str], line: Line) -> dict[str, Seat]:
    """A seat at each game, by slug, in the order of the games. They all wait in one line."""
    ways = carriers(games, secrets)
    return {
        game.info.slug: Seat(game, ways[game.info.slug], orjson.Fragment(orjson.dumps(game.spec())), line)
        for game in games
    }


def find(seats: Mapping[str, Seat], slug: str) -> Seat:
    """The seat at a game. Raises a 404 that lists the games there are."""
    if slug not in seats:
        raise ApiError(
            "unknown_game", f"There is no game {quoted(slug)} here.{guess(slug, seats)} The games: {', '.join(seats)}."
        )
    return seats[slug]
