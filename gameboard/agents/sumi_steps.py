"""Sumi Steps from its public state: what a step leads to, and a search for whole strokes.

The search goes depth-first and cuts off what can no longer be completed.

A garden is a set of bits, one a plot. Before each step it is asked whether the bare plots are still one piece with the
head, and whether each of them can still be passed: a bare plot needs two ways (the final stone one) among the bare
plots and the head. The head goes first where the fewest ways lead on.
"""

from itertools import pairwise
from typing import Any, TypeAlias

from gameboard.calls import Action

Plot: TypeAlias = tuple[int, int]

MOVES = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def look(state: Any, action: Action) -> tuple[int, object]:
    """How few ways lead on from where an action goes, since such plots must be passed soon; and the ink then."""
    stroke = [(plot["row"], plot["col"]) for plot in state["stroke"]]
    if action["type"] == "reset":
        return -40, (state["garden"], tuple(stroke[:1]))
    if action["type"] == "undo" or (len(stroke) > 1 and _target(stroke, action) == stroke[-2]):
        return -20, (state["garden"], tuple(stroke[:-1]))
    search = _Search(state)
    head = search.plots.index(_target(stroke, action))
    inked = {search.plots.index(plot) for plot in stroke} | {head}
    ways = sum(plot not in inked for plot in search.near[head])
    done = len(inked) == len(search.plots)
    return (-15 if ways == 0 and not done else -ways), (state["garden"], (*stroke, search.plots[head]))


class Optimal:
    """Completes every garden without a wasted step, where the ink that is there allows it; lifts it where not."""

    def __init__(self) -> None:
        self._path: list[Plot] = []
        self._garden = 0

    def act(self, state: Any) -> Action:
        stroke = [(plot["row"], plot["col"]) for plot in state["stroke"]]
        if state["garden"] != self._garden or self._path[: len(stroke)] != stroke:
            self._garden, self._path = state["garden"], _Search(state).run(stroke) or []
        if not self._path:
            return {"type": "undo"}
        return {"type": "step", "direction": _direction(stroke[-1], self._path[len(stroke)])}


def solve(state: Any) -> list[str]:
    """The directions that lead from the ink that is there to a completed garden. Raises `ValueError` if none do."""
    stroke = [(plot["row"], plot["col"]) for plot in state["stroke"]]
    path = _Search(state).run(stroke)
    if path is None:
        raise ValueError("No stroke completes this garden from there.")
    return [_direction(here, there) for here, there in pairwise(path[len(stroke) - 1 :])]


def _target(stroke: list[Plot], action: Action) -> Plot:
    (row, col), (down, right) = stroke[-1], MOVES[action["direction"]]
    return row + down, col + right


def _direction(here: Plot, there: Plot) -> str:
    step = (there[0] - here[0], there[1] - here[1])
    return next(name for name, move in MOVES.items() if move == step)


class _Search:
    def __init__(self, state: Any) -> None:
        rows, cols = state["rows"], state["cols"]
        self.plots = [(row, col) for row in range(rows) for col in range(cols)]
        number = {plot: place for place, plot in enumerate(self.plots)}
        fences = {frozenset((part["row"], part["col"]) for part in fence) for fence in state["fences"]}
        self.near: list[list[int]] = []
        for row, col in self.plots:
            around = [(row + down, col + right) for down, right in MOVES.values()]
            self.near.append(
                [number[it] for it in around if it in number and frozenset(((row, col), it)) not in fences]
            )
        self.masks = [sum(1 << other for other in near) for near in self.near]
        self.stones = [number[stone["row"], stone["col"]] for stone in state["stones"]]
        self.order = {plot: place for place, plot in enumerate(self.stones)}
        self.goal = self.stones[-1]

    def run(self, stroke: list[Plot]) -> list[Plot] | None:
        """A stroke that completes the garden and begins with this one."""
        path = [self.plots.index(plot) for plot in stroke]
        bare = (1 << len(self.plots)) - 1
        for plot in path:
            bare &= ~(1 << plot)
        due = sum(stone in path for stone in self.stones)
        return [self.plots[plot] for plot in path] if self._extend(path, bare, due) else None

    def _extend(self, path: list[int], bare: int, due: int) -> bool:
        if not bare:
            return True
        head = path[-1]
        if head == self.goal or not self._possible(head, bare):
            return False
        steps = [plot for plot in self.near[head] if bare >> plot & 1 and self.order.get(plot, due) == due]
        steps.sort(key=lambda plot: (self.masks[plot] & bare).bit_count())
        for plot in steps:
            path.append(plot)
            if self._extend(path, bare & ~(1 << plot), due + (plot in self.order)):
                return True
            path.pop()
        return False

    def _possible(self, head: int, bare: int) -> bool:
        """Whether the bare plots hang together, and each can be entered and left."""
        masks, open_plots = self.masks, bare | 1 << head
        left = bare
        while left:
            bit = left & -left
            left ^= bit
            plot = bit.bit_length() - 1
            ways = (masks[plot] & open_plots).bit_count()
            if ways < 2 and not (ways == 1 and plot == self.goal):
                return False
        seen = frontier = 1 << head
        while frontier:
            bit = frontier & -frontier
            frontier ^= bit
            fresh = masks[bit.bit_length() - 1] & bare & ~seen
            seen |= fresh
            frontier |= fresh
        return seen == open_plots
