"""A game is a value: a table of pure functions with the same verbs in every game.

Whoever serves games calls these and nothing else. The laws that a table must obey are in `engines/README.md` and run
over every registered game in the tests.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from engines.kit.grammar import Grammar, Refusal
from engines.kit.json import Json, JsonObject
from engines.kit.shelf import Shelf

S = TypeVar("S")
A = TypeVar("A")


class BadState(Exception):
    """A saved state that no play can have produced. The message names the first wrong field."""


@dataclass(frozen=True, slots=True)
class Info:
    """Who the game is and what its player must know, in words.

    `slug` is its name in URLs; `description` one sentence; `goal`, `scoring` and `rules` are Markdown.
    """

    slug: str
    name: str
    genre: str
    description: str
    goal: str
    scoring: str
    rules: str


def text(package: str, name: str) -> str:
    """The text ``texts/<name>.md`` that ships inside a game's package."""
    return (files(package) / "texts" / f"{name}.md").read_text(encoding="utf-8").strip()


@dataclass(frozen=True, slots=True)
class Saved:
    """A run at rest.

    `open` may be read by anybody who holds the run. `secret` is what shapes the future, the random cursor: whoever
    carries the run seals it. A seal does not hide length, so every state of a game has a secret of the same length.
    """

    open: Json
    secret: bytes


@dataclass(frozen=True, slots=True)
class Turn(Generic[S]):
    """An accepted action: the state after it and the report of what it did."""

    state: S
    report: JsonObject


def _never(_: object) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Game(Generic[S, A]):
    """The table of one game. `S` is its state and `A` its actions, frozen and hashable both.

    `version` counts the generator: it rises when a seed produces something else, and runs of another version are no
    longer taken. `carried_as` says how a run travels between two calls: sealed and signed as ``stateToken``, or in the
    open as ``state``, in which case `load` must refuse whatever no play can reach.
    """

    info: Info
    version: int
    carried_as: Literal["stateToken", "state"]
    grammar: Grammar[A]
    begin: Callable[[int], S]
    """The first state of a seed, 0 to 2**32 - 1."""
    legal: Callable[[S], list[A]]
    """Every action that `refusal` lets pass, in the order in which they are published."""
    refusal: Callable[[S, A], Refusal | None]
    """The judge of a well-formed action: None, or the reason that teaches."""
    apply: Callable[[S, A], S]
    """The state after an action that was not refused."""
    report: Callable[[S, A, S], JsonObject]
    """What an action did, from the states before and after it."""
    score: Callable[[S], int]
    over: Callable[[S], bool]
    view: Callable[[S], JsonObject]
    """The public state, built key by key."""
    observation: Callable[[S], str]
    """The public state as a person or a language model would want to read it."""
    save: Callable[[S], Saved]
    load: Callable[[Saved], S]
    """The inverse of `save`. Raises `BadState`."""
    state_schema: JsonObject
    """JSON Schema of what `view` returns, each key described."""
    report_schema: JsonObject
    """JSON Schema of what `report` returns, each key described."""
    slow_begin: Callable[[int], bool] = _never
    """Whether `begin` may take long for this seed, so that it should not hold up others."""
    slow_play: Callable[[S], bool] = _never
    """Whether playing an action in this state may take long."""
    shelves: Mapping[str, Shelf[Any, Any]] = field(default_factory=dict)
    """Where costly results are kept, by what they are, so that a server can tell how often they were at hand."""
    facts: JsonObject = field(default_factory=dict)
    """What else the spec says."""

    def play(self, state: S, raw: Json) -> Turn[S] | Refusal:
        """Read an action, judge it and apply it."""
        action = self.grammar.parse(raw)
        if isinstance(action, Refusal):
            return action
        refusal = self.refusal(state, action)
        if refusal is not None:
            return refusal
        after = self.apply(state, action)
        return Turn(after, self.report(state, action, after))

    def spec(self) -> JsonObject:
        """The rules as data: texts, action grammar, examples, and the schemas of state and report."""
        return {
            "slug": self.info.slug,
            "name": self.info.name,
            "goal": self.info.goal,
            "scoring": self.info.scoring,
            "rules": self.info.rules,
            "carriedAs": self.carried_as,
            "actionGrammar": self.grammar.schema(),
            "examples": self.grammar.examples(),
            "stateSchema": self.state_schema,
            "reportSchema": self.report_schema,
            **self.facts,
        }


AnyGame: TypeAlias = Game[Any, Any]
