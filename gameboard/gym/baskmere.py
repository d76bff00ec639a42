"""Baskmere in indices and arrays.

Actions, 28: 0 to 24 MOVE, at 5 × `from` + `to`; 25 STEP_BACK; 26 NEXT_POND; 27 END_RUN. A MOVE onto the rock that it
leaves is well-formed and never legal.

Observation; rocks count from 0, and turtles are in the order of their sizes, the smallest first:

- ``phase``: 0 pond, 1 drift, 2 runOver.
- ``daylight``, ``streak``, ``pond`` (its number), ``spent``, ``par``, ``spare``, ``rocks``: one number each.
- ``piles``, ``plan``, 5 × 9: on which rock each turtle is, and is to be. Piles are always ordered by size.
- ``shells``, 3 × 9: which turtles are moss, amber, slate; ``grandshell``, 9: whose moves cost 2 Daylight.
- ``lanes``, 5 × 5: from which rock to which a turtle may swim.
- ``lily_pad``, 5: the rock that holds two turtles at most.
- ``features``, 4: lilyPad, shyShells, creek, grandshell.
- ``last_move``, 2 × 5: from and to of the move that STEP_BACK would walk back. Moves before it are left out: whatever
  is stepped back can as well be a MOVE.
"""

from typing import Any

import numpy as np
from gymnasium.spaces import Dict, Discrete, MultiBinary

from gameboard.calls import Action
from gameboard.gym.arrays import Bits, Observation, bits, box, counter, numbers

ROCKS = 5
TURTLES = 9
PHASES = ("pond", "drift", "runOver")
SHELLS = ("moss", "amber", "slate")
FEATURES = ("lilyPad", "shyShells", "creek", "grandshell")

ACTIONS: tuple[Action, ...] = (
    *({"type": "MOVE", "from": start, "to": end} for start in range(ROCKS) for end in range(ROCKS)),
    {"type": "STEP_BACK"},
    {"type": "NEXT_POND"},
    {"type": "END_RUN"},
)


def space() -> Dict:
    return Dict(
        {
            "phase": Discrete(len(PHASES)),
            "daylight": counter(),
            "streak": counter(),
            "pond": counter(1),
            "spent": counter(),
            "par": box(1, 32),
            "spare": box(0, 8),
            "rocks": box(3, ROCKS),
            "piles": MultiBinary((ROCKS, TURTLES)),
            "plan": MultiBinary((ROCKS, TURTLES)),
            "shells": MultiBinary((len(SHELLS), TURTLES)),
            "grandshell": MultiBinary(TURTLES),
            "lanes": MultiBinary((ROCKS, ROCKS)),
            "lily_pad": MultiBinary(ROCKS),
            "features": MultiBinary(len(FEATURES)),
            "last_move": MultiBinary((2, ROCKS)),
        }
    )


def observe(state: Any) -> Observation:
    pond, pad = state["pond"], state["pond"]["lilyPad"]
    turtles = list(enumerate(pond["turtles"]))
    return {
        "phase": np.int64(PHASES.index(state["phase"])),
        "daylight": numbers(state["daylight"]),
        "streak": numbers(state["streak"]),
        "pond": numbers(pond["number"]),
        "spent": numbers(state["spent"]),
        "par": numbers(pond["par"]),
        "spare": numbers(pond["spare"]),
        "rocks": numbers(pond["rocks"]),
        "piles": _rocks(state["piles"]),
        "plan": _rocks(pond["plan"]),
        "shells": bits((len(SHELLS), TURTLES), ((SHELLS.index(turtle["shell"]), at) for at, turtle in turtles)),
        "grandshell": bits((TURTLES,), ((at,) for at, turtle in turtles if turtle["grandshell"])),
        "lanes": bits(
            (ROCKS, ROCKS),
            (
                (start, end)
                for start, lanes in enumerate(pond["lanes"])
                for end, open_lane in enumerate(lanes)
                if open_lane
            ),
        ),
        "lily_pad": bits((ROCKS,), [] if pad is None else [(pad,)]),
        "features": bits((len(FEATURES),), ((FEATURES.index(feature),) for feature in pond["features"])),
        "last_move": bits(
            (2, ROCKS), (place for move in state["moves"][-1:] for place in ((0, move["from"]), (1, move["to"])))
        ),
    }


def _rocks(piles: list[list[int]]) -> Bits:
    return bits((ROCKS, TURTLES), ((rock, size - 1) for rock, pile in enumerate(piles) for size in pile))
