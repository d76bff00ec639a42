"""Dewspout's rules and scoring, by the worked numbers of its document."""

import re
from dataclasses import replace
from typing import Any

import pytest

from engines.dewspout import GAME, rules
from engines.dewspout.gardens import garden
from engines.dewspout.state import State
from engines.kit.game import BadState, Saved
from engines.kit.grammar import Refusal
from engines.kit.json import JsonObject

FILL_B: JsonObject = {"type": "fill", "vessel": 1}
POUR_B_C: JsonObject = {"type": "pour", "from": 1, "to": 2}
RESTART: JsonObject = {"type": "restart"}
NEXT: JsonObject = {"type": "next"}
BANK: JsonObject = {"type": "bank"}


def play(state: State, *actions: JsonObject) -> State:
    """The state after actions that must all be accepted."""
    for action in actions:
        turn = GAME.play(state, action)
        assert not isinstance(turn, Refusal), turn
        state = turn.state
    return state


def report(state: State, action: JsonObject) -> JsonObject:
    turn = GAME.play(state, action)
    assert not isinstance(turn, Refusal), turn
    return turn.report


def refused(state: State, action: JsonObject) -> str:
    turn = GAME.play(state, action)
    assert isinstance(turn, Refusal), turn
    return turn.reason


START = rules.begin(7)
CLEARED = play(START, FILL_B, POUR_B_C)


def test_every_run_starts_in_the_garden_of_the_document() -> None:
    assert GAME.view(START) == {
        "phase": "playing",
        "garden": 1,
        "capacities": (3, 5, 8),
        "amounts": (0, 0, 0),
        "targets": (0, 0, 5),
        "par": 2,
        "gardenMoves": 0,
        "totalMoves": 0,
        "score": 0,
        "lastGardenPoints": 0,
    }


@pytest.mark.parametrize(
    ("par", "moves", "points"),
    [(2, 2, 270), (7, 9, 290), (7, 20, 170), (7, 7, 320), (7, 16, 185), (7, 17, 170), (9, 999, 190)],
)
def test_the_points_of_a_garden(par: int, moves: int, points: int) -> None:
    assert rules.garden_points(par, moves) == points


@pytest.mark.parametrize("par", range(2, 13))
def test_a_garden_at_par_pays_250_and_10_for_each_move(par: int) -> None:
    assert rules.garden_points(par, par) == 250 + 10 * par


def test_garden_1_in_two_moves_pays_270_once() -> None:
    assert (CLEARED.phase, CLEARED.score, CLEARED.last_points) == ("cleared", 270, 270)
    assert play(CLEARED, NEXT).score == 270
    assert play(CLEARED, BANK).score == 270


def test_the_report_of_the_clear() -> None:
    assert report(play(START, FILL_B), POUR_B_C) == {
        "action": "pour",
        "amounts": (0, 0, 5),
        "cleared": True,
        "pointsAwarded": 270,
        "moved": 5,
        "completionPoints": 120,
        "efficiencyBonus": 150,
    }


@pytest.mark.parametrize(
    ("before", "action", "amounts", "moved"),
    [
        ((0, 2, 0), {"type": "fill", "vessel": 1}, (0, 5, 0), 3),
        ((0, 2, 8), {"type": "empty", "vessel": 2}, (0, 2, 0), 8),
        ((2, 4, 0), {"type": "pour", "from": 1, "to": 0}, (3, 3, 0), 1),
        ((2, 4, 0), {"type": "pour", "from": 1, "to": 2}, (2, 0, 4), 4),
        ((2, 4, 7), {"type": "pour", "from": 1.0, "to": 2.0}, (2, 3, 8), 1),
    ],
)
def test_water(before: tuple[int, int, int], action: JsonObject, amounts: tuple[int, int, int], moved: int) -> None:
    state = replace(START, amounts=before)
    told = report(state, action)
    assert told == {
        "action": action["type"],
        "amounts": amounts,
        "cleared": False,
        "pointsAwarded": 0,
        "moved": moved,
    }
    after = play(state, action)
    assert (after.amounts, after.garden_moves, after.total_moves, after.score) == (amounts, 1, 1, 0)


def test_all_three_must_match_at_once() -> None:
    assert play(replace(START, amounts=(3, 0, 0)), FILL_B, POUR_B_C).phase == "playing"
    assert play(replace(START, amounts=(3, 0, 5)), {"type": "empty", "vessel": 0}).phase == "cleared"


def test_a_restart_is_a_move_and_keeps_the_garden() -> None:
    after = play(START, FILL_B, RESTART)
    assert (after.amounts, after.garden, after.garden_moves, after.total_moves) == ((0, 0, 0), START.garden, 2, 2)
    assert report(play(START, FILL_B), RESTART) == {
        "action": "restart",
        "amounts": (0, 0, 0),
        "cleared": False,
        "pointsAwarded": 0,
    }
    assert play(after, FILL_B, POUR_B_C).score == 270 - 2 * 15


def test_next_keeps_score_and_total_and_begins_anew() -> None:
    after = play(CLEARED, NEXT)
    assert (after.garden.number, after.amounts, after.garden_moves, after.last_points) == (2, (0, 0, 0), 0, 0)
    assert (after.phase, after.score, after.total_moves) == ("playing", 270, 2)
    assert report(CLEARED, NEXT)["cleared"] is False


def test_bank_ends_the_run_and_changes_nothing_else() -> None:
    for state in (START, play(START, FILL_B), CLEARED):
        after = play(state, BANK)
        assert after == replace(state, phase="ended")
        assert GAME.over(after)
        assert GAME.legal(after) == []
    assert play(CLEARED, BANK).last_points == 270
    assert report(CLEARED, BANK) == {"action": "bank", "amounts": (0, 0, 5), "cleared": False, "pointsAwarded": 0}


def test_only_next_moves_the_random_cursor() -> None:
    state = play(START, FILL_B, RESTART, FILL_B, POUR_B_C)
    assert state.cursor == START.cursor == play(state, BANK).cursor
    assert play(state, NEXT).cursor != state.cursor


FULL = replace(START, amounts=(3, 5, 8))
SOME = replace(START, amounts=(3, 2, 0))


@pytest.mark.parametrize(
    ("state", "action", "reason"),
    [
        (
            SOME,
            {"type": "fill", "vessel": 0},
            "Vessel A is full at 3, so a fill would add nothing. Room is left in B (3), C (8).",
        ),
        (
            FULL,
            {"type": "fill", "vessel": 2},
            "Vessel C is full at 8, so a fill would add nothing. No vessel has room left.",
        ),
        (
            SOME,
            {"type": "empty", "vessel": 2},
            "Vessel C holds 0 of 8, so there is nothing to drain. Water stands in A (3), B (2).",
        ),
        (
            START,
            {"type": "empty", "vessel": 0},
            "Vessel A holds 0 of 3, so there is nothing to drain. No vessel holds any water.",
        ),
        (
            SOME,
            {"type": "pour", "from": 1, "to": 1},
            'A pour needs two different vessels; "from" and "to" are both 1, vessel B. Water stands in A (3), B (2). '
            "Room is left in B (3), C (8).",
        ),
        (
            SOME,
            {"type": "pour", "from": 2, "to": 0},
            "Vessel C is empty, so nothing can pour from it into A. Water stands in A (3), B (2).",
        ),
        (
            SOME,
            {"type": "pour", "from": 1, "to": 0},
            "Vessel A is full at 3, so the 2 in B cannot pour into it. Room is left in B (3), C (8).",
        ),
        (
            START,
            RESTART,
            "A restart would change nothing: no vessel holds any water. Room is left in A (3), B (5), C (8).",
        ),
        (
            SOME,
            NEXT,
            "Garden 1 is not cleared: A, B, C hold [3, 2, 0] and must hold [0, 0, 5], all three at once. "
            'Then "next" opens garden 2; "bank" gives this garden up and ends the run.',
        ),
        (
            CLEARED,
            FILL_B,
            'Garden 1 is cleared, and its water stays as it is. "next" opens garden 2; "bank" ends the run with 270 '
            "points.",
        ),
        (
            CLEARED,
            RESTART,
            'Garden 1 is cleared and paid, so there is nothing to restart. "next" opens garden 2; "bank" ends the run '
            "with 270 points.",
        ),
        (
            play(CLEARED, BANK),
            NEXT,
            "This run was banked in garden 1 with 270 points, and a banked run takes no more actions. GET "
            "/api/games/dewspout/init starts another one.",
        ),
    ],
)
def test_every_refusal_has_a_reason_of_its_own(state: State, action: JsonObject, reason: str) -> None:
    assert refused(state, action) == reason


@pytest.mark.parametrize("phase", ["playing", "cleared"])
def test_what_is_refused_depends_on_the_phase(phase: str) -> None:
    state = START if phase == "playing" else CLEARED
    legal = [GAME.grammar.write(action)["type"] for action in GAME.legal(state)]
    assert legal == (["fill", "fill", "fill", "bank"] if phase == "playing" else ["next", "bank"])


def test_the_texts_say_what_the_rules_do() -> None:
    scoring, text = GAME.info.scoring, GAME.info.rules
    examples = re.findall(r"par (\d+) in (\d+) moves pays (\d+)", scoring)
    assert len(examples) == 3
    for par, moves, points in examples:
        assert rules.garden_points(int(par), int(moves)) == int(points)
    assert f"completion: {rules.COMPLETION} + {rules.COMPLETION_PER_PAR} × p\n" in scoring
    assert f"efficiency: {rules.EFFICIENCY} − {rules.EFFICIENCY_PER_EXTRA_MOVE} × (m − p), but at least 0\n" in scoring
    first = START.garden
    for vector in (first.capacities, first.targets):
        assert f"[{','.join(map(str, vector))}]" in text
    assert f"par {first.par} (fill B, pour B into C)" in text


def changed(position: int, value: Any) -> list[Any]:
    saved = list(GAME.save(CLEARED).open)  # type: ignore[arg-type]
    saved[position] = value
    return saved


@pytest.mark.parametrize(
    ("position", "value", "field"),
    [
        (0, "paused", "phase"),
        (1, 0, "garden"),
        (1, True, "garden"),
        (1, 2, "targets"),
        (2, [0, 0, 4], "targets"),
        (2, [0, 5], "targets"),
        (3, [0, 0, 9], "amounts"),
        (3, [1, 1, 1], "amounts"),
        (3, "005", "amounts"),
        (4, -1, "gardenMoves"),
        (5, 1.5, "totalMoves"),
        (6, None, "score"),
        (6, 1e30, "score"),
        (1, 2**53, "garden"),
        (7, "270", "lastGardenPoints"),
    ],
)
def test_a_saved_run_names_its_first_wrong_field(position: int, value: object, field: str) -> None:
    with pytest.raises(BadState, match=f"^{field}: "):
        GAME.load(Saved(changed(position, value), bytes(4)))


def test_a_cursor_has_four_bytes() -> None:
    with pytest.raises(BadState, match=r"^cursor: "):
        GAME.load(Saved(GAME.save(START).open, bytes(5)))


def test_a_garden_that_no_schedule_draws_is_none() -> None:
    assert garden(1, (0, 0, 4)) is None
    assert garden(2, (0, 0, 5)) is None
