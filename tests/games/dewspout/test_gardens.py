"""Dewspout's gardens: the schedule, exact pars, one draw each."""

from itertools import pairwise

import pytest

from engines.dewspout import gardens, rules
from engines.dewspout.actions import Next
from engines.dewspout.gardens import FIRST, distances, following, pool, schedule
from engines.dewspout.state import Amounts, Garden
from engines.kit.mulberry32 import below


@pytest.mark.parametrize(
    ("capacities", "reachable", "deepest"),
    [((3, 5, 8), 160, 11), ((4, 7, 9), 256, 9), ((5, 8, 11), 368, 12), ((6, 9, 13), 500, 12)],
)
def test_the_reachable_vectors_of_the_schedule(capacities: Amounts, reachable: int, deepest: int) -> None:
    found = distances(capacities)
    assert (len(found), max(found.values())) == (reachable, deepest)


def test_the_schedule() -> None:
    expected = {
        2: ((3, 5, 8), {3, 4, 5}),
        3: ((3, 5, 8), {3, 4, 5}),
        4: ((4, 7, 9), {5, 6, 7}),
        6: ((4, 7, 9), {5, 6, 7}),
        7: ((3, 5, 8), {6}),
        8: ((4, 7, 9), {6}),
        9: ((5, 8, 11), {6}),
        10: ((6, 9, 13), {6}),
        11: ((3, 5, 8), {7}),
        18: ((6, 9, 13), {8}),
        19: ((3, 5, 8), {9}),
        22: ((6, 9, 13), {9}),
        23: ((3, 5, 8), {6}),
        7 + 16 * 1000: ((3, 5, 8), {6}),
    }
    assert {number: (schedule(number)[0], set(schedule(number)[1])) for number in expected} == expected


def test_a_pool_is_sorted_and_holds_partial_volumes_of_the_wanted_pars() -> None:
    for number in range(2, 23):
        capacities, pars = schedule(number)
        targets = pool(capacities, pars)
        assert list(targets) == sorted(set(targets))
        for target in targets:
            assert distances(capacities)[target] in pars
            assert any(units not in (0, full) for units, full in zip(target, capacities, strict=True))


def test_the_fallback_never_fires_in_the_schedule() -> None:
    for number in range(2, 23):
        capacities, pars = schedule(number)
        assert {distances(capacities)[target] for target in pool(capacities, pars)} == set(pars)


@pytest.mark.parametrize(
    ("wanted", "taken"), [(range(2, 3), 2), (range(5, 6), 4), (range(9, 12), 4), (range(1, 2), 2), (range(3, 4), 2)]
)
def test_an_empty_depth_falls_back_to_the_nearest(monkeypatch: pytest.MonkeyPatch, wanted: range, taken: int) -> None:
    """Made-up depths: 1 is too shallow, 3 is empty between 2 and 4."""
    depths: dict[Amounts, int] = {(0, 0, 0): 0, (1, 0, 0): 1, (0, 1, 0): 2, (0, 1, 1): 2, (1, 1, 0): 4}
    monkeypatch.setattr(gardens, "distances", lambda _: depths)
    assert pool.__wrapped__((2, 2, 2), wanted) == tuple(
        sorted(target for target, depth in depths.items() if depth == taken)
    )


@pytest.mark.parametrize("seed", [0, 7, 4294967295])
def test_each_next_is_one_draw_from_the_pool(seed: int) -> None:
    cursor, garden = seed, FIRST
    for _ in range(40):
        capacities, pars = schedule(garden.number + 1)
        targets = [
            target for target in pool(capacities, pars) if (capacities, target) != (garden.capacities, garden.targets)
        ]
        after, drawn = below(cursor, len(targets))
        cursor, garden = following(garden, cursor)
        assert cursor == after
        assert garden.targets == targets[drawn]
        assert garden.par == distances(garden.capacities)[garden.targets]


def test_a_target_does_not_come_twice_in_a_row_in_the_same_vessels() -> None:
    for seed in range(2000):
        cursor, garden = seed, FIRST
        for _ in range(5):
            before = garden
            cursor, garden = following(garden, cursor)
            assert (garden.capacities, garden.targets) != (before.capacities, before.targets)


def test_the_only_target_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gardens, "pool", lambda capacities, pars: ((0, 1, 4),))
    last = Garden(4, (4, 7, 9), (0, 1, 4), 5)
    assert following(last, 7)[1].targets == (0, 1, 4)


def test_seeds_play_different_gardens_at_every_depth() -> None:
    seeds = range(200)
    runs = {seed: (seed, FIRST) for seed in seeds}
    for number in range(2, 24):
        runs = {seed: following(garden, cursor) for seed, (cursor, garden) in runs.items()}
        capacities, pars = schedule(number)
        drawn = {garden.targets for _, garden in runs.values()}
        assert len(drawn) >= min(8, len(pool(capacities, pars))) > 1


def test_neighbouring_seeds_share_no_run() -> None:
    def targets(seed: int) -> list[Amounts]:
        cursor, garden, drawn = seed, FIRST, []
        for _ in range(12):
            cursor, garden = following(garden, cursor)
            drawn.append(garden.targets)
        return drawn

    runs = [targets(seed) for seed in range(300)]
    assert len({tuple(run) for run in runs}) == 300
    for first, second in pairwise(runs):
        assert sum(a == b for a, b in zip(first, second, strict=True)) <= 6


def test_every_par_of_garden_2_and_of_garden_4_occurs() -> None:
    begun = [rules.begin(seed) for seed in range(300)]
    pars = {rules.apply(state, Next()).garden.par for state in begun}
    assert pars == {3, 4, 5}
