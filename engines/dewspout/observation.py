"""The position in words and characters, for a person at a terminal and for a language model."""

from functools import lru_cache

from engines.dewspout.state import NAMES, Amounts, Garden, State

_AIR, _EMPTY, _WATER, _FLOOR = "       ", "|     |", "|~~~~~|", "+-----+"


def observation(state: State) -> str:
    return f"{_headline(state)}\n\n{_drawn(state.garden, state.amounts)}\n\n{_ask(state)}"


@lru_cache(maxsize=4096)
def _drawn(garden: Garden, amounts: Amounts) -> str:
    """The vessels as a drawing and as a table."""
    return "\n".join([*_drawing(garden, amounts), "", *_table(garden, amounts)])


def _headline(state: State) -> str:
    garden = state.garden
    return (
        f"Dewspout, garden {garden.number}: par {garden.par}, moves here {state.garden_moves}, "
        f"moves in all {state.total_moves}, score {state.score}"
    )


def _drawing(garden: Garden, amounts: Amounts) -> list[str]:
    """The vessels to scale, one line a unit; an arrow marks the level that a vessel must have."""
    top = max(garden.capacities)
    columns = map(_column, (top,) * 3, garden.capacities, amounts, garden.targets)
    lines = [f"{level:>3} {a}   {b}   {c}".rstrip() for level, a, b, c in zip(_down(top), *columns, strict=True)]
    return [*lines, "       " + "          ".join(NAMES)]


def _column(top: int, capacity: int, held: int, target: int) -> list[str]:
    """A vessel, a part for each level."""
    parts = [_AIR] * (top - capacity) + [_EMPTY] * (capacity - held) + [_WATER] * held + [_FLOOR]
    return [f"{part}<" if level == target else f"{part} " for level, part in zip(_down(top), parts, strict=True)]


def _down(top: int) -> range:
    """The levels from the top to the floor."""
    return range(top, -1, -1)


def _table(garden: Garden, amounts: Amounts) -> list[str]:
    rows = (("capacity", garden.capacities), ("holds", amounts), ("target", garden.targets))
    return [f"{'vessel':<9}   A   B   C", *(f"{name:<9}{a:>4}{b:>4}{c:>4}" for name, (a, b, c) in rows)]


def _ask(state: State) -> str:
    if state.phase == "ended":
        return f"The run is over with {state.score} points."
    if state.phase == "cleared":
        return (
            f"Cleared: this garden paid {state.last_points} points. Next opens garden {state.garden.number + 1}; "
            "bank ends the run."
        )
    wrong = [
        f"{name} {held} -> {target}"
        for name, held, target in zip(NAMES, state.amounts, state.garden.targets, strict=True)
        if held != target
    ]
    return f"Not at its target yet: {', '.join(wrong)}."
