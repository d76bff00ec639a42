"""Sumi Steps' observation: the drawing and the words say what the garden is."""

from dataclasses import replace

from engines.sumi_steps.observation import observation
from tests.games.sumi_steps.plays import finished, played
from tests.games.sumi_steps.test_rules import END, raking


def test_a_garden_to_read() -> None:
    assert observation(raking(0, 1, 2, 6, 5, 4, undos=3, resets=1)) == (
        "Sumi Steps, garden 1 of 9: 4 × 4 plots, 4 stones, score 10\n"
        "\n"
        "     0   1   2   3\n"
        "  0 [1]--o--[2]  .\n"
        "        ###  |\n"
        "  1 (o)--o---o   .\n"
        "\n"
        "  2  3   .   . # .\n"
        "\n"
        "  3  .   .   .   4\n"
        "\n"
        "( ) head   [2] inked stone   o inked plot   3 bare stone   . bare plot   - | ink between plots   # fence\n"
        "\n"
        "Head: row 1, col 0. Inked: 6 of 16 plots. Next: Stone 3 at row 2, col 0.\n"
        "Wasted here: 13 (3 undos, 1 resets). Clean Brush Bonus now: 6.\n"
        "Open steps: down, right."
    )


def test_the_last_line_says_how_it_ended() -> None:
    assert observation(played(raking(0, 1, 2), END)).endswith("The run was ended with 10 points.")
    complete = observation(finished(7))
    assert complete.endswith("All nine gardens are complete, with 3156 points.")
    assert "The head rests on the final stone." in complete


def test_a_head_on_a_stone_shows_its_number() -> None:
    assert "(2)" in observation(raking(0, 1, 2))
    assert "(1)" in observation(replace(raking(0), score=0))
