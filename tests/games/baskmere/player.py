"""A player of Baskmere that knows the public state only, and settles every pond with the least Daylight."""

from functools import lru_cache
from typing import Any

from engines.baskmere.distances import Distances, search
from engines.baskmere.piles import moved
from engines.baskmere.pond import SHELLS, Pond, Position


def pond_of(state: dict[str, Any]) -> Pond:
    """The pond that a public state shows."""
    pond = state["pond"]
    return Pond(
        number=pond["number"],
        rocks=pond["rocks"],
        shells=tuple(SHELLS.index(turtle["shell"]) for turtle in pond["turtles"]),
        lily_pad=pond["lilyPad"],
        features=tuple(pond["features"]),
        plan=position_of(pond["plan"]),
    )


def position_of(piles: list[list[int]]) -> Position:
    """The rock of each turtle, the smallest first."""
    rocks = {size: rock for rock, pile in enumerate(piles) for size in pile}
    return tuple(rocks[size] for size in sorted(rocks))


@lru_cache(maxsize=8)
def _table(pond: Pond) -> Distances:
    return search(pond)


def best(state: dict[str, Any], moves: list[dict[str, Any]]) -> dict[str, Any]:
    """The first of these moves that lies on a shortest way to the plan."""
    pond, position = pond_of(state), position_of(state["piles"])
    table = _table(pond)
    needed = table.of(position)
    assert needed is not None
    for move in moves:
        after = table.of(moved(position, (move["from"], move["to"])))
        if after is not None and after + pond.cost(position.index(move["from"])) == needed:
            return move
    raise AssertionError("no move is on a shortest way")


def play(state: dict[str, Any]) -> dict[str, Any]:
    """The next action; every move that the lanes allow is tried, whether it is legal or not."""
    if state["phase"] == "drift":
        return {"type": "NEXT_POND"}
    rocks = range(state["pond"]["rocks"])
    pairs = [(start, end) for start in rocks for end in rocks if state["piles"][start] and start != end]
    allowed = [pair for pair in pairs if _allowed(state, *pair)]
    return best(state, [{"type": "MOVE", "from": start, "to": end} for start, end in allowed])


def _allowed(state: dict[str, Any], start: int, end: int) -> bool:
    """Whether the top turtle of a rock may go to another, read off the public state."""
    pond, source, target = state["pond"], state["piles"][start], state["piles"][end]
    if not pond["lanes"][start][end]:
        return False
    if not target:
        return True
    shells = {turtle["size"]: turtle["shell"] for turtle in pond["turtles"]}
    if target[-1] < source[-1] or (end == pond["lilyPad"] and len(target) >= 2):
        return False
    return "shyShells" not in pond["features"] or shells[target[-1]] != shells[source[-1]]
