"""``python -m benchmarks.gardens``: how fast the gardens of Sumi Steps are made, and how random their strokes are.

Time: a garden beside its floor, which is the same garden laid along the plain snake without a single move. Spread:
turns of the stroke and where it starts, over many seeds, beside the snake's and beside ten times as many moves.
"""

from collections.abc import Callable
from itertools import pairwise
from statistics import mean, median, pstdev
from time import perf_counter

from engines.kit.mulberry32 import stream
from engines.sumi_steps import gardens
from engines.sumi_steps.stroke import MOVES_PER_PLOT, random_stroke, snake

SEEDS = 1000
LONG = 10 * MOVES_PER_PLOT


def milliseconds(make: Callable[[int], object], runs: int = 200) -> float:
    """The median time of a call, over many seeds."""
    times = []
    for seed in range(runs):
        began = perf_counter()
        make(seed)
        times.append(perf_counter() - began)
    return 1000 * median(times)


def laid_along_the_snake(number: int) -> object:
    """A garden without its random stroke: what remains is stones, fences and ways."""
    rows, cols, stones = gardens.SIZES[number - 1]
    path = snake(rows, cols)
    cursor, placed = gardens.place_stones(path, stones, 7)
    _, fences = gardens.place_fences(rows, cols, path, gardens.FENCES[number - 1], cursor)
    return gardens.laid(number, rows, cols, placed, fences)


def times() -> None:
    print(f"{'garden':<8}{'plots':>7}{'median ms':>12}{'floor ms':>11}{'ratio':>8}")
    for number, (rows, cols, _) in enumerate(gardens.SIZES, start=1):
        floor = milliseconds(lambda _, number=number: laid_along_the_snake(number))  # type: ignore[misc]
        make = gardens.garden.__wrapped__
        made = milliseconds(lambda seed, number=number, make=make: make(seed, number))  # type: ignore[misc]
        print(f"{number:<8}{rows * cols:>7}{made:>12.2f}{floor:>11.2f}{made / floor:>8.1f}")


def turns(path: list[int]) -> int:
    return sum(first != second for first, second in pairwise(there - here for here, there in pairwise(path)))


def spread() -> None:
    print("          moves a plot   turns     ±  starts: corner   edge  inside  most often")
    for rows, cols in ((4, 4), (5, 5), (8, 8)):
        for moves in (0, 1, MOVES_PER_PLOT, LONG):
            paths = [random_stroke(rows, cols, stream(seed, 1), moves)[1] for seed in range(SEEDS if moves else 1)]
            bent = [turns(path) for path in paths]
            starts = [path[0] for path in paths]
            ends = [(plot // cols in (0, rows - 1)) + (plot % cols in (0, cols - 1)) for plot in starts]
            corner, edge, inside = (100 * ends.count(count) / len(ends) for count in (2, 1, 0))
            most = 100 * max(map(starts.count, set(starts))) / len(starts)
            shares = f"{corner:>14.1f} %{edge:>5.1f} %{inside:>6.1f} %{most:>10.1f} %"
            print(f"{rows} × {cols}{moves:>17}{mean(bent):>8.2f}{pstdev(bent):>6.2f}{shares}")


if __name__ == "__main__":
    times()
    print()
    spread()
