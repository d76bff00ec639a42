"""Writes runs of a game as text.

A transcript has the first steps of a run: every action, what it did or why it was refused, and the position. An
overview has the first position of every garden.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from engines.kit.game import AnyGame
from engines.kit.grammar import Refusal
from engines.kit.mulberry32 import below
from engines.registry import GAMES
from tests.conformance.plays import universe
from tests.games import PLAYERS
from tests.wire import as_json

FOLDER = Path(__file__).parent
STEPS = 40
LEVELS = 24

Writer = Callable[[AnyGame, int], str]


def transcript(game: AnyGame, seed: int) -> str:
    """A run that its player plays well, with a mistake before every fifth step and an end at the last."""
    return "\n".join(_lines(game, seed)) + "\n"


def overview(game: AnyGame, seed: int) -> str:
    """The first position of each garden or pond of a run that its player plays well."""
    player, state, lines = PLAYERS[game.info.slug], game.begin(seed), [f"{game.info.name}, seed {seed}"]
    for level in range(1, LEVELS + 1):
        lines += ["", *_position(game, state)]
        while not game.over(state) and _level(as_json(game.view(state))) == level:
            state, _ = _played(game, state, player(as_json(game.view(state))))
        if game.over(state):
            break
    return "\n".join(lines) + "\n"


def _level(view: dict[str, Any]) -> int:
    """The number of the garden or pond."""
    return int(view["garden"] if "garden" in view else view["pond"]["number"])


EVERY: Mapping[str, tuple[Writer, AnyGame, int]] = {
    f"{game.info.slug}-{name}{seed}.txt": (writer, game, seed)
    for game in GAMES
    for name, writer, seeds in (("", transcript, (0, 7, 4294967295)), ("overview-", overview, (7,)))
    for seed in seeds
}
"""The golden files that there must be."""


def _lines(game: AnyGame, seed: int) -> Iterator[str]:
    assert game.info.slug in PLAYERS, f"{game.info.slug} needs a player in tests/games/__init__.py"
    player, state, cursor = PLAYERS[game.info.slug], game.begin(seed), seed
    yield f"{game.info.name}, generator version {game.version}, seed {seed}"
    yield from _position(game, state)
    for step in range(STEPS):
        if game.over(state):
            return
        wrong = [action for action in universe(game) if action not in game.legal(state)]
        if step % 5 == 0 and wrong:
            cursor, drawn = below(cursor, len(wrong))
            yield from _played(game, state, game.grammar.write(wrong[drawn]))[1]
        action = player(as_json(game.view(state))) if step < STEPS - 1 else game.grammar.write(game.legal(state)[-1])
        state, lines = _played(game, state, action)
        yield from lines
        yield from _position(game, state)


def _played(game: AnyGame, state: Any, action: Any) -> tuple[Any, list[str]]:
    turn = game.play(state, action)
    line = f"> {_flat(action)}"
    if isinstance(turn, Refusal):
        return state, ["", line, f"  refused: {turn.reason}"]
    return turn.state, ["", line, f"  report: {_flat(turn.report)}"]


def _position(game: AnyGame, state: Any) -> Iterator[str]:
    yield f"  state: {_flat(game.view(state))}"
    yield f"  legal: {' '.join(_flat(game.grammar.write(action)) for action in game.legal(state))}".rstrip()
    yield from (f"  | {line}".rstrip() for line in game.observation(state).split("\n"))


def _flat(value: object) -> str:
    return orjson.dumps(value).decode()
