"""A solver of Sumi Steps that knows the public state only: depth-first, cutting off what can no longer be completed.

A garden is a set of bits, one a plot. Before each step it is asked whether the bare plots are still one piece with the
head, and whether each of them can still be passed: a bare plot needs two ways (the final stone one) among the bare
plots and the head. The head goes first where the fewest ways lead on.
"""

from itertools import pairwise
from typing import Any, TypeAlias

Plot: TypeAlias = tuple[int, int]

MOVES = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def solve(state: dict[str, Any]) -> list[str]:
    """The directions that lead from Stone 1 alone to a completed garden."""
    search = _Search(state)
    path = search.run()
    return [_direction(here, there) for here, there in pairwise(path)]


def play(state: dict[str, Any]) -> dict[str, Any]:
    """The next action of a player that always plays the solution of the garden that it stands in."""
    if len(state["stroke"]) == 1:
        _solutions[_name(state)] = solve(state)
    return {"type": "step", "direction": _solutions[_name(state)][len(state["stroke"]) - 1]}


_solutions: dict[tuple[int, int], list[str]] = {}


def _name(state: dict[str, Any]) -> tuple[int, int]:
    return state["seed"], state["garden"]


def _direction(here: Plot, there: Plot) -> str:
    step = (there[0] - here[0], there[1] - here[1])
    return next(name for name, move in MOVES.items() if move == step)


class _Search:
    def __init__(self, state: dict[str, Any]) -> None:
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

    def run(self) -> list[Plot]:
        bare = (1 << len(self.plots)) - 1 & ~(1 << self.stones[0])
        path = [self.stones[0]]
        assert self._extend(path, bare, 1), "no stroke completes this garden"
        return [self.plots[plot] for plot in path]

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
