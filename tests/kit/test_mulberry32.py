"""Mulberry32 by its published vectors."""

import pytest

from engines.kit.mulberry32 import below, draw

VECTORS = {
    0: [1144304738, 1416247, 958946056, 627933444, 2007157716],
    1: [2693262067, 11749833, 2265367787, 4213581821, 4159151403],
    7: [50271532, 266108690, 4195786334, 3002305430, 2239590375],
    42: [2581720956, 1925393290, 3661312704, 2876485805, 750819978],
    4294967295: [3850105811, 813802916, 3073704848, 4054706436, 3630262831],
}


@pytest.mark.parametrize("seed", VECTORS)
def test_the_first_five_draws(seed: int) -> None:
    cursor, drawn = seed, []
    for _ in range(5):
        cursor, value = draw(cursor)
        assert 0 <= cursor < 2**32
        drawn.append(value)
    assert drawn == VECTORS[seed]


@pytest.mark.parametrize("n", [1, 2, 3, 10, 97, 2**31 + 1, 2**32])
def test_a_draw_below_n_is_the_floor_of_its_share(n: int) -> None:
    cursor = 7
    for value in VECTORS[7]:
        cursor, drawn = below(cursor, n)
        assert drawn == value * n // 2**32 < n


def test_a_draw_is_even_enough() -> None:
    counts, cursor = [0] * 10, 12345
    for _ in range(100_000):
        cursor, drawn = below(cursor, 10)
        counts[drawn] += 1
    assert all(9_600 < count < 10_400 for count in counts)
