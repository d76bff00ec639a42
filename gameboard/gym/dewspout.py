"""Dewspout in indices and arrays.

Actions, 18: 0 to 2 fill A, B, C; 3 to 5 empty; 6 to 14 pour, at 6 + 3 × `from` + `to`; 15 restart; 16 next; 17 bank. A
pour into the vessel that it comes from is well-formed and never legal.

Observation:

- ``phase``: 0 playing, 1 cleared, 2 ended.
- ``garden`` (its number), ``par``, ``garden_moves``: one number each.
- ``capacities``, ``amounts``, ``targets``, 3: of A, B and C.
"""

from typing import Any

import numpy as np
from gymnasium.spaces import Dict, Discrete

from gameboard.calls import Action
from gameboard.gym.arrays import Observation, box, counter, numbers

VESSELS = 3
LARGEST = 13
"""The largest capacity that there is."""

PHASES = ("playing", "cleared", "ended")

ACTIONS: tuple[Action, ...] = (
    *({"type": kind, "vessel": vessel} for kind in ("fill", "empty") for vessel in range(VESSELS)),
    *({"type": "pour", "from": start, "to": end} for start in range(VESSELS) for end in range(VESSELS)),
    {"type": "restart"},
    {"type": "next"},
    {"type": "bank"},
)


def space() -> Dict:
    return Dict(
        {
            "phase": Discrete(len(PHASES)),
            "garden": counter(1),
            "par": box(2, 9),
            "garden_moves": counter(),
            "capacities": box(1, LARGEST, VESSELS),
            "amounts": box(0, LARGEST, VESSELS),
            "targets": box(0, LARGEST, VESSELS),
        }
    )


def observe(state: Any) -> Observation:
    return {
        "phase": np.int64(PHASES.index(state["phase"])),
        "garden": numbers(state["garden"]),
        "par": numbers(state["par"]),
        "garden_moves": numbers(state["gardenMoves"]),
        "capacities": numbers(*state["capacities"]),
        "amounts": numbers(*state["amounts"]),
        "targets": numbers(*state["targets"]),
    }
