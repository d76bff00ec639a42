"""The exact search: how much Daylight every position of a pond needs to reach the plan.

(Document: "PAR AND SPARE", "SUNSET", "LAST LIGHT".) One breadth-first search starts at the plan and walks every swim
backwards. It finds, level by level, the positions that need 1, 2, 3, … Daylight. Par of any start is then a look-up,
and so is the question whether the Daylight left still settles the pond.

What makes the search simple: between two legal positions, a swim of a top turtle along an open lane onto nothing or a
bigger turtle is always legal. So lily pad and shy shells only take positions away, and once those are gone nothing
else needs to be asked of a swim. The creek closes lanes; walking backwards means lanes the other way round. A
Grandshell's swim costs 2, so its level takes it from the last level but one.

Two engines search, and their results are the same in every answer:

- `small`: plain Python, one position after the other. It wins where there are few positions, and on 3 rocks, where
  the creek makes a thousand levels of a dozen positions each.
- `words`: NumPy, many positions at once, each a bit of a word. It wins everywhere else.
"""

from typing import Protocol

from engines.baskmere.pond import Pond, Position
from engines.baskmere.small import search_small
from engines.baskmere.words import search_words

__all__ = ["Distances", "search", "search_small", "search_words"]

FEW_ROCKS = 3
FEW_POSITIONS = 1024
"""Up to so many rocks or positions, plain Python is the faster engine."""


class Distances(Protocol):
    """The least Daylight from every position of a pond to its plan. It never changes, so threads may share it."""

    @property
    def deepest(self) -> int:
        """The greatest distance that occurs."""

    @property
    def nbytes(self) -> int:
        """Memory of the table."""

    def of(self, position: Position) -> int | None:
        """The distance of a position, or None if it is illegal or cannot reach the plan."""

    def count(self, distance: int, off: int | None = None) -> int:
        """How many positions lie at exactly this distance; with `off`, those with the biggest turtle off that rock."""

    def pick(self, distance: int, k: int, off: int | None = None) -> Position:
        """The k-th of the positions that `count` counts, from 0, in order of their codes."""

    def closed(self) -> bool:
        """The proof: no legal move leads from a position that can reach the plan to one that cannot."""


def search(pond: Pond) -> Distances:
    """The distances of a pond, by the engine that is faster for its size."""
    few = pond.rocks <= FEW_ROCKS or pond.rocks**pond.turtles <= FEW_POSITIONS
    return search_small(pond) if few else search_words(pond)
