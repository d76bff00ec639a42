"""Plays any legal action, but does not end a run of its own accord while there is another."""

import random

from gameboard.calls import Action
from gameboard.runs import Position

ENDS = ("END_RUN", "bank", "endRun")
"""Types of the actions that end a run."""


class Random:
    """Chooses uniformly. Its choices are a function of game and seed."""

    def __init__(self, game: str, seed: int) -> None:
        self._choose = random.Random(f"{game} {seed}")

    def act(self, position: Position) -> Action:
        actions = [action for action in position.legal_actions if action["type"] not in ENDS]
        return self._choose.choice(actions or position.legal_actions)
