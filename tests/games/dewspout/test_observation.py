"""Dewspout's observation: the drawing says what the numbers say."""

from dataclasses import replace

from engines.dewspout.observation import observation
from engines.dewspout.rules import begin

START = begin(7)


def test_a_position_to_read() -> None:
    assert observation(replace(START, amounts=(3, 2, 0), garden_moves=2, total_moves=2)) == (
        "Dewspout, garden 1: par 2, moves here 2, moves in all 2, score 0\n"
        "\n"
        "  8                       |     |\n"
        "  7                       |     |\n"
        "  6                       |     |\n"
        "  5            |     |    |     |<\n"
        "  4            |     |    |     |\n"
        "  3 |~~~~~|    |     |    |     |\n"
        "  2 |~~~~~|    |~~~~~|    |     |\n"
        "  1 |~~~~~|    |~~~~~|    |     |\n"
        "  0 +-----+<   +-----+<   +-----+\n"
        "       A          B          C\n"
        "\n"
        "vessel      A   B   C\n"
        "capacity    3   5   8\n"
        "holds       3   2   0\n"
        "target      0   0   5\n"
        "\n"
        "Not at its target yet: A 3 -> 0, B 2 -> 0, C 0 -> 5."
    )


def test_the_last_line_says_what_is_next() -> None:
    cleared = replace(START, phase="cleared", amounts=(0, 0, 5), score=270, last_points=270)
    assert observation(cleared).endswith(
        "Cleared: this garden paid 270 points. Next opens garden 2; bank ends the run."
    )
    assert observation(replace(cleared, phase="ended")).endswith("The run is over with 270 points.")
