"""The games as tools for a language model: JSON arguments in, a text and the same as data out. No MCP yet."""

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import orjson

from app import about, seeds
from app.errors import INTERNAL, ApiError, envelope
from app.seats import Seat, find
from engines.kit.json import Json, JsonObject, described, guess, quoted

HOW_TO_PLAY = (
    'Call "rules" with a game, then "start_game", then "act" again and again until the run is over. Every answer holds '
    'the whole run: send it with the next action as "run". Nothing is kept between two calls, so an earlier run can be '
    "played on in another way. An illegal action changes nothing and costs nothing: the answer has the reason and the "
    "legal actions, and the run that was sent stays good."
)

Data: TypeAlias = dict[str, Any]

_log = logging.getLogger("uvicorn.error")


@dataclass(frozen=True, slots=True)
class Told:
    """What a call is answered: a text to read, the same as data, and whether it failed."""

    text: str
    data: Data
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: its name, its words and schemas, and what it does with arguments that its schema names."""

    name: str
    title: str
    description: str
    takes: Data
    """JSON Schema of the arguments."""
    gives: Data
    """JSON Schema of the data."""
    run: Callable[[JsonObject], Awaitable[Told]]


class Toolbox:
    """The tools over these seats."""

    def __init__(self, seats: Mapping[str, Seat]) -> None:
        self._seats = seats
        game = {"type": "string", "enum": list(seats), "description": 'The game\'s slug, as "list_games" tells it.'}
        seed = {
            "type": "integer",
            "minimum": 0,
            "maximum": seeds.LARGEST,
            "description": "Which run: the same seed always starts the same one. Leave it out to have one drawn.",
        }
        run = {
            "anyOf": [{"type": "string"}, {"type": "object"}],
            "description": 'The run to play on, exactly as the last answer gave it: its "stateToken" (text) or, '
            'where a game has no token, its "state" (object).',
        }
        examples = "; ".join(f"{slug}: {_compact(seat.game.grammar.examples()[0])}" for slug, seat in seats.items())
        action = {
            "type": "object",
            "description": 'One of the "legalActions" of the last answer as it stands, or whatever else the grammar '
            f'allows that "rules" gives as JSON Schema ("actionGrammar"). For instance {examples}.',
        }
        tools = (
            Tool(
                "list_games",
                "List the games",
                "What can be played here, and how. Start here.",
                _takes({}),
                _gives(_INDEX, "count", "games"),
                self._list,
            ),
            Tool(
                "rules",
                "Read a game's rules",
                "A game's goal, scoring and rules, the grammar of its actions as JSON Schema, and an example of each "
                "action. Read them before you play.",
                _takes({"game": game}, "game"),
                _gives(_ENTRY, "slug", "name", "spec"),
                self._rules,
            ),
            Tool(
                "start_game",
                "Start a run",
                "A new run: its first position in words, all legal actions, the score, and the run to send with the "
                'first action. Its rules come from "rules".',
                _takes({"game": game, "seed": seed}, "game"),
                _gives({**_POSITION, "seed": seed}, *_ALWAYS, "seed"),
                self._start,
            ),
            Tool(
                "act",
                "Play one action",
                "Play one action on a run. Played: what it did, the new position, all legal actions, the score, and "
                "the run to send next. Refused: the reason and all legal actions; nothing changed then, so send the "
                "same run with another action.",
                _takes({"game": game, "run": run, "action": action}, "game", "run", "action"),
                _gives({**_POSITION, "report": {"type": "object"}}, *_ALWAYS, "report"),
                self._act,
            ),
        )
        self.tools = {tool.name: tool for tool in tools}

    async def call(self, name: str, arguments: JsonObject) -> Told:
        """The answer to a call, whatever is wrong with it."""
        try:
            return await self._checked(name, arguments).run(arguments)
        except ApiError as error:
            return Told(error.reason, envelope(error.code, error.reason), failed=True)
        except Exception:
            _log.exception("A tool failed")
            return Told(INTERNAL, envelope("internal", INTERNAL), failed=True)

    def _checked(self, name: str, arguments: JsonObject) -> Tool:
        """The tool of this name, if the arguments have the names that it takes."""
        if name not in self.tools:
            raise ApiError("bad_request", _unknown("There is no tool", name, self.tools, "The tools:"))
        tool = self.tools[name]
        known = tool.takes["properties"]
        for other in arguments:
            if other not in known:
                raise ApiError("bad_request", _unknown(f"{name} takes no", other, known, "It takes:"))
        for wanted in tool.takes["required"]:
            if wanted not in arguments:
                raise ApiError("bad_request", f"{quoted(wanted)} is missing. {known[wanted]['description']}")
        return tool

    def _seat(self, game: Json) -> Seat:
        if not isinstance(game, str):
            raise ApiError("bad_request", f'"game" was {described(game)}. The games: {", ".join(self._seats)}.')
        return find(self._seats, game)

    async def _list(self, _: JsonObject) -> Told:
        games = [seat.listing() for seat in self._seats.values()]
        lines = [f"- {game['slug']}: {game['name']} ({game['genre']}). {game['description']}" for game in games]
        return Told(
            "\n".join(("The games:", *lines, "", HOW_TO_PLAY)),
            {"service": about.SERVICE, "howToPlay": HOW_TO_PLAY, "count": len(games), "games": games},
        )

    async def _rules(self, arguments: JsonObject) -> Told:
        seat = self._seat(arguments["game"])
        spec: Any = seat.game.spec()
        text = [
            f"# {spec['name']}",
            seat.game.info.description,
            f"## Goal\n\n{spec['goal']}",
            f"## Scoring\n\n{spec['scoring']}",
            f"## Rules\n\n{spec['rules']}",
            f"## Actions\n\nAs JSON Schema:\n{_compact(spec['actionGrammar'])}",
            "\n".join(("For instance:", *map(_compact, spec["examples"]))),
            f'The run is carried by its "{spec["carriedAs"]}": send it as "run".',
        ]
        return Told("\n\n".join(text), {**seat.listing(), "spec": spec})

    async def _start(self, arguments: JsonObject) -> Told:
        seat = self._seat(arguments["game"])
        answer = await seat.start_aside(seeds.from_item(arguments))
        data = {key: value for key, value in answer.items() if key != "spec"}
        return _position(seat, f"{seat.game.info.name}, seed {answer['seed']}.", data)

    async def _act(self, arguments: JsonObject) -> Told:
        seat = self._seat(arguments["game"])
        answer: Data = await seat.play_aside({seat.game.carried_as: arguments["run"], "action": arguments["action"]})
        if answer["ok"]:
            return _position(seat, f"Played: {_compact(answer['report'])}", answer)
        # A refusal counts as failed too: models are trained to read a failed call's text and to try again, while a
        # call that went well reads as an action that was played.
        parts = (f"Refused: {answer['reason']}", "Nothing changed: the run that you sent stays good.", _legal(answer))
        return Told("\n\n".join(parts), answer, failed=True)


def _position(seat: Seat, headline: str, answer: Data) -> Told:
    """A position, and how to go on from it."""
    parts = [headline, answer["observation"], f"Score: {answer['score']}"]
    if answer["gameOver"]:
        parts.append("The run is over.")
    else:
        run = answer[seat.game.carried_as]
        parts += [_legal(answer), f'Send this as "run" with the next action:\n{_compact(run)}']
    return Told("\n\n".join(parts), answer)


def _legal(answer: Data) -> str:
    actions = answer["legalActions"]
    return "\n".join((f"Legal actions ({len(actions)}):", *map(_compact, actions)))


def _compact(value: Json) -> str:
    """A JSON value on one line; a text as it is."""
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _unknown(what: str, word: str, known: Iterable[str], there_are: str) -> str:
    return f"{what} {quoted(word)}.{guess(word, known)} {there_are} {', '.join(known) or 'nothing'}."


def _takes(properties: Data, *required: str) -> Data:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _gives(properties: Data, *required: str) -> Data:
    """The schema of an answer, or of a failure in its place: some clients check those too."""
    return {
        "type": "object",
        "properties": {**_FAILURE, **properties},
        "anyOf": [{"required": list(required)}, {"required": ["ok", "reason", "legalActions"]}],
    }


_ACTIONS: Data = {"type": "array", "items": {"type": "object"}}

_FAILURE: Data = {
    "ok": {"type": "boolean"},
    "reason": {"type": "string", "description": "What was wrong, and what is wanted."},
    "legalActions": {**_ACTIONS, "description": 'What is legal now; each can be sent as "action" as it stands.'},
    "code": {"type": "string", "description": "A stable word, where the call was wrong before a game could judge it."},
}

_GAME: Data = {key: {"type": "string"} for key in ("slug", "name", "genre", "description", "goal")}

_INDEX: Data = {
    "service": {"type": "string"},
    "howToPlay": {"type": "string"},
    "count": {"type": "integer"},
    "games": {"type": "array", "items": {"type": "object", "properties": _GAME, "required": list(_GAME)}},
}

_ENTRY: Data = {**_GAME, "spec": {"type": "object", "description": "The rules as data."}}

_POSITION: Data = {
    "stateToken": {"type": "string", "description": 'The run: send it as "run" with the next action.'},
    "state": {"type": "object", "description": 'The public state; where there is no token, the run to send as "run".'},
    "observation": {"type": "string", "description": "The position in words and characters."},
    "score": {"type": "integer"},
    "gameOver": {"type": "boolean"},
}

_ALWAYS = ("ok", "state", "observation", "legalActions", "score", "gameOver")
