"""Agents: who plays. Three come along for every game, as yardsticks and as examples to copy."""

import importlib
from collections.abc import Callable
from typing import Protocol, TypeAlias

from gameboard.agents import greedy, optimal, random
from gameboard.calls import Action
from gameboard.runs import Position


class Agent(Protocol):
    """Chooses actions for one run. What it keeps between two of them is its own affair."""

    def act(self, position: Position) -> Action:
        """The next action. A refused one changes nothing; the next position then has the reason as `refusal`."""


Maker: TypeAlias = Callable[[str, int], Agent]
"""Makes an agent for a run: `maker(game, seed)`. The seed is for an agent's own choices, not a hint."""

REFERENCES: dict[str, Maker] = {"random": random.Random, "greedy": greedy.Greedy, "optimal": optimal.Optimal}


def find(name: str) -> Maker:
    """The agent of a name: a reference agent, ``module:Class``, or ``cmd:program with arguments``.

    Raises `ValueError` with a sentence for whatever is none.
    """
    if name in REFERENCES:
        return REFERENCES[name]
    if name.startswith("cmd:"):
        from gameboard.agents.command import maker  # needed by few

        return maker(name.removeprefix("cmd:"))
    module, colon, attribute = name.partition(":")
    if not colon:
        raise ValueError(
            f"There is no agent {name!r}. It is one of {', '.join(REFERENCES)}, module:Class or cmd:program."
        )
    try:
        found: Maker = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"The agent {name!r} cannot be imported: {error}.") from None
    return found
