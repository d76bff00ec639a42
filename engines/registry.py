"""The one list of games."""

from engines import baskmere, dewspout, sumi_steps
from engines.kit.game import AnyGame

GAMES: tuple[AnyGame, ...] = (baskmere.GAME, dewspout.GAME, sumi_steps.GAME)
