"""Plays what looks best at once, and likes to go where it has not been."""

import random
from collections import Counter

from gameboard.agents import baskmere, dewspout, sumi_steps
from gameboard.agents.random import ENDS
from gameboard.calls import Action
from gameboard.runs import Position

LOOKS = {"baskmere": baskmere.look, "dewspout": dewspout.look, "sumi-steps": sumi_steps.look}
"""By game: how good the position after an action looks, and which one it is."""

BOREDOM = 3
"""What each earlier visit takes off the looks of a position."""


class Greedy:
    """Looks one action ahead. Its choices are a function of game, seed and what it is shown."""

    def __init__(self, game: str, seed: int) -> None:
        if game not in LOOKS:
            raise ValueError(f"greedy knows {', '.join(LOOKS)}, and not {game}.")
        self._look = LOOKS[game]
        self._choose = random.Random(f"{game} {seed}")
        self._visits: Counter[object] = Counter()

    def act(self, position: Position) -> Action:
        actions = [action for action in position.legal_actions if action["type"] not in ENDS]
        if not actions:
            return position.legal_actions[0]
        looks = [self._look(position.state, action) for action in actions]
        worth = [looked - BOREDOM * self._visits[place] for looked, place in looks]
        best = self._choose.choice([index for index, value in enumerate(worth) if value == max(worth)])
        self._visits[looks[best][1]] += 1
        return actions[best]
