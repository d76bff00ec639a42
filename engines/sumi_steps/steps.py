"""Where the stroke may go from its head (document: "Rules")."""

from collections.abc import Iterable

from engines.sumi_steps.state import DIRECTIONS, NOWHERE, Garden, Plot, State


def target(state: State, direction: str) -> Plot:
    """The plot that a step leads to, or `NOWHERE` beyond an edge or a fence."""
    return state.garden.ways[state.stroke[-1]][DIRECTIONS.index(direction)]


def behind(state: State) -> Plot | None:
    """The plot behind the head; a step onto it lifts the ink."""
    return state.stroke[-2] if len(state.stroke) > 1 else None


def inked_stones(garden: Garden, stroke: Iterable[Plot]) -> int:
    """How many stones a stroke has inked, which is the highest of them: it inks them in order."""
    return sum(plot in garden.stones for plot in stroke)


def may_step(state: State, direction: str) -> bool:
    """Whether the head may move this way."""
    garden, plot = state.garden, target(state, direction)
    if plot == NOWHERE:
        return False
    if plot == behind(state):
        return True
    if plot in state.stroke or state.stroke[-1] == garden.stones[-1]:
        return False
    return plot not in garden.stones or garden.stones.index(plot) == inked_stones(garden, state.stroke)
