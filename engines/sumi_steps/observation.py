"""The garden drawn with characters, and in words what a drawing cannot show."""

from itertools import pairwise

from engines.sumi_steps import gardens, rules
from engines.sumi_steps.refusals import at
from engines.sumi_steps.state import DIRECTIONS, Plot, State
from engines.sumi_steps.steps import inked_stones, may_step

LEGEND = "( ) head   [2] inked stone   o inked plot   3 bare stone   . bare plot   - | ink between plots   # fence"


def observation(state: State) -> str:
    return "\n".join([_headline(state), "", *_drawing(state), "", LEGEND, "", *_facts(state)])


def _headline(state: State) -> str:
    garden = state.garden
    return (
        f"Sumi Steps, garden {garden.number} of {gardens.LAST}: {garden.rows} × {garden.cols} plots, "
        f"{len(garden.stones)} stones, score {state.score}"
    )


def _drawing(state: State) -> list[str]:
    """Rows and columns are numbered from 0; between two plots stands ink, a fence or nothing."""
    garden = state.garden
    links = {frozenset(link) for link in pairwise(state.stroke)}
    fences = set(map(frozenset, garden.fences))
    lines = ["    " + " ".join(f"{col:^3}" for col in range(garden.cols)).rstrip()]
    for row in range(garden.rows):
        plots = range(row * garden.cols, (row + 1) * garden.cols)
        drawn, below = f"{row:>3} ", "    "
        for plot in plots:
            right, down = frozenset((plot, plot + 1)), frozenset((plot, plot + garden.cols))
            cell = _cell(state, plot)
            if plot > plots[0] and frozenset((plot - 1, plot)) in links:
                cell = cell.replace(" ", "-", 1)
            if right in links and plot < plots[-1]:
                cell = cell[:2] + cell[2].replace(" ", "-")
            drawn += cell + ("-" if right in links else "#" if right in fences else " ")
            below += " | " if down in links else "###" if down in fences else "   "
            below += " "
        lines += [drawn.rstrip(), below.rstrip()]
    return lines[:-1]


def _cell(state: State, plot: Plot) -> str:
    """A plot, three characters wide."""
    stones = state.garden.stones
    name = str(stones.index(plot) + 1) if plot in stones else "o"
    if plot == state.stroke[-1]:
        return f"({name})"
    if plot in state.stroke:
        return f"[{name}]" if plot in stones else " o "
    return f" {name} " if plot in stones else " . "


def _facts(state: State) -> list[str]:
    garden, head = state.garden, state.stroke[-1]
    waste = rules.wasted(state.undos, state.resets)
    facts = [
        f"Head: {at(garden, head)}. Inked: {len(state.stroke)} of {garden.cells} plots. {_next_stone(state)}",
        f"Wasted here: {waste} ({state.undos} undos, {state.resets} resets). Clean Brush Bonus now: "
        f"{rules.brush_bonus(garden.number, waste)}.",
    ]
    if state.phase == "raking":
        steps = [direction for direction in DIRECTIONS if may_step(state, direction)]
        return [*facts, f"Open steps: {', '.join(steps)}."]
    if state.phase == "complete":
        return [*facts, f"All nine gardens are complete, with {state.score} points."]
    return [*facts, f"The run was ended with {state.score} points."]


def _next_stone(state: State) -> str:
    garden = state.garden
    inked = inked_stones(garden, state.stroke)
    if inked == len(garden.stones):
        return "The head rests on the final stone."
    return f"Next: Stone {inked + 1} at {at(garden, garden.stones[inked])}."
