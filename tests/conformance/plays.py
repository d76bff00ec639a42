"""Runs to hold the laws against: random plays of any game, and all the actions that its grammar allows."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

from engines.kit.game import AnyGame
from engines.kit.grammar import IntField
from engines.registry import GAMES
from tests.toy import dial

ALL_GAMES: tuple[AnyGame, ...] = (*GAMES, dial("sealed-dial", "stateToken"), dial("open-dial", "state"))
"""Every registered game, and the toys that show the laws ask for nothing special."""

SEEDS = (0, 7, 4294967295, 2718281828)


def universe(game: AnyGame) -> list[Any]:
    """Every well-formed action of a game, legal or not."""
    return [
        type(form.example)(*values)
        for form in game.grammar.forms
        for values in product(
            *(
                range(field.minimum, field.maximum + 1) if isinstance(field, IntField) else field.words
                for field in form.fields
            )
        )
    ]


def walk(game: AnyGame, seed: int, steps: int = 60, start: Any = None) -> Iterator[tuple[Any, Any, Any]]:
    """Steps of a random play, from its beginning or from some state: the state before, the action, the state after.

    It keeps off the action that ends the run until the last step, so that it gets somewhere.
    """
    choose = Random(seed)
    state = game.begin(seed) if start is None else start
    for step in range(steps):
        legal = game.legal(state)
        onward = [action for action in legal if not game.over(game.apply(state, action))]
        choices = onward if onward and step < steps - 1 else legal
        if not choices:
            return
        action = choose.choice(choices)
        after = game.apply(state, action)
        yield state, action, after
        state = after


def positions(game: AnyGame, seed: int, steps: int = 60) -> Iterator[Any]:
    """The states of a random play, the first and the last included."""
    yield game.begin(seed)
    for _, _, after in walk(game, seed, steps):
        yield after
