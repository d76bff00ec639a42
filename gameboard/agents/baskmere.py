"""Baskmere from its public state: what a move leads to, and an exact search over whole ponds."""

from collections import defaultdict
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gameboard.calls import Action

Positions: TypeAlias = NDArray[np.int32]
"""Positions as numbers: the rock of the turtle of each size is a digit, the smallest turtle's first."""

UNKNOWN = -1


def look(state: Any, action: Action) -> tuple[int, object]:
    """How much of the plan stands after an action, in sizes of turtles that need not move again, and the piles then."""
    if action["type"] == "NEXT_POND":
        return 10**6, action["type"]
    if action["type"] == "STEP_BACK":
        last = state["moves"][-1]
        start, end = last["to"], last["from"]
    else:
        start, end = action["from"], action["to"]
    piles = [list(pile) for pile in state["piles"]]
    piles[end].append(piles[start].pop())
    standing = 0
    for pile, plan in zip(piles, state["pond"]["plan"], strict=True):
        for turtle, planned in zip(pile, plan, strict=False):
            if turtle != planned:
                break
            standing += turtle
    return standing, (state["pond"]["number"], tuple(map(tuple, piles)))


class Optimal:
    """Settles every pond with the least Daylight. One search a pond, from the plan back to where the turtles are."""

    def __init__(self) -> None:
        self._pond: Any = None
        self._needed: Positions | None = None

    def act(self, state: Any) -> Action:
        if state["phase"] == "drift":
            return {"type": "NEXT_POND"}
        pond, piles = state["pond"], state["piles"]
        now = number(pond, piles)
        if pond != self._pond or self._needed is None or self._needed[now] == UNKNOWN:
            self._pond, self._needed = pond, daylight_needed(pond, now)
        rocks = range(pond["rocks"])
        for start in rocks:
            for end in rocks:
                if not piles[start] or not pond["lanes"][start][end]:
                    continue
                turtle = piles[start][-1]
                if piles[end] and piles[end][-1] < turtle:
                    continue
                after = now + (end - start) * pond["rocks"] ** (turtle - 1)
                if self._needed[after] != UNKNOWN and self._needed[after] + cost(pond, turtle) == self._needed[now]:
                    return {"type": "MOVE", "from": start, "to": end}
        raise AssertionError("every position that can be reached has a shortest way")


def number(pond: Any, piles: list[list[int]]) -> int:
    """The number of a position."""
    return sum(rock * pond["rocks"] ** (turtle - 1) for rock, pile in enumerate(piles) for turtle in pile)


def cost(pond: Any, turtle: int) -> int:
    """The Daylight that a move of a turtle costs."""
    return 2 if pond["turtles"][turtle - 1]["grandshell"] else 1


def daylight_needed(pond: Any, start: int) -> Positions:
    """The least Daylight from each position to the plan, for those that need no more than `start` does."""
    rocks, turtles = pond["rocks"], len(pond["turtles"])
    lanes = np.array(pond["lanes"])
    needed = np.full(rocks**turtles, UNKNOWN, dtype=np.int32)
    first = np.empty(rocks**turtles, dtype=np.int32)  # the place at which a position was found, to count each once
    reached: dict[int, list[Positions]] = defaultdict(list)
    reached[0] = [np.array([number(pond, pond["plan"])], dtype=np.int32)]
    light = 0
    while needed[start] == UNKNOWN:
        if not reached:
            raise ValueError("The plan cannot be reached from there.")
        found = np.concatenate(reached.pop(light, [np.empty(0, dtype=np.int32)]))
        found = found[needed[found] == UNKNOWN]
        places = np.arange(found.size, dtype=np.int32)
        first[found] = places
        found = found[first[found] == places]
        needed[found] = light
        busy = np.zeros(found.shape, dtype=np.int32)  # a bit for each rock that holds a smaller turtle
        for turtle in range(turtles):
            place = rocks**turtle
            here = found // place % rocks
            for origin in range(rocks):
                may = (busy >> here & 1 == 0) & (busy >> origin & 1 == 0) & lanes[origin, here]
                before = found[may] + (origin - here[may]) * place
                before = before[needed[before] == UNKNOWN]
                if before.size:
                    reached[light + cost(pond, turtle + 1)].append(before[_allowed(pond, before)])
            busy |= 1 << here
        light += 1
    return needed


def _allowed(pond: Any, positions: Positions) -> NDArray[np.bool_]:
    """Which positions lily pad and shy shells allow."""
    rocks, allowed = pond["rocks"], np.ones(positions.shape, dtype=np.bool_)
    colours = ["", "moss", "amber", "slate"]
    tops = np.zeros((rocks, *positions.shape), dtype=np.int8)  # the shell on top of each rock, piled from the biggest
    resting = np.zeros(positions.shape, dtype=np.int8)
    everywhere = np.arange(positions.size)
    for turtle in reversed(pond["turtles"]):
        here = positions // rocks ** (turtle["size"] - 1) % rocks
        if pond["lilyPad"] is not None:
            resting += here == pond["lilyPad"]
        if "shyShells" in pond["features"]:
            shell = colours.index(turtle["shell"])
            allowed &= tops[here, everywhere] != shell
            tops[here, everywhere] = shell
    return allowed & (resting <= 2)
