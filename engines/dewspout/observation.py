"""The position in words and characters, for a person at a terminal and for a language model."""

from engines.dewspout.state import NAMES, State

_BODY = 7
"""Characters across a vessel, walls included."""


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
    vessels = list(zip(garden.capacities, state.amounts, garden.targets, strict=True))
    lines = []
    for level in range(max(garden.capacities), -1, -1):
        cells = []
        for capacity, held, target in vessels:
            if level == 0:
                wall = "+" + "-" * (_BODY - 2) + "+"
            elif level > capacity:
                wall = " " * _BODY
            else:
                wall = "|" + ("~" if level <= held else " ") * (_BODY - 2) + "|"
            cells.append(wall + ("<" if level == target else " "))
        lines.append(f"{level:>3} {'   '.join(cells)}".rstrip())
    lines.append("    " + "   ".join(f"{name:^{_BODY}} " for name in NAMES).rstrip())
    return lines


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
