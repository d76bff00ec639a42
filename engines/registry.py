"""The one list of games."""

from engines import dewspout
from engines.kit.game import AnyGame

GAMES: tuple[AnyGame, ...] = (dewspout.GAME,)
