"""The shapes of requests and answers, for the OpenAPI document. The tests hold every real answer against them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from app.errors import Code
from app.seeds import LARGEST

Anything = dict[str, Any]


class Model(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")


def _optional(schema: dict[str, Any]) -> None:
    """A key that may be left out, and has no default then."""
    del schema["default"]


class Listed(Model):
    """A game in the index."""

    slug: str = Field(description="The game's name in addresses.")
    name: str
    genre: str
    description: str
    goal: str = Field(description="Markdown.")
    init_url: str = Field(description="GET starts a run.")
    action_url: str = Field(description="POST plays one action.")
    docs_url: str = Field(description="The rules as a page.")


class HowToPlay(Model):
    step1: str
    step2: str
    choosing_actions: str


class Index(Model):
    """The games of this server."""

    service: str
    description: str
    how_to_play: HowToPlay
    docs: str
    count: int
    games: list[Listed]


class Spec(Model):
    """A game's rules as data."""

    slug: str
    name: str
    goal: str = Field(description="Markdown, as are scoring and rules.")
    scoring: str
    rules: str
    carried_as: Literal["stateToken", "state"] = Field(description="What a client sends back with the next action.")
    action_grammar: Anything = Field(description="JSON Schema of an action.")
    examples: list[Anything] = Field(description="One exact action of each type.")
    state_schema: Anything = Field(description="JSON Schema of the public state.")
    report_schema: Anything = Field(description="JSON Schema of the report of an accepted action.")

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="allow")


class Entry(Listed):
    """A game in the index, with its rules."""

    spec: Spec


class Position(Model):
    """What every answer says of the position."""

    ok: Literal[True]
    state_token: str = Field(
        default="",
        description="The run, for games carried by token: send it back unchanged with the next action.",
        json_schema_extra=_optional,
    )
    state: Anything = Field(description="The public state.")
    observation: str = Field(description="The position in words and characters.")
    legal_actions: list[Anything] = Field(
        description="Every action that is legal now, in a fixed order, each acceptable as `action` as it stands."
    )
    score: int
    game_over: bool


class Started(Position):
    """A new run."""

    seed: Annotated[int, Field(ge=0, le=LARGEST)]
    spec: Spec


class Accepted(Position):
    """An action was played."""

    report: Anything = Field(description="What the action did.")


class Refused(Model):
    """The action is illegal here. Nothing changed; the token or state that was sent stays good."""

    ok: Literal[False]
    reason: str = Field(description="Why, with the rule and the numbers of this position.")
    legal_actions: list[Anything] = Field(description="What would be legal instead.")


class Failed(Model):
    """The request could not be judged by a game."""

    ok: Literal[False]
    reason: str
    legal_actions: Annotated[list[Anything], Field(max_length=0)]
    code: Code = Field(description="A stable word for machines.")


class Verified(Model):
    """Every action was accepted."""

    ok: Literal[True]
    seed: Annotated[int, Field(ge=0, le=LARGEST)]
    action_count: int
    score: int
    game_over: bool
    state: Anything = Field(description="The public state at the end.")
    state_token: str = Field(
        default="", description="The run at its end, for games carried by token.", json_schema_extra=_optional
    )


class Disproved(Refused):
    """An action was refused: the run was not played like this."""

    index: int = Field(description="The place of the refused action, from 0.")
    score: int = Field(description="The score before it.")


class Batch(Model):
    """A result for each item."""

    ok: Literal[True]
    results: list[Anything] = Field(
        description="What the single route would have answered, with its `status` as one more key."
    )


class Health(Model):
    """The server answers."""

    ok: Literal[True]
    version: str
    games: int
