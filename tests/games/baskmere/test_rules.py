"""Baskmere's rules and scoring, by the worked numbers of its document and on ponds made by hand."""

import re
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import pytest

from engines.baskmere import GAME, ponds, rules, wire
from engines.baskmere.actions import StepBack
from engines.baskmere.piles import lawful, led_to
from engines.baskmere.pond import CREEK, FEATURES, GRANDSHELL, LILY_PAD, SHY_SHELLS, Pond, Position
from engines.baskmere.state import KEPT_MOVES, State
from engines.kit.game import BadState, Saved
from engines.kit.grammar import Refusal
from tests.conformance.plays import universe
from tests.games.baskmere import model
from tests.wire import as_json

BACK, NEXT, END = {"type": "STEP_BACK"}, {"type": "NEXT_POND"}, {"type": "END_RUN"}


def move(start: int, end: int) -> dict[str, Any]:
    return {"type": "MOVE", "from": start, "to": end}


def pond(plan: Position, *features: str, rocks: int = 4, **changes: Any) -> Pond:
    shells = tuple(turtle % 3 for turtle in range(len(plan)))
    parts: dict[str, Any] = {"number": 4, "rocks": rocks, "shells": shells, "lily_pad": None, "features": features}
    return Pond(**{**parts, **changes}, plan=plan)


def at(where: Pond, position: Position, **changes: Any) -> State:
    """A run in a pond made by hand; par is the distance from here unless it is given."""
    par = ponds.distances(where).of(position)
    assert par is not None
    state = State("pond", None, where, par, position, (), 0, par + 8, 0, 0, 7)
    return replace(state, **changes)


def played(state: State, *actions: dict[str, Any]) -> State:
    """The state after actions that must all be accepted."""
    for action in actions:
        turn = GAME.play(state, action)
        assert not isinstance(turn, Refusal), (action, turn)
        state = turn.state
    return state


def report(state: State, action: dict[str, Any]) -> Any:
    turn = GAME.play(state, action)
    assert not isinstance(turn, Refusal), turn
    return as_json(turn.report)


def refused(state: State, action: dict[str, Any]) -> str:
    turn = GAME.play(state, action)
    assert isinstance(turn, Refusal), turn
    return turn.reason


PLAIN = pond((3, 3, 3))
"""Three turtles, all wanted on rock 3, the Sun Rock."""

TOWER = at(PLAIN, (0, 0, 0))


def test_the_worked_example_of_the_document() -> None:
    assert wire.FACTS["workedExample"] == {
        "pond": 4, "par": 7, "spent": 7, "streak": 3, "grade": "Perfect", "raw": 270, "multiplierPercent": 200,
        "award": 540, "sunbeam": 1,
    }  # fmt: skip
    assert wire.FACTS["plausibilityGuard"] == 1_000_000


@pytest.mark.parametrize(
    ("number", "par", "spent", "streak", "grade", "raw", "after", "percent", "points"),
    [
        (4, 7, 7, 3, "Perfect", 270, 4, 200, 540),
        (4, 7, 8, 3, "Tidy", 180, 3, 175, 315),
        (4, 7, 9, 3, "Tidy", 180, 3, 175, 315),
        (4, 7, 10, 3, "Settled", 180, 0, 100, 180),
        (1, 3, 3, 0, "Perfect", 105, 1, 125, 131),
        (60, 32, 32, 7, "Perfect", 1860, 8, 300, 5580),
        (99, 32, 32, 20, "Perfect", 1860, 21, 300, 5580),
        (1, 5, 6, 1, "Tidy", 110, 1, 125, 138),
    ],
)
def test_an_award(
    number: int, par: int, spent: int, streak: int, grade: str, raw: int, after: int, percent: int, points: int
) -> None:
    paid = rules.award(number, par, spent, streak)
    assert (paid.grade, paid.raw, paid.streak, paid.multiplier, paid.points) == (grade, raw, after, percent, points)
    assert paid.sunbeam == (grade == "Perfect")


def test_a_run_begins_with_par_and_spare() -> None:
    for seed in (0, 7, 4294967295):
        state = as_json(GAME.view(GAME.begin(seed)))
        assert list(state) == ["phase", "outcome", "daylight", "score", "streak", "pond", "piles", "moves", "spent"]
        assert list(state["pond"]) == [
            "number", "rocks", "sunRock", "turtles", "plan", "lanes", "lilyPad", "features", "par", "spare",
        ]  # fmt: skip
        assert (state["phase"], state["outcome"], state["score"], state["streak"]) == ("pond", None, 0, 0)
        assert (state["pond"]["number"], state["pond"]["spare"]) == (1, 8)
        assert state["daylight"] == state["pond"]["par"] + 8
        assert (state["moves"], state["spent"]) == ([], 0)


def test_a_move_costs_one_daylight() -> None:
    after = played(TOWER, move(0, 1))
    assert (after.position, after.daylight, after.spent, after.moves) == ((1, 0, 0), TOWER.daylight - 1, 1, ((0, 1),))
    assert report(TOWER, move(0, 1)) == {
        "action": "MOVE", "cost": 1, "lastLight": False, "settled": False, "sunset": False, "turtle": 1, "from": 0,
        "to": 1,
    }  # fmt: skip


def test_the_grandshell_costs_two_and_par_counts_it() -> None:
    heavy = pond((3, 3, 3), GRANDSHELL)
    assert at(heavy, (0, 0, 0)).par == TOWER.par + 1
    state = played(at(heavy, (0, 0, 0)), move(0, 1), move(0, 2))
    told = report(state, move(0, 3))
    assert (told["turtle"], told["cost"]) == (3, 2)


SHORTEST = [move(0, 1), move(0, 2), move(0, 3), move(2, 3), move(1, 3)]


def test_a_perfect_pond() -> None:
    before = played(replace(TOWER, streak=3), *SHORTEST[:-1])
    after = played(before, SHORTEST[-1])
    assert report(before, SHORTEST[-1]) == {
        "action": "MOVE", "cost": 1, "lastLight": False, "settled": True, "sunset": False, "turtle": 1, "from": 1,
        "to": 3, "grade": "Perfect", "raw": (100 + 40) * 3 // 2, "multiplierPercent": 200, "award": 420, "sunbeam": 1,
    }  # fmt: skip
    assert (after.phase, after.score, after.streak, after.daylight) == ("drift", 420, 4, 8 + 1)
    assert (after.position, len(after.moves), after.spent) == ((3, 3, 3), 5, 5)
    assert [GAME.grammar.write(action) for action in GAME.legal(after)] == [NEXT, END]


def test_a_pond_settles_with_no_daylight_left() -> None:
    after = played(replace(TOWER, daylight=5), *SHORTEST)
    assert (after.phase, after.daylight, after.outcome) == ("drift", 1, None)


def test_last_light_and_sunset() -> None:
    state = replace(TOWER, daylight=5)
    waste = report(state, move(0, 3))
    assert (waste["lastLight"], waste["sunset"]) == (False, True)
    exact = report(replace(TOWER, daylight=5), move(0, 1))
    assert (exact["lastLight"], exact["sunset"]) == (True, False)
    over = played(state, move(0, 3))
    assert (over.phase, over.outcome, over.score) == ("runOver", "sunset", 0)
    assert GAME.legal(over) == []


def test_step_back_walks_the_path_back_and_refunds_nothing() -> None:
    state = played(TOWER, move(0, 1), move(0, 2), move(1, 2))
    first = played(state, BACK)
    assert (first.position, first.moves, first.spent) == ((1, 2, 0), ((0, 1), (0, 2)), 4)
    assert report(state, BACK) == {
        "action": "STEP_BACK", "cost": 1, "lastLight": False, "settled": False, "sunset": False, "turtle": 1, "from": 2,
        "to": 1,
    }  # fmt: skip
    home = played(first, BACK, BACK)
    assert (home.position, home.moves, home.spent, home.daylight) == ((0, 0, 0), (), 6, TOWER.daylight - 6)
    assert refused(home, BACK).startswith("There is no move of this pond to step back.")


def test_next_pond_adds_par_and_spare_and_begins_anew() -> None:
    drift = played(TOWER, *SHORTEST)
    after = played(drift, NEXT)
    assert (after.phase, after.pond.number, after.moves, after.spent) == ("pond", 5, (), 0)
    assert after.daylight == drift.daylight + after.par + ponds.spare(5)
    assert (after.score, after.streak) == (drift.score, drift.streak)
    told = report(drift, NEXT)
    assert told == {
        "action": "NEXT_POND", "cost": 0, "lastLight": False, "settled": False, "sunset": False, "pond": 5,
        "par": after.par, "spare": 6, "daylight": after.daylight,
    }  # fmt: skip
    poor = replace(drift, daylight=0, pond=replace(PLAIN, number=16))
    assert report(poor, NEXT)["lastLight"] is True


def test_end_run_is_a_win_in_the_drift_and_a_good_game_in_a_pond() -> None:
    assert played(TOWER, END).outcome == "goodGame"
    drift = played(TOWER, *SHORTEST)
    assert (played(drift, END).outcome, played(drift, END).score) == ("win", drift.score)
    assert report(drift, END) == {"action": "END_RUN", "cost": 0, "lastLight": False, "settled": False, "sunset": False}


def test_only_next_pond_moves_the_random_cursor() -> None:
    state = played(TOWER, move(0, 1), BACK, move(0, 2))
    assert state.cursor == TOWER.cursor == played(state, END).cursor
    assert played(TOWER, *SHORTEST, NEXT).cursor != TOWER.cursor


def test_the_newest_256_moves_are_kept() -> None:
    state = replace(TOWER, daylight=10_000)
    for _ in range(150):
        state = played(state, move(0, 1), move(1, 0))
    assert len(state.moves) == KEPT_MOVES
    saved = GAME.save(state)
    assert GAME.load(Saved(as_json(saved.open), saved.secret)) == state
    for _ in range(KEPT_MOVES):
        state = played(state, BACK)
    assert refused(state, BACK).startswith("There is no move")


SHY = pond((3, 3, 3, 3), SHY_SHELLS)
PAD = pond((3, 3, 3, 3), LILY_PAD, lily_pad=1)
STREAM = pond((3, 3, 3), CREEK)
RICH = pond((3, 3, 3), GRANDSHELL)


@pytest.mark.parametrize(
    ("state", "action", "reason"),
    [
        (
            TOWER,
            move(4, 0),
            "There is no rock 4 in this pond: its rocks are 0 to 3. Open moves: 0 to 1, 0 to 2, 0 to 3.",
        ),
        (
            TOWER,
            move(0, 4),
            "There is no rock 4 in this pond: its rocks are 0 to 3. Open moves: 0 to 1, 0 to 2, 0 to 3.",
        ),
        (
            TOWER,
            move(2, 2),
            'A move goes from one rock to another; "from" and "to" are both 2. Open moves: 0 to 1, 0 to 2, 0 to 3.',
        ),
        (TOWER, move(1, 2), "Rock 1 is empty, so there is no turtle to move. Open moves: 0 to 1, 0 to 2, 0 to 3."),
        (
            at(PLAIN, (1, 0, 0)),
            move(0, 1),
            "Turtle 2 cannot rest on turtle 1, the top of rock 1: a turtle rests on an empty rock or on a bigger "
            "turtle. Open moves: 0 to 2, 0 to 3, 1 to 0, 1 to 2, 1 to 3.",
        ),
        (
            at(SHY, (0, 1, 2, 1)),
            move(0, 1),
            "",
        ),
        (
            at(SHY, (0, 2, 2, 1)),
            move(0, 1),
            "Turtle 1 and turtle 4, the top of rock 1, both have moss shells, and shy shells do not rest on their own "
            "colour. Open moves: 0 to 2, 0 to 3, 1 to 3, 2 to 1, 2 to 3.",
        ),
        (
            at(PAD, (0, 1, 0, 1)),
            move(0, 1),
            "Rock 1 is the lily pad and already holds 2 turtles (4, 2), which is all it carries. Open moves: 0 to 2, "
            "0 to 3, 1 to 2, 1 to 3.",
        ),
        (
            at(STREAM, (0, 0, 0)),
            move(0, 2),
            "The creek runs 0 to 1, 1 to 2 and 2 to 0 only, so turtle 1 cannot swim from rock 0 to rock 2. Open moves: "
            "0 to 1, 0 to 3.",
        ),
        (TOWER, BACK, "There is no move of this pond to step back. Open moves: 0 to 1, 0 to 2, 0 to 3."),
        (
            played(at(STREAM, (0, 0, 0)), move(0, 1)),
            BACK,
            "The last move went from rock 0 to rock 1 with the creek, and nothing swims back against it: it runs 0 to "
            "1, 1 to 2 and 2 to 0. Open moves: 0 to 3, 1 to 2, 1 to 3.",
        ),
        (
            at(RICH, (3, 3, 0), daylight=1),
            move(0, 1),
            "A move of the Grandshell, turtle 3, costs 2 Daylight, and 1 is left. Open moves: 3 to 0, 3 to 1, 3 to 2.",
        ),
        (
            at(RICH, (3, 3, 0), daylight=1, moves=((1, 0),)),
            BACK,
            "A move of the Grandshell, turtle 3, costs 2 Daylight, and 1 is left. Open moves: 3 to 0, 3 to 1, 3 to 2.",
        ),
        (
            TOWER,
            NEXT,
            "Pond 4 is not settled: its piles are [[3, 2, 1], [], [], []] and the plan is [[], [], [], [3, 2, 1]]. "
            "NEXT_POND comes after that; END_RUN gives this pond up.",
        ),
        (
            played(TOWER, *SHORTEST),
            move(3, 0),
            "Pond 4 is settled, and its turtles stay as they are. NEXT_POND opens pond 5; END_RUN ends the run as a "
            "win with 263 points.",
        ),
        (
            played(TOWER, END),
            NEXT,
            "This run ended in pond 4 with 0 points, and takes no more actions. GET /api/games/baskmere/init starts "
            "another one.",
        ),
        (
            played(TOWER, *SHORTEST, END),
            NEXT,
            "This run ended between ponds in pond 4 with 263 points, and takes no more actions. GET "
            "/api/games/baskmere/init starts another one.",
        ),
        (
            played(replace(TOWER, daylight=5), move(0, 3)),
            BACK,
            "This run ended at sunset in pond 4 with 0 points, and takes no more actions. GET /api/games/baskmere/init "
            "starts another one.",
        ),
    ],
)
def test_every_refusal_has_a_reason_of_its_own(state: State, action: dict[str, Any], reason: str) -> None:
    if not reason:
        assert not isinstance(GAME.play(state, action), Refusal)
    else:
        assert refused(state, action) == reason


@pytest.mark.parametrize("features", [mix for size in range(5) for mix in combinations(FEATURES, size)])
def test_list_and_judge_agree_whatever_is_special_and_however_late_it_is(features: tuple[str, ...]) -> None:
    choose, steps_back = Random(repr(features)), 0
    for _ in range(60):
        rocks, turtles = choose.choice((4, 5)), choose.randint(3, 9)
        shells = tuple(choose.randrange(3) for _ in range(turtles))
        pad = 1 if LILY_PAD in features else None
        where = pond((rocks - 1,) * turtles, *features, rocks=rocks, shells=shells, lily_pad=pad)
        position = tuple(choose.randrange(rocks) for _ in range(turtles))
        if not lawful(where, position):
            continue
        start, end = choose.sample(range(rocks), 2)
        swum = ((start, end),) if led_to(position, [(start, end)]) else ()
        for daylight in range(3):
            state = State("pond", None, where, 9, position, swum, 0, daylight, 0, 0, 7)
            legal = GAME.legal(state)
            assert legal == [action for action in universe(GAME) if GAME.refusal(state, action) is None]
            steps_back += StepBack() in legal
    assert steps_back


@pytest.mark.untraced
def test_sunset_comes_exactly_when_it_is_due() -> None:
    """Random wasteful play: the run is over exactly if the literal distance is more than what is left."""
    sunsets = 0
    for seed in range(25):
        choose, state = Random(seed), GAME.begin(seed)
        pond_seen = as_json(wire.pond_view(state.pond, state.par))
        needs = model.distances(pond_seen)
        while state.phase == "pond":
            action = choose.choice([one for one in GAME.legal(state) if GAME.grammar.write(one) != END])
            before, state = state, GAME.apply(state, action)
            left = needs[tuple(map(tuple, wire.piles_view(state.pond, state.position)))]
            if state.phase == "runOver":
                assert left > state.daylight
                sunsets += 1
            elif state.phase == "pond":
                assert 0 < left <= state.daylight
                assert report(before, as_json(GAME.grammar.write(action)))["lastLight"] == (left == state.daylight)
    assert sunsets > 15


def test_the_distance_is_told_nowhere() -> None:
    """Positions of one pond that differ in nothing but how far they are from the plan tell the same numbers."""
    keys = set(as_json(GAME.view(TOWER))) | set(as_json(GAME.view(TOWER))["pond"])
    assert not {"needed", "distance", "remaining"} & keys
    near = at(PLAIN, (0, 3, 3), par=9, daylight=99)
    far = at(PLAIN, (3, 0, 0), par=9, daylight=99)
    numbers = [set(re.findall(r"\d+", GAME.observation(state))) for state in (near, far)]
    assert numbers[0] == numbers[1]


def changed(place: int, value: Any) -> list[Any]:
    saved = as_json(GAME.save(played(TOWER, move(0, 1))).open)
    saved[place] = value
    return list(saved)


@pytest.mark.parametrize(
    ("place", "value", "field"),
    [
        (0, "swim", "phase"),
        (1, "draw", "outcome"),
        (1, "win", "outcome"),
        (2, 0, "number"),
        (3, 6, "rocks"),
        (4, "01", "shells"),
        (4, "013", "shells"),
        (2, 2**53, "number"),
        (5, 3, "lilyPad"),
        (5, 1, "lilyPad"),
        (6, ["lilyPad"], "lilyPad"),
        (6, ["waterfall"], "features"),
        (6, ["grandshell", "creek"], "features"),
        (6, ["creek", "creek"], "features"),
        (6, "creek", "features"),
        (6, [["creek"]], "pond"),
        (7, "33", "plan"),
        (7, {}, "pond"),
        (8, 0, "par"),
        (9, "404", "position"),
        (10, "012", "moves"),
        (10, 12, "moves"),
        (10, "10", "moves"),
        (10, "11", "moves"),
        (10, "12", "moves"),
        (10, "1001" * 200, "moves"),
        (11, -1, "spent"),
        (12, True, "daylight"),
        (12, 1e30, "daylight"),
        (13, 0.5, "score"),
        (14, None, "streak"),
    ],
)
def test_a_saved_run_names_its_first_wrong_field(place: int, value: object, field: str) -> None:
    with pytest.raises(BadState, match=f"^{field}: "):
        GAME.load(Saved(changed(place, value), bytes(4)))


def test_a_saved_run_is_not_taken_for_one_that_is_equal_in_python() -> None:
    """A pond that was read is kept by its numbers, of which ``true`` is none."""
    assert GAME.load(Saved(changed(2, 1), bytes(4))).pond.number == 1
    with pytest.raises(BadState, match=r"^number: "):
        GAME.load(Saved(changed(2, True), bytes(4)))


@pytest.mark.parametrize(("place", "field"), [(7, "plan"), (9, "position")])
def test_a_saved_run_has_no_layout_against_the_rules_of_its_pond(place: int, field: str) -> None:
    shy = GAME.save(replace(TOWER, pond=pond((0, 1, 2, 3), SHY_SHELLS), position=(0, 1, 2, 3))).open
    pad = GAME.save(replace(TOWER, pond=pond((3, 3, 1), LILY_PAD, lily_pad=1), position=(3, 3, 1))).open
    for saved, layout in ((as_json(shy), "0120"), (as_json(pad), "111")):
        GAME.load(Saved(saved, bytes(4)))
        saved[place] = layout
        with pytest.raises(BadState, match=f"^{field}: the turtles never lie like this"):
            GAME.load(Saved(saved, bytes(4)))


def test_where_nothing_settles_a_pond_the_sun_sets() -> None:
    """No drawn pond is such a trap, but somebody who has the secret may sign one: it is played like any other."""
    trap = Pond(4, 3, (0, 0, 1), None, (SHY_SHELLS,), plan=(0, 1, 0))
    state = State("pond", None, trap, 3, (0, 1, 1), (), 0, 99, 0, 0, 7)
    assert GAME.load(GAME.save(state)) == state
    assert played(state, move(0, 2)).outcome == "sunset"


def test_the_texts_say_what_the_rules_do() -> None:
    scoring = GAME.info.scoring
    assert f"raw = {rules.PER_PAR} × par + {rules.PER_POND} × min(pond, {rules.PONDS_COUNTED})" in scoring
    assert f"up to par + {rules.TIDY} is Tidy" in scoring
    assert f"(100 + {rules.PER_STREAK} × min(streak, {rules.STREAK_COUNTED})) percent" in scoring
    assert str(wire.FACTS["plausibilityGuard"]) in scoring
    assert "raw (140 + 40) × 3/2 = 270, at 200 percent, award 540" in scoring
    assert f"up to {KEPT_MOVES} moves" in GAME.info.rules
    introduced = re.findall(r"^- ([A-Z][a-z ]+), from pond (\d+):", GAME.info.rules, re.MULTILINE)
    names = {"Lily pad": LILY_PAD, "Shy shells": SHY_SHELLS, "Creek": CREEK, "Grandshell": GRANDSHELL}
    assert [names[name] for name, _ in introduced] == list(FEATURES)
    for name, number in introduced:
        assert ponds.feature_choices(int(number), 4) == [(names[name],)]
        assert all(names[name] not in mix for mix in ponds.feature_choices(int(number) - 1, 4))
