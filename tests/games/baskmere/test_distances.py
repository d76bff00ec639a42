"""The exact search against a literal one: explicit piles, the rules as the document words them, Dijkstra over moves."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache, lru_cache
from heapq import heappop, heappush
from itertools import combinations, pairwise, product
from random import Random

import pytest

from engines.baskmere.distances import Distances, search, search_small, search_words
from engines.baskmere.pond import FEATURES, Pond, Position

MIXES = [mix for size in range(len(FEATURES) + 1) for mix in combinations(FEATURES, size)]
SMALL_SIZES = [(3, 3), (3, 4), (3, 5), (4, 3), (4, 4), (4, 5), (5, 3), (5, 4)]
PONDS_EACH = 2
PICKS = 10
SAMPLED_SIZES = [(4, 9), (5, 9)]
SHELLS = (0, 1, 2, 1, 0, 2, 1, 2, 0)

Piles = list[list[int]]
Table = dict[Position, int]


def piles_of(pond: Pond, position: Position) -> Piles:
    """The turtles on each rock, from the bottom up."""
    piles: Piles = [[] for _ in range(pond.rocks)]
    for turtle in reversed(range(len(position))):
        piles[position[turtle]].append(turtle)
    return piles


def lies_legally(pond: Pond, piles: Piles) -> bool:
    for rock, pile in enumerate(piles):
        if "lilyPad" in pond.features and rock == pond.lily_pad and len(pile) > 2:
            return False
        if "shyShells" in pond.features and any(
            pond.shells[below] == pond.shells[above] for below, above in pairwise(pile)
        ):
            return False
    return True


def moves(pond: Pond, position: Position) -> Iterator[tuple[int, Position]]:
    """Every legal move from a position: what it costs and where it leads."""
    piles = piles_of(pond, position)
    for start, end in product(range(pond.rocks), repeat=2):
        if start == end or not piles[start]:
            continue
        if "creek" in pond.features and (start, end) in ((1, 0), (2, 1), (0, 2)):
            continue
        turtle = piles[start][-1]
        if piles[end]:
            under = piles[end][-1]
            if under < turtle or ("shyShells" in pond.features and pond.shells[under] == pond.shells[turtle]):
                continue
        if "lilyPad" in pond.features and end == pond.lily_pad and len(piles[end]) == 2:
            continue
        cost = 2 if "grandshell" in pond.features and turtle == len(position) - 1 else 1
        yield cost, (*position[:turtle], end, *position[turtle + 1 :])


def legal_positions(pond: Pond) -> list[Position]:
    """All legal positions in order of code: the biggest turtle's rock counts most."""
    backwards = product(range(pond.rocks), repeat=len(pond.shells))
    positions = (tuple(reversed(rocks)) for rocks in backwards)
    return [position for position in positions if lies_legally(pond, piles_of(pond, position))]


@lru_cache(maxsize=PONDS_EACH)
def all_moves(pond: Pond) -> dict[Position, list[tuple[int, Position]]]:
    """The legal moves from every legal position."""
    return {position: list(moves(pond, position)) for position in legal_positions(pond)}


@cache
def literal(pond: Pond) -> Table:
    """The distance of every position that can reach the plan."""
    arrivals: dict[Position, list[tuple[int, Position]]] = {position: [] for position in all_moves(pond)}
    for position, onward in all_moves(pond).items():
        for cost, there in onward:
            arrivals[there].append((cost, position))
    found: Table = {}
    queue = [(0, pond.plan)]
    while queue:
        distance, position = heappop(queue)
        if position not in found:
            found[position] = distance
            for cost, before in arrivals[position]:
                heappush(queue, (distance + cost, before))
    return found


def literally_closed(pond: Pond) -> bool:
    """Whether all that can be reached from positions that can reach the plan can reach the plan too."""
    reachable = set(literal(pond))
    waiting = list(reachable)
    while waiting:
        for _, there in all_moves(pond)[waiting.pop()]:
            if there not in reachable:
                reachable.add(there)
                waiting.append(there)
    return reachable == set(literal(pond))


def random_position(pond: Pond, random: Random) -> Position | None:
    """A legal position, or None if none was found: some colours have none."""
    for _ in range(5000):
        position = tuple(random.randrange(pond.rocks) for _ in pond.shells)
        if lies_legally(pond, piles_of(pond, position)):
            return position
    return None


def pond_with(rocks: int, shells: tuple[int, ...], mix: tuple[str, ...], random: Random) -> Pond | None:
    """A pond with a random lily pad and a random legal plan, or None if none was found."""
    lily_pad = random.randrange(rocks - 1) if "lilyPad" in mix else None
    pond = Pond(1, rocks, shells, lily_pad, mix, ())
    plan = random_position(pond, random)
    return None if plan is None else replace(pond, plan=plan)


@cache
def small_ponds(rocks: int, turtles: int, mix: tuple[str, ...]) -> list[Pond]:
    """A few ponds with colours of all kinds."""
    random = Random(f"{rocks} {turtles} {mix}")
    ponds: list[Pond] = []
    while len(ponds) < PONDS_EACH:
        pond = pond_with(rocks, tuple(random.randrange(3) for _ in range(turtles)), mix, random)
        if pond is not None:
            ponds.append(pond)
    return ponds


def both_engines(pond: Pond) -> list[Distances]:
    return [search_small(pond), search_words(pond)]


@pytest.mark.parametrize("mix", MIXES, ids="+".join)
@pytest.mark.parametrize(("rocks", "turtles"), SMALL_SIZES)
def test_distances_and_proof_of_small_ponds_are_those_of_a_literal_search(
    rocks: int, turtles: int, mix: tuple[str, ...]
) -> None:
    for pond in small_ponds(rocks, turtles, mix):
        wanted = literal(pond)
        for found in both_engines(pond):
            assert found.deepest == max(wanted.values())
            for position in product(range(rocks), repeat=turtles):
                assert found.of(position) == wanted.get(position)
            assert found.closed() == literally_closed(pond)


@pytest.mark.untraced
@pytest.mark.parametrize("mix", MIXES, ids="+".join)
@pytest.mark.parametrize(("rocks", "turtles"), SMALL_SIZES)
def test_positions_at_a_distance_are_counted_and_picked_in_order_of_code(
    rocks: int, turtles: int, mix: tuple[str, ...]
) -> None:
    random = Random(f"{rocks} {turtles} {mix}")
    for pond in small_ponds(rocks, turtles, mix)[:1]:
        wanted = literal(pond)
        in_order = sorted(wanted, key=lambda position: position[::-1])
        for found, off in product(both_engines(pond), (None, *range(rocks))):
            for distance in range(found.deepest + 1):
                listed = [at for at in in_order if wanted[at] == distance and at[-1] != off]
                assert found.count(distance, off) == len(listed)
                every = range(len(listed))
                for k in every if len(listed) <= PICKS else sorted(random.sample(every, PICKS)):
                    assert found.pick(distance, k, off) == listed[k]
                with pytest.raises(IndexError):
                    found.pick(distance, len(listed), off)


def test_the_small_ponds_have_every_outcome_of_the_proof() -> None:
    ponds = [pond for mix in MIXES for pond in small_ponds(3, 5, mix)]
    outcomes = {(literally_closed(pond), len(literal(pond)) == len(legal_positions(pond))) for pond in ponds}
    assert outcomes == {(True, True), (True, False), (False, False)}


@pytest.mark.parametrize("distance", [-1, 4, 0xFFFE, 0xFFFF, 0x10000])
def test_no_position_is_farther_than_the_deepest_or_nearer_than_the_plan(distance: int) -> None:
    pond = Pond(1, 3, (0, 0), 0, ("lilyPad",), (2, 2))
    for found in both_engines(pond):
        assert found.deepest == 3
        assert found.count(distance) == 0


@pytest.mark.untraced
@pytest.mark.parametrize("mix", MIXES, ids="+".join)
@pytest.mark.parametrize(("rocks", "turtles"), [(3, 7), (4, 6), (5, 5)])
def test_both_engines_agree_on_ponds_that_are_larger(rocks: int, turtles: int, mix: tuple[str, ...]) -> None:
    pond = pond_with(rocks, SHELLS[:turtles], mix, Random(f"{rocks} {turtles} {mix}"))
    if pond is not None:
        one, other = both_engines(pond)
        assert one.closed() == other.closed()
        assert one.deepest == other.deepest
        assert all(one.count(distance) == other.count(distance) for distance in range(one.deepest + 1))
        assert all(one.of(at) == other.of(at) for at in product(range(rocks), repeat=turtles))


@pytest.mark.untraced
@pytest.mark.parametrize("mix", MIXES, ids="+".join)
@pytest.mark.parametrize(("rocks", "turtles"), SAMPLED_SIZES)
def test_sampled_positions_of_the_largest_ponds_are_one_move_farther_than_the_nearest_next(
    rocks: int, turtles: int, mix: tuple[str, ...]
) -> None:
    random = Random(f"{rocks} {turtles} {mix}")
    pond = pond_with(rocks, SHELLS, mix, random)
    assert pond is not None
    found = search(pond)
    assert found.of(pond.plan) == 0
    for _ in range(50):
        position = random_position(pond, random)
        assert position is not None
        check_step(pond, found, position)


def check_step(pond: Pond, found: Distances, position: Position) -> None:
    """The distance of a position is what its moves say."""
    beyond = [(cost, found.of(there)) for cost, there in moves(pond, position)]
    onward = [cost + distance for cost, distance in beyond if distance is not None]
    if position == pond.plan:
        assert found.of(position) == 0
    else:
        assert found.of(position) == min(onward, default=None)


@pytest.mark.untraced
@pytest.mark.parametrize("mix", MIXES, ids="+".join)
@pytest.mark.parametrize(("rocks", "turtles"), SAMPLED_SIZES)
def test_picked_positions_of_the_largest_ponds_lie_where_they_should(
    rocks: int, turtles: int, mix: tuple[str, ...]
) -> None:
    random = Random(f"{rocks} {turtles} {mix}")
    pond = pond_with(rocks, SHELLS, mix, random)
    assert pond is not None
    found = search(pond)
    for distance in (1, found.deepest // 2, found.deepest):
        count = found.count(distance)
        off = pond.plan[-1]
        assert sum(count - found.count(distance, rock) for rock in range(rocks)) == count
        for choice, many in ((None, count), (off, found.count(distance, off))):
            places = sorted({0, many - 1, *(random.randrange(many) for _ in range(10))} if many else set())
            picked = [found.pick(distance, k, choice) for k in places]
            assert picked == sorted(set(picked), key=lambda position: position[::-1])
            assert all(position[-1] != choice for position in picked)
            for position in picked:
                assert found.of(position) == distance
                check_step(pond, found, position)


@pytest.mark.parametrize(
    ("rocks", "moves_needed"),
    [(4, (9, 13, 17, 25, 33, 41)), (5, (7, 11, 15, 19, 23, 27)), (3, (15, 31, 63, 127, 255, 511))],
)
def test_towers_need_as_many_moves_as_frame_and_stewart_say(rocks: int, moves_needed: tuple[int, ...]) -> None:
    for turtles, needed in enumerate(moves_needed, start=4):
        found = search(Pond(1, rocks, SHELLS[:turtles], None, (), (rocks - 1,) * turtles))
        assert found.of((0,) * turtles) == needed


@pytest.mark.parametrize(
    ("rocks", "turtles", "engine"),
    [(3, 9, search_small), (4, 5, search_small), (4, 6, search_words), (5, 4, search_small), (5, 5, search_words)],
)
def test_the_engine_is_chosen_by_size(rocks: int, turtles: int, engine: Callable[[Pond], Distances]) -> None:
    pond = Pond(1, rocks, SHELLS[:turtles], None, (), (rocks - 1,) * turtles)
    assert type(search(pond)) is type(engine(pond))


@pytest.mark.parametrize(("rocks", "turtles", "most"), [(3, 9, 40_000), (4, 9, 300_000), (5, 9, 2_200_000)])
def test_tables_are_small(rocks: int, turtles: int, most: int) -> None:
    mix = ("creek", "grandshell") if rocks == 3 else FEATURES
    pond = pond_with(rocks, SHELLS[:turtles], mix, Random(1))
    assert pond is not None
    assert 0 < search(pond).nbytes <= most


def test_many_threads_search_at_once() -> None:
    ponds = [pond for mix in MIXES if (pond := pond_with(5, SHELLS[:6], mix, Random(repr(mix)))) is not None]

    def counts(pond: Pond) -> list[int]:
        found = search(pond)
        return [found.count(distance) for distance in range(found.deepest + 1)]

    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(counts, ponds * 4))
    assert together == [counts(pond) for pond in ponds] * 4
