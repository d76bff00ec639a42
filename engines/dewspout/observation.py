"""The position in words and characters, for a person at a terminal and for a language model."""

from engines.dewspout.state import NAMES, State

_AIR, _EMPTY, _WATER, _FLOOR = "       ", "|     |", "|~~~~~|", "+-----+"


def observation(state: State) -> str:
    return "\n".join([_headline(state), "", *_drawing(state), "", *_table(state), "", _ask(state)])


def _headline(state: State) -> str:
    garden = state.garden
    return (
        f"Dewspout, garden {garden.number}: par {garden.par}, moves here {state.garden_moves}, "
        f"moves in all {state.total_moves}, score {state.score}"
    )


def _drawing(state: State) -> list[str]:
    """The vessels to scale, one line a unit; an arrow marks the level that a vessel must have."""
    garden = state.garden
    top = max(garden.capacities)
    columns = []
    for capacity, held, target in zip(garden.capacities, state.amounts, garden.targets, strict=True):
        column = [_AIR] * (top - capacity) + [_EMPTY] * (capacity - held) + [_WATER] * held + [_FLOOR]
        columns.append(
            [f"{part}<" if level == target else f"{part} " for level, part in zip(_down(top), column, strict=True)]
        )
    lines = [f"{level:>3} {a}   {b}   {c}".rstrip() for level, a, b, c in zip(_down(top), *columns, strict=True)]
    return [*lines, "       " + "          ".join(NAMES)]


def _down(top: int) -> range:
    """The levels from the top to the floor."""
    return range(top, -1, -1)


def _table(state: State) -> list[str]:
    rows = (
        ("vessel", tuple(NAMES)),
        ("capacity", state.garden.capacities),
        ("holds", state.amounts),
        ("target", state.garden.targets),
    )
    return [f"{name:<9}" + "".join(f"{value:>4}" for value in values) for name, values in rows]


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
