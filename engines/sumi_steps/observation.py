"""The garden drawn with characters, and in words what a drawing cannot show."""

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
    places = {plot: place for place, plot in enumerate(state.stroke)}
    names = {plot: str(number) for number, plot in enumerate(garden.stones, start=1)}
    fences = set(garden.fences)

    def between(plot: Plot, other: Plot, ink: str, fence: str, sand: str) -> str:
        if plot in places and other in places and abs(places[plot] - places[other]) == 1:
            return ink
        return fence if (plot, other) in fences else sand

    lines = ["    " + " ".join(f"{col:^3}" for col in range(garden.cols)).rstrip()]
    for first in range(0, garden.cells, garden.cols):
        drawn, under, ink = f"{first // garden.cols:>3} ", "    ", " "
        for plot in range(first, first + garden.cols):
            right = between(plot, plot + 1, "-", "#", " ") if plot + 1 < first + garden.cols else " "
            name = names.get(plot, "o" if plot in places else ".")
            if plot == state.stroke[-1]:
                drawn += f"({name})"
            elif plot in places and plot in names:
                drawn += f"[{name}]"
            else:
                drawn += ink + name + ("-" if right == "-" else " ")
            drawn, ink = drawn + right, "-" if right == "-" else " "
            under += between(plot, plot + garden.cols, " |  ", "### ", "    ")
        lines += [drawn.rstrip(), under.rstrip()]
    return lines[:-1]


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
