"""Parts of observations: spaces of whole numbers, and the arrays that lie in them."""

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

Bits: TypeAlias = NDArray[np.int8]
Numbers: TypeAlias = NDArray[np.int32]
Observation: TypeAlias = dict[str, Any]
"""Arrays by name, and numpy integers for what is one of a few."""

MOST = 2**31 - 1
"""The bound of what may grow as long as a run lasts. Beyond it, counts are told as this."""


def box(low: int, high: int, *shape: int) -> Box:
    """Whole numbers from `low` to `high`, both included: a single one where no shape is given."""
    return Box(low, high, shape or (1,), dtype=np.int32)


def counter(low: int = 0, length: int = 1) -> Box:
    """Counts that have no bound of their own."""
    return box(low, MOST, length)


def numbers(*values: int) -> Numbers:
    """The values as an array, those that are too large clipped."""
    return np.array([min(value, MOST) for value in values], dtype=np.int32)


def bits(shape: tuple[int, ...], ones: Iterable[tuple[int, ...]]) -> Bits:
    """Zeros, but ones at these places."""
    array = np.zeros(shape, dtype=np.int8)
    for place in ones:
        array[place] = 1
    return array
