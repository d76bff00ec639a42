"""A pond: rocks, turtles, plan and features, and the moves that they allow."""

from dataclasses import dataclass, field
from typing import TypeAlias

Position: TypeAlias = tuple[int, ...]
"""The rock of each turtle, the smallest first. Piles are always ordered, so this says everything."""

LILY_PAD, SHY_SHELLS, CREEK, GRANDSHELL = FEATURES = ("lilyPad", "shyShells", "creek", "grandshell")

SHELLS = ("moss", "amber", "slate")
"""The colours of shells."""

PAD_HOLDS = 2
"""Turtles that a lily pad holds at most."""

MOST_COST = 2
"""Daylight that a move costs at most: the Grandshell's."""

CREEK_ROCKS = 3
"""The creek runs one way around the rocks 0, 1 and 2."""


@dataclass(frozen=True, slots=True)
class Pond:
    """A puzzle: move the turtles until they lie as in `plan`. Frozen and hashable: its distances are cached by it."""

    number: int
    rocks: int
    shells: tuple[int, ...]
    """The colour of each turtle's shell, 0 to 2, the smallest turtle first."""
    lily_pad: int | None
    """The rock that is a lily pad, if `features` has one."""
    features: tuple[str, ...]
    """Some of `FEATURES`, in their order."""
    plan: Position

    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.number, self.plan, self.shells)))

    def __hash__(self) -> int:
        """Made once: so much is looked up by the pond."""
        return self._hash

    @property
    def turtles(self) -> int:
        return len(self.shells)

    @property
    def sun_rock(self) -> int:
        return self.rocks - 1

    def has(self, feature: str) -> bool:
        return feature in self.features

    def lane(self, start: int, end: int) -> bool:
        """Whether a turtle may swim from one rock to another."""
        if start == end:
            return False
        if self.has(CREEK) and start < CREEK_ROCKS and end < CREEK_ROCKS:
            return (end - start) % CREEK_ROCKS == 1
        return True

    def rests(self, turtle: int, under: int | None) -> bool:
        """Whether a turtle may rest directly on another (0 is the smallest), or on a bare rock."""
        if under is None:
            return True
        return turtle < under and not (self.shells[turtle] == self.shells[under] and self.has(SHY_SHELLS))

    def cost(self, turtle: int) -> int:
        """Daylight that a move of this turtle costs (0 is the smallest)."""
        return MOST_COST if self.has(GRANDSHELL) and turtle == self.turtles - 1 else 1
