"""The exact search on words: a breadth-first search that moves many positions with each operation.

The 2 or 3 smallest turtles ("the small") choose a bit, all others ("the large") a word. A set of positions, such as a
level of the search, is an array of words. With 4 turtles on 5 rocks, 25 words of 25 bits hold all 625 positions:

    rock     0   1   2   3   4        small: 0 and 1    bit   1 + 4·5 = 21
    turtle   2   0   3   .   1        large: 2 and 3    word  0 + 2·5 = 10    code  10·25 + 21 = 271

A small turtle swims inside the word. Turtle 0 to rock 3 is two bits up, from 21 to 23. Every position of the word in
which turtle 0 may swim from rock 1 to rock 3 goes with it: the bits of one mask, shifted by 2.

A large turtle swims to another word, and all bits keep their place. Turtle 2 to rock 3 is three words up, from 10
to 13. It may swim where no small turtle lies on rock 0 or rock 3, which is again a mask. Here are the 25 bits of a
word with the mask "free of rocks 0 and 3"; our bit is the one in brackets:

                     rock of turtle 0
                     0   1   2   3   4
    rock of      0   .   .   .   .   .
    turtle 1     1   .   x   x   .   x
                 2   .   x   x   .   x
                 3   .   .   .   .   .
                 4   .  [x]  x   .   x

Between two rocks only one of the two tops may swim, the smaller, and it may swim back. So a table with one entry for
each word, its partner, says all about the large turtles and two rocks. Tables and masks depend on the numbers of rocks
and turtles and on the lanes alone, so they are made once. The biggest turtle has tables of its own, because the
swims of a Grandshell start from another level.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engines.baskmere.codes import code_of, open_lanes, position_of
from engines.baskmere.pond import GRANDSHELL, PAD_HOLDS, SHELLS, SHY_SHELLS, Pond, Position

Words: TypeAlias = NDArray[np.unsignedinteger[Any]]
"""A set of positions."""

Places: TypeAlias = NDArray[np.int32]
"""Places of words in an array."""

Lanes: TypeAlias = frozenset[tuple[int, int]]

SMALL = {3: 3, 4: 3, 5: 2}
"""How many turtles are small, by the number of rocks: 27, 64 and 25 bits."""

WORD = {3: np.uint32, 4: np.uint64, 5: np.uint32}
"""The type of a word, by the number of rocks."""


@dataclass(frozen=True)
class Layout:
    """How the positions of so many turtles on so many rocks are laid out in words."""

    rocks: int
    turtles: int

    @cached_property
    def small(self) -> int:
        return min(SMALL[self.rocks], self.turtles - 1)

    @cached_property
    def large(self) -> int:
        return self.turtles - self.small

    @cached_property
    def bits(self) -> int:
        return int(self.rocks**self.small)

    @cached_property
    def words(self) -> int:
        return int(self.rocks**self.large)

    @cached_property
    def all_bits(self) -> int:
        return (1 << self.bits) - 1

    def array(self, words: list[int]) -> Words:
        return np.array(words, WORD[self.rocks])

    def nothing(self) -> Words:
        """No position. The last word is no position ever: swims that do not exist lead there."""
        return np.zeros(self.words + 1, WORD[self.rocks])

    def small_positions(self) -> list[Position]:
        """The rocks of the small turtles, for each bit."""
        return [position_of(bit, self.rocks, self.small) for bit in range(self.bits)]


def mask(chosen: Iterable[bool]) -> int:
    """The bits that are chosen, the lowest first."""
    return sum(1 << bit for bit, is_chosen in enumerate(chosen) if is_chosen)


@dataclass(frozen=True, slots=True)
class Swims:
    """All swims along some lanes."""

    up: list[tuple[int, int]]
    """Small turtles to rocks of higher number: a mask, and by how much its bits are shifted."""
    down: list[tuple[int, int]]
    """The same to rocks of lower number."""
    large: list[tuple[int, Places]]
    """Large turtles but the biggest: a mask, and to which word each word goes."""
    biggest: list[tuple[int, Places, Places]]
    """The biggest turtle: a mask, from which words, and to which."""

    def onward(self, level: Words, where: NDArray[np.intp], biggest_level: Words) -> Words:
        """All that one swim reaches: from a level, with words at `where`, and by the biggest turtle from another."""
        words = level[where]
        within = np.zeros_like(words)
        for bits, shift in self.up:
            within |= (words & bits) << shift
        for bits, shift in self.down:
            within |= (words & bits) >> shift
        reached = np.zeros_like(level)
        reached[where] = within
        for free, partner in self.large:
            reached[partner[where]] |= words & free
        for free, start, end in self.biggest:
            reached[end] |= biggest_level[start] & free
        return reached


@lru_cache(maxsize=8)
def tops(rocks: int, large: int) -> NDArray[np.uint8]:
    """For each rock and word, the top one of the large turtles (from 0), or how many they are if none is there.

    One more turtle, bigger than all before, repeats the words so far once for each rock that it may be on.
    """
    top = np.full((rocks, 1), large, np.uint8)
    for turtle in range(large):
        grown = [top.copy() for _ in range(rocks)]
        for rock, repeated in enumerate(grown):
            repeated[rock][repeated[rock] == large] = turtle
        top = np.concatenate(grown, axis=1)
    return top


@lru_cache(maxsize=128)
def partners(rocks: int, large: int, pair: tuple[int, int], there: bool, back: bool) -> Places:
    """To which word each word goes by a swim between two rocks, if the lane there, or the one back, is open."""
    top = tops(rocks, large)
    first, second = top[pair[0]], top[pair[1]]
    swimmer = np.minimum(first, second)
    sign = np.where(first < second, pair[1] - pair[0], pair[0] - pair[1])
    words = np.arange(first.size)
    reached = words + sign * (rocks ** np.arange(large + 1))[swimmer]
    exists = (swimmer < large - 1) & np.where(first < second, there, back)
    return np.where(exists, reached, words.size).astype(np.int32)


def biggest_swims(layout: Layout, start: int, end: int) -> tuple[Places, Places]:
    """The words from which the biggest turtle may swim along a lane, and the words where it arrives."""
    top = tops(layout.rocks, layout.large)
    words = np.flatnonzero((top[start] == layout.large - 1) & (top[end] == layout.large))
    arrived = words + (end - start) * layout.rocks ** (layout.large - 1)
    return words.astype(np.int32), arrived.astype(np.int32)


def free_mask(layout: Layout, start: int, end: int) -> int:
    """The bits with no small turtle on two rocks."""
    return mask(start not in small and end not in small for small in layout.small_positions())


def small_swims(layout: Layout, lanes: Lanes) -> dict[int, int]:
    """For every shift that a small turtle's swim may be, the bits that it may shift."""
    shifts: dict[int, int] = {}
    for start, end in sorted(lanes):
        for turtle in range(layout.small):
            may_swim = mask(
                small[turtle] == start and start not in small[:turtle] and end not in small[:turtle]
                for small in layout.small_positions()
            )
            shift = (end - start) * layout.rocks**turtle
            shifts[shift] = shifts.get(shift, 0) | may_swim
    return shifts


@lru_cache(maxsize=32)
def swims(layout: Layout, lanes: Lanes) -> Swims:
    """All swims along these lanes."""
    shifts = small_swims(layout, lanes)
    rocks = range(layout.rocks)
    return Swims(
        up=[(bits, shift) for shift, bits in shifts.items() if shift > 0],
        down=[(bits, -shift) for shift, bits in shifts.items() if shift < 0],
        large=[
            (free_mask(layout, *pair), partners(layout.rocks, layout.large, pair, pair in lanes, pair[::-1] in lanes))
            for pair in combinations(rocks, 2)
        ],
        biggest=[(free_mask(layout, *lane), *biggest_swims(layout, *lane)) for lane in sorted(lanes)],
    )


def unshy_words(pond: Pond, layout: Layout) -> Words:
    """The positions in which no turtle lies on one of its own colour.

    The large turtles are laid under the small ones, one after the other. A turtle comes to lie under the lowest large
    one on its rock, or, if there is none yet, under the lowest small one.
    """
    legal_bits = layout.all_bits
    lowest_small = [[0] * len(SHELLS) for _ in range(layout.rocks)]
    """By rock and shell, the bits in which the lowest small turtle on the rock has this shell."""
    for bit, small in enumerate(layout.small_positions()):
        lowest: dict[int, int] = {}
        for rock, shell in zip(small, pond.shells, strict=False):
            if lowest.get(rock) == shell:
                legal_bits &= ~(1 << bit)
            lowest[rock] = shell
        for rock, shell in lowest.items():
            lowest_small[rock][shell] |= 1 << bit

    legal = layout.array([legal_bits])
    lowest_large = np.full((layout.rocks, 1), len(SHELLS), np.uint8)
    for shell in pond.shells[layout.small :]:
        others = [0 if other == shell else layout.all_bits for other in range(len(SHELLS))]
        under = [layout.array([*others, layout.all_bits & ~on_rock[shell]]) for on_rock in lowest_small]
        legal = np.concatenate([legal & under[rock][lowest_large[rock]] for rock in range(layout.rocks)])
        grown = [lowest_large.copy() for _ in range(layout.rocks)]
        for rock, repeated in enumerate(grown):
            repeated[rock] = shell
        lowest_large = np.concatenate(grown, axis=1)
    return legal


def unsunk_words(lily_pad: int, layout: Layout) -> Words:
    """The positions in which the lily pad holds no more turtles than it can."""
    large = np.zeros(1, np.uint8)
    for _ in range(layout.large):
        large = np.concatenate([large + (rock == lily_pad) for rock in range(layout.rocks)])
    small = [position.count(lily_pad) for position in layout.small_positions()]
    return layout.array([mask(more + held <= PAD_HOLDS for more in small) for held in range(layout.large + 1)])[large]


def legal_words(pond: Pond, layout: Layout) -> Words:
    """All legal positions."""
    legal = layout.nothing()
    legal[:-1] = layout.all_bits
    if pond.has(SHY_SHELLS):
        legal[:-1] &= unshy_words(pond, layout)
    if pond.lily_pad is not None:
        legal[:-1] &= unsunk_words(pond.lily_pad, layout)
    return legal


@dataclass(frozen=True, slots=True)
class WordDistances:
    """Distances in binary: plane j holds the positions whose distance has the bit 2**j."""

    pond: Pond
    layout: Layout
    reached: Words
    planes: list[Words]
    deepest: int

    @property
    def nbytes(self) -> int:
        return self.reached.nbytes + sum(plane.nbytes for plane in self.planes)

    def of(self, position: Position) -> int | None:
        word, bit = divmod(code_of(position, self.layout.rocks), self.layout.bits)
        if not self.reached.item(word) >> bit & 1:
            return None
        distance = 0
        for power, plane in enumerate(self.planes):
            distance |= (plane.item(word) >> bit & 1) << power
        return distance

    def count(self, distance: int, off: int | None = None) -> int:
        return int(np.bitwise_count(self.level(distance, off)).sum())

    def pick(self, distance: int, k: int, off: int | None = None) -> Position:
        level = self.level(distance, off)
        counted = np.bitwise_count(level).cumsum()
        word = int(counted.searchsorted(k, side="right"))
        bits: int = level.item(word)
        for _ in range(k - int(counted[word] - np.bitwise_count(level[word]))):
            bits &= bits - 1  # takes the lowest bit away
        bit = (bits & -bits).bit_length() - 1
        return position_of(word * self.layout.bits + bit, self.layout.rocks, self.layout.turtles)

    def level(self, distance: int, off: int | None) -> Words:
        """All positions at this distance; with `off`, those whose biggest turtle is not on that rock."""
        if not 0 <= distance <= self.deepest:
            return np.zeros_like(self.reached)
        level = self.reached.copy()
        for power, plane in enumerate(self.planes):
            level &= plane if distance >> power & 1 else ~plane
        if off is not None:
            level.reshape(self.layout.rocks, -1)[off] = 0
        return level

    def closed(self) -> bool:
        lost = legal_words(self.pond, self.layout)[:-1] & ~self.reached
        if not lost.any():
            return True
        reached = self.layout.nothing()
        reached[:-1] = self.reached
        onward = swims(self.layout, frozenset(open_lanes(self.pond)))
        return not (onward.onward(reached, np.flatnonzero(reached), reached)[:-1] & lost).any()


def search_words(pond: Pond) -> WordDistances:
    """The distances of a pond, a level at a time."""
    layout = Layout(pond.rocks, pond.turtles)
    backwards = swims(layout, frozenset((end, start) for start, end in open_lanes(pond)))
    legal = legal_words(pond, layout)
    word, bit = divmod(code_of(pond.plan, pond.rocks), layout.bits)
    level, before = layout.nothing(), layout.nothing()
    level[word] = 1 << bit
    unreached = legal ^ level
    planes: list[Words] = []
    distance = deepest = 0
    # After a level without positions there may be one that the Grandshell reaches from the level before; after two
    # there is none.
    where, where_before = np.flatnonzero(level), np.flatnonzero(before)
    while where.size or where_before.size:
        distance += 1
        reached = backwards.onward(level, where, before if pond.has(GRANDSHELL) else level)
        reached &= unreached
        unreached ^= reached
        before, level = level, reached
        where_before, where = where, np.flatnonzero(level)
        if where.size:
            deepest = distance
            note(planes, distance, level[:-1])
    return WordDistances(pond, layout, (legal ^ unreached)[:-1].copy(), planes, deepest)


def note(planes: list[Words], distance: int, level: Words) -> None:
    """Write a distance into the planes, for all positions of its level."""
    while distance >> len(planes):
        planes.append(np.zeros_like(level))
    for power, plane in enumerate(planes):
        if distance >> power & 1:
            plane |= level
