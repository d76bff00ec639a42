"""The one transition of the water, used by the rules and by the search for par alike (document: "WATER ACTIONS")."""

from collections.abc import Mapping
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


@lru_cache(maxsize=8192)
def moves(capacities: Amounts, amounts: Amounts) -> Mapping[Water, Amounts]:
    """The water actions that change something, in the published order, and what the vessels hold after each.

    (All vessels of the schedule have some 1,000 positions.)
    """
    return {
        action: _after(amounts, action, units)
        for action, units in ((action, moved(capacities, amounts, action)) for action in WATER)
        if units
    }


def _after(amounts: Amounts, action: Water, units: int) -> Amounts:
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
