"""Baskmere's observation: the drawing and the words say what the position is."""

from dataclasses import replace

import pytest

from engines.baskmere.observation import observation
from engines.baskmere.pond import CREEK, FEATURES, Pond
from tests.games.baskmere.test_rules import END, NEXT, SHORTEST, TOWER, at, move, played, pond

ALL_FOUR = Pond(60, 5, (0, 1, 2, 1, 0), 1, FEATURES, plan=(4, 4, 4, 0, 4))


def test_a_position_to_read() -> None:
    assert observation(at(ALL_FOUR, (3, 3, 1, 1, 3), par=9, daylight=12, spent=2)) == (
        "Baskmere, pond 60: 5 turtles on 5 rocks, score 0\n"
        "Daylight 12, spent here 2. Par 9, spare 0, streak 0.\n"
        "\n"
        "now                            plan\n"
        "                                                    1m\n"
        "                1m                                  2a\n"
        "      3s        2a                                  3s\n"
        "      4a        5m              4a                  5m\n"
        "==== ==== ==== ==== ====       ==== ==== ==== ==== ====\n"
        " 0    1L   2    3    4S         0    1L   2    3    4S\n"
        "\n"
        "Rocks are numbered from 0; S is the Sun Rock, L the lily pad.\n"
        "Lily pad: rock 1 holds 2 turtles at most.\n"
        "Shy shells: no turtle rests directly on one of its own colour (m moss, a amber, s slate).\n"
        "Creek: between rocks 0, 1 and 2 turtles swim 0 to 1, 1 to 2 and 2 to 0 only.\n"
        "Grandshell: each move of turtle 5 costs 2 Daylight.\n"
        "STEP_BACK: there is no move to walk back yet."
    )


STREAM = played(at(pond((3, 3, 3), CREEK), (0, 0, 0)), move(0, 1))


@pytest.mark.parametrize(
    ("state", "last"),
    [
        (played(TOWER, move(0, 1)), "STEP_BACK would move the top turtle of rock 1 back to rock 0."),
        (STREAM, "STEP_BACK: the last move, 0 to 1, went with the creek and cannot be walked back."),
        (played(TOWER, *SHORTEST), "The pond is settled. NEXT_POND opens pond 5; END_RUN ends the run as a win."),
        (played(TOWER, *SHORTEST, END), "The run is over. It ended between ponds: a win."),
        (played(TOWER, END), "The run is over. It was ended in this pond: a good game."),
        (
            played(replace(TOWER, daylight=5), move(0, 3)),
            "The run is over. Sunset: the Daylight left could not settle this pond.",
        ),
    ],
)
def test_the_last_line_says_what_is_next(state: object, last: str) -> None:
    assert observation(state).split("\n")[-1] == last  # type: ignore[arg-type]


def test_a_new_pond_reads_anew() -> None:
    assert "spent here 0." in observation(played(TOWER, *SHORTEST, NEXT))
