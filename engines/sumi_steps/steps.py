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
    return len(set(garden.stones).intersection(stroke))


def open_steps(state: State) -> list[str]:
    """The directions in which the head may move, in their order."""
    ways = state.garden.ways[state.stroke[-1]]
    return [direction for direction, plot in zip(DIRECTIONS, ways, strict=True) if leads(state, plot)]


def leads(state: State, plot: Plot) -> bool:
    """Whether the head may move onto this plot, which lies beside it if it is not `NOWHERE`."""
    garden, stroke = state.garden, state.stroke
    if plot in stroke:
        return plot == behind(state)
    if plot == NOWHERE or stroke[-1] == garden.stones[-1]:
        return False
    return plot not in garden.stones or plot == garden.stones[inked_stones(garden, stroke)]
