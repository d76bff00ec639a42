"""Tests of one game each, and a good player for each."""

from collections.abc import Callable, Mapping
from typing import Any

from gameboard.agents import sumi_steps
from tests.games.baskmere import player as baskmere
from tests.games.dewspout import player as dewspout

PLAYERS: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "baskmere": baskmere.play,
    "dewspout": dewspout.play,
    "sumi-steps": sumi_steps.Optimal().act,
}
"""By slug: from the public state to the next action. Every registered game needs one, for its golden transcripts."""
