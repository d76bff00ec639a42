"""Plays each game as well as it can be played, from the public state alone."""

from collections.abc import Callable
from typing import Any, Protocol

from gameboard.agents import baskmere, dewspout, sumi_steps
from gameboard.calls import Action
from gameboard.runs import Position


class Solver(Protocol):
    """Knows one game."""

    def act(self, state: Any) -> Action:
        """The best action in a public state."""


SOLVERS: dict[str, Callable[[], Solver]] = {
    "baskmere": baskmere.Optimal,
    "dewspout": dewspout.Optimal,
    "sumi-steps": sumi_steps.Optimal,
}


class Optimal:
    """Baskmere Perfect, Dewspout at par, Sumi Steps without a wasted step. It needs no luck, and so no seed."""

    def __init__(self, game: str, seed: int) -> None:
        del seed
        if game not in SOLVERS:
            raise ValueError(f"optimal knows {', '.join(SOLVERS)}, and not {game}.")
        self._solver = SOLVERS[game]()

    def act(self, position: Position) -> Action:
        return self._solver.act(position.state)
