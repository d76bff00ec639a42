"""Sumi Steps' rules and scoring, by the worked numbers of its document and on a garden made by hand."""

import json
from dataclasses import replace
from typing import Any

import pytest

from engines.kit.grammar import Refusal
from engines.kit.mulberry32 import stream
from engines.sumi_steps import GAME, gardens, rules
from engines.sumi_steps.state import State
from engines.sumi_steps.stroke import random_stroke
from gameboard.agents.sumi_steps import solve
from tests.client import Client
from tests.games.sumi_steps.plays import at_garden, finished, played, public, solution, step
from tests.wire import as_json

UNDO, RESET, END = {"type": "undo"}, {"type": "reset"}, {"type": "endRun"}

HAND = gardens.laid(1, 4, 4, stones=(0, 2, 8, 15), fences=((1, 5), (10, 11)))
"""    1 . 2 .
         #
       . . . .
       3 . . # .
       . . . 4
"""


def raking(*stroke: int, **changes: Any) -> State:
    """A run in the garden made by hand, with this stroke."""
    reached = max(place for place, stone in enumerate(HAND.stones, start=1) if stone in stroke)
    return replace(State(7, "raking", HAND, stroke, reached, 0, 0, (), 10 * (reached - 1)), **changes)


def report(state: State, action: dict[str, Any]) -> Any:
    turn = GAME.play(state, action)
    assert not isinstance(turn, Refusal), turn
    return as_json(turn.report)


def refused(state: State, action: dict[str, Any]) -> str:
    turn = GAME.play(state, action)
    assert isinstance(turn, Refusal), turn
    return turn.reason


def test_a_run_starts_on_stone_1_of_garden_1() -> None:
    state = public(GAME.begin(7))
    stone = state["stones"][0]
    assert state["stroke"] == [{"row": stone["row"], "col": stone["col"]}]
    assert (state["game"], state["version"], state["seed"], state["phase"], state["garden"]) == (
        "sumi-steps", 1, 7, "raking", 1,
    )  # fmt: skip
    assert (state["stonesReached"], state["undos"], state["resets"], state["completed"], state["score"]) == (
        1,
        0,
        0,
        [],
        0,
    )


def test_a_step_inks_a_plot() -> None:
    after = played(raking(0), step("right"))
    assert (after.stroke, after.score, after.undos) == ((0, 1), 0, 0)
    assert report(raking(0), step("right")) == {
        "action": "step", "head": {"row": 0, "col": 1}, "stone": None, "wasted": 0, "gardenCompleted": None,
        "bonus": None, "stillWater": False, "pointsAwarded": 0,
    }  # fmt: skip


def test_a_stone_pays_ten_once() -> None:
    before = raking(0, 1)
    assert report(before, step("right")) == {
        "action": "step", "head": {"row": 0, "col": 2}, "stone": 2, "wasted": 0, "gardenCompleted": None,
        "bonus": None, "stillWater": False, "pointsAwarded": 10,
    }  # fmt: skip
    lifted = played(before, step("right"), UNDO)
    assert (lifted.reached, lifted.score) == (2, 10)
    again = report(lifted, step("right"))
    assert (again["stone"], again["pointsAwarded"], again["wasted"]) == (None, 0, 1)
    swept = played(before, step("right"), RESET, step("right"), step("right"))
    assert (swept.reached, swept.score, swept.resets) == (2, 10, 1)


def test_a_step_back_is_an_undo_in_all_respects() -> None:
    before = raking(0, 1, 2)
    assert played(before, step("left")) == played(before, UNDO)
    assert report(before, step("left")) == {**report(before, UNDO), "action": "step"}
    assert report(before, UNDO)["wasted"] == 1
    assert report(before, UNDO)["head"] == {"row": 0, "col": 1}


def test_reset_sweeps_to_stone_1_and_is_always_legal() -> None:
    for stroke in ((0,), (0, 1), (0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 13, 14, 15)):
        after = played(raking(*stroke), RESET)
        assert (after.stroke, after.resets, after.undos) == ((0,), 1, 0)
        assert report(raking(*stroke), RESET)["wasted"] == 10


def test_end_run_keeps_every_point_and_pays_nothing() -> None:
    before = raking(0, 1, 2)
    after = played(before, END)
    assert (after.phase, after.score) == ("ended", 10)
    assert report(before, END)["pointsAwarded"] == 0
    assert GAME.legal(after) == []
    assert GAME.over(after)


@pytest.mark.parametrize(
    ("number", "waste", "points"),
    [(1, 0, 30 + 100 + 32), (1, 5, 30 + 100 + 22), (1, 16, 30 + 100), (1, 999, 30 + 100), (9, 0, 70 + 300 + 128)],
)
def test_what_a_garden_pays(number: int, waste: int, points: int) -> None:
    assert rules.garden_points(number, waste) == points


def test_the_completing_step_opens_the_next_garden_and_reports_the_finished_one() -> None:
    start = GAME.begin(7)
    *steps, last = solution(start)
    before = played(start, *steps)
    after = played(before, last)
    garden = start.garden
    row, col = divmod(garden.stones[-1], garden.cols)
    assert report(before, last) == {
        "action": "step", "head": {"row": row, "col": col}, "stone": 4, "wasted": 0, "gardenCompleted": 1, "bonus": 32,
        "stillWater": False, "pointsAwarded": 10 + 100 + 32,
    }  # fmt: skip
    state = public(after)
    assert (state["garden"], len(state["stroke"]), state["stonesReached"], state["score"]) == (2, 1, 1, 162)
    assert state["completed"] == [{"garden": 1, "undos": 0, "resets": 0, "wasted": 0, "bonus": 32, "points": 162}]


def test_waste_shrinks_the_bonus_of_its_own_garden_only() -> None:
    start = GAME.begin(7)
    first, *rest = solution(start)
    after = played(start, first, UNDO, RESET, first, *rest)
    entry = public(after)["completed"][0]
    assert entry == {"garden": 1, "undos": 1, "resets": 1, "wasted": 11, "bonus": 10, "points": 140}
    assert (after.undos, after.resets) == (0, 0)
    then = played(after, *solution(after))
    assert public(then)["completed"][1]["bonus"] == 40


def test_a_last_stone_that_was_latched_before_pays_no_more() -> None:
    """The final stone reached too early, left again, and reached at last."""
    state = raking(0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 13, 14)
    early = played(state, step("right"))
    assert (early.reached, early.score, GAME.over(early)) == (4, 30, False)
    assert [GAME.grammar.write(action) for action in GAME.legal(early)] == [step("left"), UNDO, RESET, END]
    back = played(early, UNDO)
    assert (back.reached, back.score) == (4, 30)


@pytest.mark.parametrize("seed", [0, 7, 4294967295])
def test_a_perfect_run_pays_3156(seed: int) -> None:
    state = finished(seed)
    assert (state.phase, state.score, state.garden.number, state.reached) == ("complete", 3156, 9, 8)
    assert len(state.stroke) == 64
    assert GAME.legal(state) == []
    last = at_garden(seed, 9)
    *steps, final = solution(last)
    told = report(played(last, *steps), final)
    assert (told["stillWater"], told["gardenCompleted"], told["pointsAwarded"]) == (True, 9, 10 + 300 + 128 + 250)


@pytest.mark.parametrize("waste", [[step("right"), step("left")], [RESET]])
def test_still_water_needs_a_run_without_waste(waste: list[dict[str, Any]]) -> None:
    state = GAME.begin(7)
    if len(waste) == 2:
        first = solution(state)[0]
        waste = [first, UNDO]
    state = played(state, *waste, *solution(state))
    while state.garden.number < 9:
        state = played(state, *solution(state))
    *steps, final = solution(state)
    before = played(state, *steps)
    assert report(before, final)["stillWater"] is False
    assert report(before, final)["pointsAwarded"] == 10 + 300 + 128
    assert played(before, final).score == 3156 - 250 - 2 * (10 if waste == [RESET] else 1)


def test_any_stroke_that_obeys_the_rules_completes_a_garden() -> None:
    """Two strokes through the same garden, both taken."""
    open_garden = gardens.laid(1, 4, 4, stones=(0, 12), fences=())
    snake = ["right"] * 3 + ["down"] + ["left"] * 3 + ["down"] + ["right"] * 3 + ["down"] + ["left"] * 3
    start = State(7, "raking", open_garden, (0,), 1, 0, 0, (), 0)
    assert played(start, *map(step, snake)).garden.number == 2
    other = [
        "down",
        "right",
        "up",
        "right",
        "right",
        "down",
        "left",
        "down",
        "right",
        "down",
        "left",
        "left",
        "up",
        "left",
        "down",
    ]
    assert played(start, *map(step, other)).garden.number == 2


FINAL = raking(0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 13, 14, 15)


@pytest.mark.parametrize(
    ("state", "action", "reason"),
    [
        (
            raking(0),
            step("up"),
            "The head is at row 0, col 0, where the garden of 4 × 4 plots ends; nothing lies up of it. A step is open "
            "down or right.",
        ),
        (
            raking(0, 1),
            step("down"),
            "A bamboo fence stands down of the head at row 0, col 1, and ink crosses no fence. A step is open right.",
        ),
        (
            raking(0, 1, 2, 6, 5, 4),
            step("up"),
            "The plot up of the head, row 0, col 0, is inked already (number 1 of 6 in the stroke), and no plot is "
            "inked twice. A step is open down.",
        ),
        (
            raking(0, 4),
            step("down"),
            "The plot down of the head holds Stone 3, and the stones are inked in order: Stone 2 at row 0, col 2 comes "
            "first. A step is open right.",
        ),
        (
            FINAL,
            step("up"),
            "The head rests on the final stone, Stone 4, with 3 of 16 plots still bare; from there the stroke only "
            "goes back. Only back is open: left, or undo.",
        ),
        (
            raking(0),
            UNDO,
            "Only Stone 1 at row 0, col 0 is inked, and its ink is never lifted. A step is open down or right.",
        ),
        (
            raking(0, 1, 2, phase="ended"),
            step("down"),
            "This run was ended in garden 1 with 10 points, and an ended run takes no more actions. GET "
            "/api/games/sumi-steps/init starts another run.",
        ),
    ],
)
def test_every_refusal_has_a_reason_of_its_own(state: State, action: dict[str, Any], reason: str) -> None:
    assert refused(state, action) == reason


def test_a_complete_run_refuses_everything() -> None:
    state = finished(7)
    for action in (step("up"), UNDO, RESET, END):
        assert refused(state, action).startswith("All nine gardens are complete, with 3156 points;")


def test_the_counters_stop_at_a_number_that_every_reader_keeps_exact() -> None:
    most = raking(0, 1, undos=rules.MOST, resets=rules.MOST)
    assert played(most, UNDO).undos == rules.MOST
    assert played(most, RESET).resets == rules.MOST
    assert rules.wasted(rules.MOST, rules.MOST) < 2**53


def test_extra_fields_are_ignored() -> None:
    assert played(raking(0), {**step("right"), "plots": 3, "x": None}).stroke == (0, 1)


def test_the_texts_say_what_the_rules_do() -> None:
    scoring, text = GAME.info.scoring, GAME.info.rules
    assert f"{rules.COMPLETION} + {rules.COMPLETION_PER_GARDEN} × L" in scoring
    assert f"{rules.BRUSH_PER_CELL} × plots − {rules.BRUSH_PER_WASTED_STEP} × wasted" in scoring
    assert f"An undo wastes {rules.WASTED_BY_UNDO} step, a reset {rules.WASTED_BY_RESET}." in scoring
    assert f"Still Water: {rules.STILL_WATER} for" in scoring
    assert f"in its garden: {rules.STONE}." in scoring
    assert str(finished(7).score) in scoring
    for rows, cols, _ in gardens.SIZES:
        assert f"{rows}×{cols}" in text


@pytest.mark.untraced
@pytest.mark.parametrize("seeds", [range(3), pytest.param(range(3, 10), marks=pytest.mark.sweep)], ids=str)
def test_ten_seeds_over_http(client: Client, seeds: range) -> None:
    """Played to the end by a solver that sees the answers only."""
    for seed in seeds:
        answer = client.init("sumi-steps", seed)
        for number in range(1, 10):
            assert answer["state"]["garden"] == number
            for direction in solve(answer["state"]):
                assert step(direction) in answer["legalActions"]
                answer = client.act("sumi-steps", answer, step(direction))
                assert answer["ok"] is True
            assert answer["report"]["gardenCompleted"] == number
        assert (answer["gameOver"], answer["score"], answer["state"]["phase"]) == (True, 3156, "complete")


@pytest.mark.parametrize("seed", range(20))
def test_no_answer_holds_the_hidden_stroke(client: Client, seed: int) -> None:
    """Made here again: no three plots of it stand one after the other in an answer, however they are written."""
    answer = client.init("sumi-steps", seed)
    state = answer["state"]
    _, hidden = random_stroke(state["rows"], state["cols"], stream(seed, 1))
    assert hidden[0] == state["stones"][0]["row"] * state["cols"] + state["stones"][0]["col"]
    refusal = client.act("sumi-steps", answer, None)
    text = json.dumps([answer, refusal], separators=(",", ":"))
    for three in zip(hidden, hidden[1:], hidden[2:], strict=False):
        plots = [divmod(plot, state["cols"]) for plot in three]
        for spelt in ([{"row": row, "col": col} for row, col in plots], plots, three):
            assert json.dumps(spelt, separators=(",", ":"))[1:-1] not in text
