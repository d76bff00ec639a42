"""Sumi Steps' gardens: always a stroke, never the same, and no trace of the snake that they start from."""

from itertools import pairwise

import pytest

from engines.kit.mulberry32 import stream
from engines.sumi_steps.gardens import FENCES, SIZES, cells, garden, later_stones
from engines.sumi_steps.state import NOWHERE
from engines.sumi_steps.stroke import random_stroke, snake, ways
from tests.games.sumi_steps.plays import at_garden, played, solution

SEEDS = (0, 1, 7, 4294967295)


def test_the_sizes_make_the_maximum_exact() -> None:
    assert [(rows, cols) for rows, cols, _ in SIZES] == [
        (4, 4), (4, 5), (5, 5), (5, 6), (6, 6), (6, 7), (7, 7), (7, 8), (8, 8),
    ]  # fmt: skip
    assert [stones for *_, stones in SIZES] == [4, 4, 5, 5, 6, 6, 7, 7, 8]
    assert sum(map(cells, range(1, 10))) == 338
    assert sum(map(later_stones, range(1, 10))) == 43
    assert 43 * 10 + (675 + 25 * 45) + 2 * 338 + 250 == 3156


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("number", range(1, 10))
def test_a_garden_is_laid_as_it_must_be(seed: int, number: int) -> None:
    made, (rows, cols, stones) = garden(seed, number), SIZES[number - 1]
    assert (made.number, made.rows, made.cols, len(made.stones)) == (number, rows, cols, stones)
    assert len(set(made.stones)) == stones
    assert all(0 <= plot < rows * cols for plot in made.stones)
    assert list(made.fences) == sorted(set(made.fences))
    assert len(made.fences) == FENCES[number - 1]
    free = ways(rows, cols)
    for here, there in made.fences:
        assert here < there
        assert there in free[here]
    for plot, open_ways in enumerate(made.ways):
        for way, other in zip(open_ways, free[plot], strict=True):
            shut = (min(plot, other), max(plot, other)) in made.fences
            assert way == (NOWHERE if shut else other)


def test_later_gardens_have_more_fences() -> None:
    assert all(fewer < more for fewer, more in pairwise(FENCES))


def test_a_garden_is_made_without_the_others() -> None:
    garden.cache_clear()
    alone = garden(7, 9)
    garden.cache_clear()
    assert [garden(7, number) for number in range(1, 10)][8] == alone
    assert garden.cache_info().misses == 9


@pytest.mark.untraced
@pytest.mark.parametrize("number", range(1, 10))
def test_seeds_make_different_gardens(number: int) -> None:
    made = {(garden(seed, number).stones, garden(seed, number).fences) for seed in range(200)}
    assert len(made) > (170 if number == 1 else 190)


@pytest.mark.untraced
def test_no_two_of_many_seeds_make_the_same_nine_gardens() -> None:
    runs = {tuple((garden(seed, n).stones, garden(seed, n).fences) for n in (1, 2)) for seed in range(1500)}
    assert len(runs) == 1500


@pytest.mark.parametrize("number", [0, 1, 9])
def test_a_stream_is_another_one_for_every_seed(number: int) -> None:
    assert len({stream(seed, number) for seed in range(100_000)}) == 100_000
    assert len({stream(7, other) for other in range(1000)}) == 1000


@pytest.mark.parametrize(("rows", "cols"), [(rows, cols) for rows, cols, _ in SIZES])
def test_a_random_stroke_visits_every_plot_once(rows: int, cols: int) -> None:
    for seed in range(60):
        cursor, path = random_stroke(rows, cols, seed)
        assert cursor != seed
        assert sorted(path) == list(range(rows * cols))
        assert all(there in ways(rows, cols)[here] for here, there in pairwise(path))


def turns(path: list[int]) -> int:
    return sum(second - first != third - second for first, second, third in zip(path, path[1:], path[2:], strict=False))


@pytest.mark.untraced
@pytest.mark.parametrize(("rows", "cols"), [(4, 4), (5, 5), pytest.param(8, 8, marks=pytest.mark.sweep)])
def test_the_snake_is_forgotten(rows: int, cols: int) -> None:
    """Turns and ends are spread as after ten times as many moves; the snake has far fewer turns."""
    few = [random_stroke(rows, cols, stream(seed, 1))[1] for seed in range(400)]
    many = [random_stroke(rows, cols, stream(seed, 2), 120)[1] for seed in range(200)]

    def share(paths: list[list[int]], plots: set[int]) -> float:
        return sum(path[0] in plots for path in paths) / len(paths)

    corners = {0, cols - 1, (rows - 1) * cols, rows * cols - 1}
    inner = {row * cols + col for row in range(1, rows - 1) for col in range(1, cols - 1)}
    mean_few, mean_many = (sum(map(turns, paths)) / len(paths) for paths in (few, many))
    spread = (sum((turns(path) - mean_many) ** 2 for path in many) / len(many)) ** 0.5
    error = spread * (1 / len(few) + 1 / len(many)) ** 0.5
    assert abs(mean_few - mean_many) < 3.5 * error
    assert turns(snake(rows, cols)) < mean_few - spread
    for plots in (corners, inner):
        assert abs(share(few, plots) - share(many, plots)) < 0.15
    assert len({path[0] for path in few}) > rows * cols * 0.45


@pytest.mark.untraced
@pytest.mark.parametrize("seeds", [range(50), pytest.param(range(50, 200), marks=pytest.mark.sweep)], ids=str)
def test_every_garden_can_be_completed(seeds: range) -> None:
    for seed in seeds:
        state = at_garden(seed, 9)
        state = played(state, *solution(state))
        assert (state.phase, state.score) == ("complete", 3156)
