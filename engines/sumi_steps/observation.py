"""The garden drawn with characters, and in words what a drawing cannot show."""

from functools import lru_cache
from itertools import pairwise

from engines.sumi_steps import gardens, rules
from engines.sumi_steps.refusals import at
from engines.sumi_steps.state import DIRECTIONS, Garden, State
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
    garden, head = state.garden, state.stroke[-1]
    rights, unders = map(list, _sand(garden))
    for here, there in pairwise(state.stroke):
        if abs(here - there) == garden.cols:
            unders[min(here, there)] = " |  "
        else:
            rights[min(here, there)] = "-"
    names = ["."] * garden.cells
    for plot in state.stroke:
        names[plot] = "o"
    for number, plot in enumerate(garden.stones, start=1):
        names[plot] = f"[{number}]" if names[plot] == "o" else str(number)
    names[head] = f"({names[head].strip('[]')})"
    lines = ["    " + " ".join(f"{col:^3}" for col in range(garden.cols)).rstrip()]
    for row, first in enumerate(range(0, garden.cells, garden.cols)):
        drawn, ink = f"{row:>3} ", " "
        for plot in range(first, first + garden.cols):
            name, right = names[plot], rights[plot]
            after = "-" if right == "-" else " "
            drawn += (name if len(name) == 3 else ink + name + after) + right
            ink = after
        lines.append(drawn.rstrip())
        lines.append(("    " + "".join(unders[first : first + garden.cols])).rstrip())
    return lines[:-1]


@lru_cache(maxsize=2048)
def _sand(garden: Garden) -> tuple[list[str], list[str]]:
    """What stands right of each plot and below it before there is ink."""
    fences = set(garden.fences)
    rights = ["#" if (plot, plot + 1) in fences else " " for plot in range(garden.cells)]
    unders = ["### " if (plot, plot + garden.cols) in fences else "    " for plot in range(garden.cells)]
    return rights, unders


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
