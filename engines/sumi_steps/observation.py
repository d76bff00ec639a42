"""The garden drawn with characters, and in words what a drawing cannot show."""

from functools import lru_cache
from itertools import pairwise

from engines.sumi_steps import gardens, rules
from engines.sumi_steps.refusals import at
from engines.sumi_steps.state import Garden, State
from engines.sumi_steps.steps import inked_stones, open_steps

LEGEND = "( ) head   [2] inked stone   o inked plot   3 bare stone   . bare plot   - | ink between plots   # fence"

_WIDE = 4
"""Characters from a plot to the one right of it."""

_INKED, _DOWN = b"o|"


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
    sand, spots = _sand(garden)
    drawn = bytearray(sand)
    inked = [spots[plot] for plot in state.stroke]
    for spot in inked:
        drawn[spot] = _INKED
    for here, there in pairwise(inked):
        middle = (here + there) // 2
        if abs(here - there) == _WIDE:
            drawn[middle - 1 : middle + 2] = b"---"
        else:
            drawn[middle] = _DOWN
    for number, stone in enumerate(garden.stones[: inked_stones(garden, state.stroke)], start=1):
        drawn[spots[stone] - 1 : spots[stone] + 2] = b"[%d]" % number
    head = inked[-1]
    drawn[head - 1], drawn[head + 1] = b"()"
    return [line.rstrip() for line in drawn.decode("ascii").splitlines()]


@lru_cache(maxsize=2048)
def _sand(garden: Garden) -> tuple[bytes, list[int]]:
    """The garden as it is drawn before there is ink, and the place of each plot in it."""
    fences = set(garden.fences)
    names = {plot: str(number) for number, plot in enumerate(garden.stones, start=1)}
    lines = ["    " + "".join(f" {col}  " for col in range(garden.cols))]
    for row in range(garden.rows):
        plots = range(row * garden.cols, (row + 1) * garden.cols)
        lines.append(
            f"{row:>3} "
            + "".join(f" {names.get(plot, '.')} {'#' if (plot, plot + 1) in fences else ' '}" for plot in plots)
        )
        lines.append("    " + "".join("### " if (plot, plot + garden.cols) in fences else "    " for plot in plots))
    line = len(lines[0]) + 1
    spots = [(1 + 2 * row) * line + 5 + _WIDE * col for row in range(garden.rows) for col in range(garden.cols)]
    return "\n".join(lines[:-1]).encode("ascii"), spots


def _facts(state: State) -> list[str]:
    garden, head = state.garden, state.stroke[-1]
    waste = rules.wasted(state.undos, state.resets)
    facts = [
        f"Head: {at(garden, head)}. Inked: {len(state.stroke)} of {garden.cells} plots. {_next_stone(state)}",
        f"Wasted here: {waste} ({state.undos} undos, {state.resets} resets). Clean Brush Bonus now: "
        f"{rules.brush_bonus(garden.number, waste)}.",
    ]
    if state.phase == "raking":
        return [*facts, f"Open steps: {', '.join(open_steps(state))}."]
    if state.phase == "complete":
        return [*facts, f"All nine gardens are complete, with {state.score} points."]
    return [*facts, f"The run was ended with {state.score} points."]


def _next_stone(state: State) -> str:
    garden = state.garden
    inked = inked_stones(garden, state.stroke)
    if inked == len(garden.stones):
        return "The head rests on the final stone."
    return f"Next: Stone {inked + 1} at {at(garden, garden.stones[inked])}."
