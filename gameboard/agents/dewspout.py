"""Dewspout from its public state: what an action leads to, and the shortest way to the targets."""

from typing import Any

from gameboard.calls import Action

ACTIONS: list[Action] = [
    *({"type": kind, "vessel": vessel} for kind in ("fill", "empty") for vessel in range(3)),
    *({"type": "pour", "from": start, "to": end} for start in range(3) for end in range(3) if start != end),
]


def after(capacities: list[int], amounts: tuple[int, ...], action: Action) -> tuple[int, ...]:
    """The amounts after a fill, an empty or a pour."""
    held = list(amounts)
    if action["type"] == "pour":
        start, end = action["from"], action["to"]
        moved = min(held[start], capacities[end] - held[end])
        held[start] -= moved
        held[end] += moved
    else:
        held[action["vessel"]] = capacities[action["vessel"]] if action["type"] == "fill" else 0
    return tuple(held)


def look(state: Any, action: Action) -> tuple[int, object]:
    """How near to the targets the amounts are after an action, and what they are then."""
    if action["type"] == "next":
        return 10**6, action["type"]
    amounts = (0, 0, 0) if action["type"] == "restart" else after(state["capacities"], tuple(state["amounts"]), action)
    off = sum(abs(held - target) for held, target in zip(amounts, state["targets"], strict=True))
    return -off, (state["garden"], amounts)


class Optimal:
    """Clears every garden in as few moves as there are from where it stands."""

    def __init__(self) -> None:
        self._way: list[Action] = []
        self._expected: object = None

    def act(self, state: Any) -> Action:
        if state["phase"] == "cleared":
            return {"type": "next"}
        amounts = tuple(state["amounts"])
        if not self._way or self._expected != (state["garden"], amounts):
            self._way = shortest(state["capacities"], amounts, tuple(state["targets"]))
        action = self._way.pop(0)
        self._expected = (state["garden"], after(state["capacities"], amounts, action))
        return action


def shortest(capacities: list[int], start: tuple[int, ...], goal: tuple[int, ...]) -> list[Action]:
    """The fewest actions from some amounts to others, by breadth-first search."""
    came: dict[tuple[int, ...], tuple[tuple[int, ...], Action] | None] = {start: None}
    frontier = [start]
    while goal not in came:
        further = []
        for amounts in frontier:
            for action in ACTIONS:
                found = after(capacities, amounts, action)
                if found not in came:
                    came[found] = (amounts, action)
                    further.append(found)
        if not further:
            raise ValueError(f"{goal} cannot be reached from {start}.")
        frontier = further
    way: list[Action] = []
    step = came[goal]
    while step:
        amounts, action = step
        way.insert(0, action)
        step = came[amounts]
    return way
