"""The one transition of the water, used by the rules and by the search for par alike (document: "WATER ACTIONS")."""

from functools import lru_cache
from typing import assert_never

from engines.dewspout.actions import WATER, Empty, Fill, Pour, Water
from engines.dewspout.state import Amounts


def moved(capacities: Amounts, amounts: Amounts, action: Water) -> int:
    """Units that the action moves; 0 means that it would change nothing and is therefore illegal."""
    match action:
        case Fill(vessel):
            return capacities[vessel] - amounts[vessel]
        case Empty(vessel):
            return amounts[vessel]
        case Pour(source, target):
            return 0 if source == target else min(amounts[source], capacities[target] - amounts[target])
        case _:
            assert_never(action)


def after(capacities: Amounts, amounts: Amounts, action: Water) -> Amounts:
    """What the vessels hold after the action."""
    units = moved(capacities, amounts, action)
    held = list(amounts)
    match action:
        case Fill(vessel):
            held[vessel] += units
        case Empty(vessel):
            held[vessel] -= units
        case Pour(source, target):
            held[source] -= units
            held[target] += units
        case _:
            assert_never(action)
    a, b, c = held
    return a, b, c


@lru_cache(maxsize=8192)
def moving(capacities: Amounts, amounts: Amounts) -> tuple[Water, ...]:
    """The water actions that change something, in the published order. (All vessels of the schedule have some 1,000
    positions.)
    """
    return tuple(action for action in WATER if moved(capacities, amounts, action))
