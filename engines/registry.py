"""The one list of games."""

from engines import dewspout, sumi_steps
from engines.kit.game import AnyGame

GAMES: tuple[AnyGame, ...] = (dewspout.GAME, sumi_steps.GAME)
