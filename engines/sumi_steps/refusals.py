"""The judge of an action, and the reason for every way to be illegal."""

from engines.kit.grammar import Refusal
from engines.sumi_steps.actions import Action, Step, Undo
from engines.sumi_steps.state import NOWHERE, Garden, Plot, State
from engines.sumi_steps.steps import behind, inked_stones, leads, open_steps, target

_AGAIN = "GET /api/games/sumi-steps/init starts another run."


def refusal(state: State, action: Action) -> Refusal | None:
    """Why an action is illegal here, or None. The phase of the run speaks first, then the garden."""
    if state.phase == "complete":
        return Refusal(f"All nine gardens are complete, with {state.score} points; nothing is left to rake. {_AGAIN}")
    if state.phase == "ended":
        return Refusal(
            f"This run was ended in garden {state.garden.number} with {state.score} points, and an ended run takes no "
            f"more actions. {_AGAIN}"
        )
    match action:
        case Step(direction) if not leads(state, target(state, direction)):
            return Refusal(f"{_why_not(state, direction)} {_instead(state)}")
        case Undo() if len(state.stroke) == 1:
            stone = at(state.garden, state.stroke[0])
            return Refusal(f"Only Stone 1 at {stone} is inked, and its ink is never lifted. {_instead(state)}")
        case _:
            return None


def at(garden: Garden, plot: Plot) -> str:
    """A plot in words."""
    row, col = divmod(plot, garden.cols)
    return f"row {row}, col {col}"


def _why_not(state: State, direction: str) -> str:
    """The rule against a step."""
    garden, head, plot = state.garden, state.stroke[-1], target(state, direction)
    if plot == NOWHERE:
        return _blocked(state, direction)
    if head == garden.stones[-1]:
        bare = garden.cells - len(state.stroke)
        return (
            f"The head rests on the final stone, Stone {len(garden.stones)}, with {bare} of {garden.cells} plots still "
            "bare; from there the stroke only goes back."
        )
    if plot in state.stroke:
        return (
            f"The plot {direction} of the head, {at(garden, plot)}, is inked already (number "
            f"{state.stroke.index(plot) + 1} of {len(state.stroke)} in the stroke), and no plot is inked twice."
        )
    due = inked_stones(garden, state.stroke) + 1
    return (
        f"The plot {direction} of the head holds Stone {garden.stones.index(plot) + 1}, and the stones are inked in "
        f"order: Stone {due} at {at(garden, garden.stones[due - 1])} comes first."
    )


def _blocked(state: State, direction: str) -> str:
    garden, head = state.garden, state.stroke[-1]
    row, col = divmod(head, garden.cols)
    edges = {"up": row == 0, "down": row == garden.rows - 1, "left": col == 0, "right": col == garden.cols - 1}
    if edges[direction]:
        return (
            f"The head is at {at(garden, head)}, where the garden of {garden.rows} × {garden.cols} plots ends; nothing "
            f"lies {direction} of it."
        )
    return f"A bamboo fence stands {direction} of the head at {at(garden, head)}, and ink crosses no fence."


def _instead(state: State) -> str:
    """What would be possible."""
    open_ways = open_steps(state)
    onward = [direction for direction in open_ways if target(state, direction) != behind(state)]
    if onward:
        return f"A step is open {' or '.join(onward)}."
    return f"Only back is open: {open_ways[0]}, or undo."
