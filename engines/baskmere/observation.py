"""The position in words and characters: the rocks beside the plan, and what the Daylight is good for."""

from functools import lru_cache
from itertools import zip_longest

from engines.baskmere import ponds
from engines.baskmere.piles import piles
from engines.baskmere.pond import CREEK, GRANDSHELL, LILY_PAD, SHELLS, SHY_SHELLS, Pond, Position
from engines.baskmere.state import State

_CELL = 5
_NO_CELL = " " * _CELL
_GAP = "      "


def observation(state: State) -> str:
    return "\n".join([_headline(state), _daylight(state), "", *_drawing(state), *_ground(state.pond), _ask(state)])


def _headline(state: State) -> str:
    pond = state.pond
    return f"Baskmere, pond {pond.number}: {pond.turtles} turtles on {pond.rocks} rocks, score {state.score}"


def _daylight(state: State) -> str:
    return (
        f"Daylight {state.daylight}, spent here {state.spent}. Par {state.par}, spare "
        f"{ponds.spare(state.pond.number)}, streak {state.streak}."
    )


def _drawing(state: State) -> list[str]:
    """Piles from bottom to top, now on the left and as planned on the right."""
    pond = state.pond
    rows = zip_longest(_rows(pond, state.position), _planned(pond), fillvalue=_NO_CELL * pond.rocks)
    lines = [(now + _GAP + plan).rstrip() for now, plan in rows]
    return [f"{'now':<{_CELL * pond.rocks}}{_GAP}plan", *reversed(lines)]


def _rows(pond: Pond, position: Position) -> list[str]:
    """The turtles on the rocks, from the bottom row to the top."""
    cells = _cells(pond)
    columns = [[cells[turtle] for turtle in pile] for pile in piles(position, pond.rocks)]
    return ["".join(row) for row in zip_longest(*columns, fillvalue=_NO_CELL)]


@lru_cache(maxsize=1024)
def _planned(pond: Pond) -> list[str]:
    return _rows(pond, pond.plan)


@lru_cache(maxsize=1024)
def _cells(pond: Pond) -> list[str]:
    """Each turtle as it is drawn, the smallest first: its size and, where colours matter, the letter of its shell."""
    letters = [SHELLS[shell][0] if pond.has(SHY_SHELLS) else "" for shell in pond.shells]
    return [f" {f'{size}{letter}':<{_CELL - 1}}" for size, letter in enumerate(letters, start=1)]


@lru_cache(maxsize=1024)
def _ground(pond: Pond) -> list[str]:
    """What the piles stand on, twice side by side, and what is special here."""
    ground = "".join(f"{'=' * (_CELL - 1)} " for _ in range(pond.rocks))
    names = "".join(f" {_rock_name(pond, rock):<{_CELL - 1}}" for rock in range(pond.rocks))
    return [*((line + _GAP + line).rstrip() for line in (ground, names)), "", *_features(pond)]


def _rock_name(pond: Pond, rock: int) -> str:
    mark = "L" if rock == pond.lily_pad else "S" if rock == pond.sun_rock else ""
    return f"{rock}{mark}"


def _features(pond: Pond) -> list[str]:
    lines = [f"Rocks are numbered from 0; S is the Sun Rock{', L the lily pad' if pond.has(LILY_PAD) else ''}."]
    if pond.has(LILY_PAD):
        lines.append(f"Lily pad: rock {pond.lily_pad} holds 2 turtles at most.")
    if pond.has(SHY_SHELLS):
        colours = ", ".join(f"{name[0]} {name}" for name in SHELLS)
        lines.append(f"Shy shells: no turtle rests directly on one of its own colour ({colours}).")
    if pond.has(CREEK):
        lines.append("Creek: between rocks 0, 1 and 2 turtles swim 0 to 1, 1 to 2 and 2 to 0 only.")
    if pond.has(GRANDSHELL):
        lines.append(f"Grandshell: each move of turtle {pond.turtles} costs 2 Daylight.")
    return lines


def _ask(state: State) -> str:
    number = state.pond.number
    if state.phase == "runOver":
        how = {"win": "It ended between ponds: a win.", "goodGame": "It was ended in this pond: a good game."}
        return (
            f"The run is over. {how.get(state.outcome or '', 'Sunset: the Daylight left could not settle this pond.')}"
        )
    if state.phase == "drift":
        return f"The pond is settled. NEXT_POND opens pond {number + 1}; END_RUN ends the run as a win."
    if not state.moves:
        return "STEP_BACK: there is no move to walk back yet."
    start, end = state.moves[-1]
    if not state.pond.lane(end, start):
        return f"STEP_BACK: the last move, {start} to {end}, went with the creek and cannot be walked back."
    return f"STEP_BACK would move the top turtle of rock {end} back to rock {start}."
