"""Sumi Steps in indices and arrays.

Actions, 7: 0 to 3 step up, down, left, right; 4 undo; 5 reset; 6 endRun.

Observation; a garden lies in the upper left of 8 × 8 plots, rows first:

- ``phase``: 0 raking, 1 complete, 2 ended.
- ``garden`` (its number), ``stones_reached``: one number each.
- ``plots``, 8 × 8: which ones the garden has.
- ``stones``, 8 × 8: the number of the stone there, or 0.
- ``stroke``, 8 × 8: 1 where the ink starts, one more at each step of it, 0 where the plot is bare.
- ``head``, 8 × 8: where the ink ends.
- ``fences``, 4 × 8 × 8: whether a fence shuts a plot up, down, left, right. A fence is told of both its plots; the edge
  of the garden is none.
- ``wasted``, 9: steps wasted in each garden up to this one: undos, and ten for each reset.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from gymnasium.spaces import Dict, Discrete, MultiBinary

from gameboard.calls import Action
from gameboard.gym.arrays import Observation, bits, box, counter, numbers

SIDE = 8
GARDENS = 9
STONES = 8
PER_RESET = 10
PHASES = ("raking", "complete", "ended")
DIRECTIONS = ("up", "down", "left", "right")
UP, DOWN, LEFT, RIGHT = range(4)

ACTIONS: tuple[Action, ...] = (
    *({"type": "step", "direction": direction} for direction in DIRECTIONS),
    {"type": "undo"},
    {"type": "reset"},
    {"type": "endRun"},
)


def space() -> Dict:
    return Dict(
        {
            "phase": Discrete(len(PHASES)),
            "garden": box(1, GARDENS),
            "stones_reached": box(1, STONES),
            "plots": MultiBinary((SIDE, SIDE)),
            "stones": box(0, STONES, SIDE, SIDE),
            "stroke": box(0, SIDE * SIDE, SIDE, SIDE),
            "head": MultiBinary((SIDE, SIDE)),
            "fences": MultiBinary((len(DIRECTIONS), SIDE, SIDE)),
            "wasted": counter(length=GARDENS),
        }
    )


def observe(state: Any) -> Observation:
    plots = np.zeros((SIDE, SIDE), dtype=np.int8)
    plots[: state["rows"], : state["cols"]] = 1
    stones, stroke = np.zeros((SIDE, SIDE), dtype=np.int32), np.zeros((SIDE, SIDE), dtype=np.int32)
    for stone in state["stones"]:
        stones[_place(stone)] = stone["number"]
    for step, plot in enumerate(state["stroke"], start=1):
        stroke[_place(plot)] = step
    return {
        "phase": np.int64(PHASES.index(state["phase"])),
        "garden": numbers(state["garden"]),
        "stones_reached": numbers(state["stonesReached"]),
        "plots": plots,
        "stones": stones,
        "stroke": stroke,
        "head": bits((SIDE, SIDE), [_place(state["stroke"][-1])]),
        "fences": bits((len(DIRECTIONS), SIDE, SIDE), _shut(state["fences"])),
        "wasted": numbers(*_wasted(state)),
    }


def _place(plot: Any) -> tuple[int, int]:
    return plot["row"], plot["col"]


def _shut(fences: Any) -> Iterator[tuple[int, int, int]]:
    """The sides that fences shut. Of its two plots the one above or to the left comes first."""
    for first, second in fences:
        towards, back = (RIGHT, LEFT) if first["row"] == second["row"] else (DOWN, UP)
        yield towards, *_place(first)
        yield back, *_place(second)


def _wasted(state: Any) -> list[int]:
    wasted = [entry["wasted"] for entry in state["completed"]]
    if len(wasted) < state["garden"]:
        wasted.append(state["undos"] + PER_RESET * state["resets"])
    return wasted + [0] * (GARDENS - len(wasted))
