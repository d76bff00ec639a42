"""Baskmere's ponds: what the schedule promises, by an independent check and a literal search."""

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import pytest

from engines.baskmere import ponds, rules, wire
from engines.baskmere.actions import NextPond
from engines.baskmere.distances import search as search_distances
from engines.baskmere.pond import CREEK, FEATURES, GRANDSHELL, LILY_PAD, SHY_SHELLS, Pond, Position
from engines.baskmere.ponds import Opened, cap, draw, feature_choices, lowest, rock_choices, spare, turtle_choices
from tests.games.baskmere import model
from tests.wire import as_json

SMALL = 1500
"""Positions up to which the literal search of the model is run in these tests."""

NUMBERS = [*range(1, 61, 4), 60, 61, 100, 1000]


def public(opened: Opened) -> tuple[model.Pond, list[list[int]]]:
    """A pond and its piles as a client sees them."""
    pond: model.Pond = as_json(wire.pond_view(opened.pond, opened.par))
    return pond, wire.piles_view(opened.pond, opened.start)


@pytest.mark.parametrize("number", NUMBERS)
def test_ponds_keep_every_promise(number: int) -> None:
    """Eight or nine ponds of each number, 300 in all."""
    for cursor in range(number * 1000, number * 1000 + 9):
        opened = draw(number, cursor)
        pond, piles = public(opened)
        model.check_pond(pond, piles, f"pond {number}, cursor {cursor}")
        assert model.in_band(pond)
        table = ponds.distances(opened.pond)
        assert table.of(opened.start) == opened.par
        assert table.closed()
        if opened.pond.rocks**opened.pond.turtles <= SMALL:
            start = tuple(map(tuple, piles))
            assert model.distances(pond)[start] == opened.par
            assert not model.dead_ends(pond, start)


@pytest.mark.untraced
def test_a_pond_is_drawn_from_number_and_cursor_alone() -> None:
    for number in (1, 12, 40, 80):
        assert draw(number, 99) == draw(number, 99)
        assert ponds.opening(number, 99) == draw(number, 99)
        assert len({(draw(number, cursor).pond, draw(number, cursor).start) for cursor in range(12)}) == 12


def test_spare_and_cap() -> None:
    assert [spare(number) for number in (1, 2, 3, 4, 5, 15, 16, 17, 18, 100)] == [8, 8, 7, 7, 6, 1, 1, 0, 0, 0]
    expected = {1: 6, 4: 7, 11: 10, 20: 14, 30: 18, 40: 23, 50: 27, 60: 32, 61: 32, 500: 32}
    assert {number: cap(number) for number in expected} == expected
    assert [lowest(number) for number in (1, 4, 59, 60, 200)] == [3, 4, 28, 28, 28]


def test_rocks() -> None:
    for number in range(1, 120):
        rocks = Counter(rock_choices(number))
        assert set(rocks) == model.rocks_allowed(number)
        if number >= 11 and 3 in rocks:
            assert rocks[3] * 5 == rocks.total()


@pytest.mark.parametrize("rocks", [3, 4, 5])
def test_features(rocks: int) -> None:
    for number in range(1, 120):
        if rocks in rock_choices(number):
            mixes = feature_choices(number, rocks)
            assert len(set(mixes)) == len(mixes) > 0
            for mix in mixes:
                assert list(mix) == [feature for feature in FEATURES if feature in mix]
    assert feature_choices(5, rocks) == [()]
    assert (
        feature_choices(60, rocks)
        == {
            3: [(SHY_SHELLS, GRANDSHELL), (CREEK, GRANDSHELL)],
            4: [(LILY_PAD, SHY_SHELLS, GRANDSHELL), (LILY_PAD, CREEK, GRANDSHELL), (SHY_SHELLS, CREEK, GRANDSHELL)],
            5: [FEATURES],
        }[rocks]
    )


def test_turtles() -> None:
    assert turtle_choices(1, 3, ()) == range(3, 5)
    assert turtle_choices(9, 5, (LILY_PAD,)) == range(5, 7)
    assert turtle_choices(30, 3, (GRANDSHELL,)) == range(5, 6)
    assert turtle_choices(30, 3, (SHY_SHELLS, GRANDSHELL)) == range(4, 6)
    assert turtle_choices(30, 4, (CREEK,)) == range(6, 8)
    assert turtle_choices(45, 4, (CREEK, SHY_SHELLS)) == range(7, 9)
    assert turtle_choices(60, 4, (LILY_PAD, CREEK, GRANDSHELL)) == range(8, 10)
    assert turtle_choices(60, 5, FEATURES) == range(9, 10)


@pytest.mark.untraced
def test_the_first_lily_pads_mostly_matter() -> None:
    """On four rocks the pad makes the way longer in most of the ponds that introduce it."""
    longer = total = 0
    for cursor in range(60):
        opened = draw(8, cursor)
        if opened.pond.rocks == 4:
            without = search_distances(replace(opened.pond, features=(), lily_pad=None)).of(opened.start)
            assert without is not None
            longer += without < opened.par
            total += 1
    assert total > 15
    assert longer > total * 0.9


@pytest.mark.parametrize("proved", [True, False])
def test_no_draw_goes_on_without_end(monkeypatch: pytest.MonkeyPatch, proved: bool) -> None:
    searches = []

    def search(pond: object) -> SimpleNamespace:
        """Distances of which the proof fails, or that have no position to start from."""
        searches.append(pond)
        return SimpleNamespace(closed=lambda: proved, count=lambda *_: 0, deepest=0)

    monkeypatch.setattr(ponds, "search", search)
    with pytest.raises(RuntimeError, match="no pond 40"):
        draw(40, 1)
    assert len(searches) <= ponds.REDRAWS + ponds.HARDEST_PAR
    if not proved:
        assert len(searches) == ponds.REDRAWS


def test_a_turtle_that_no_rock_takes_makes_a_new_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four turtles of one colour do not fit on three rocks with shy shells; such a plan is drawn again."""
    blank = Pond(11, 3, (0, 0, 0, 0), None, (SHY_SHELLS,), plan=())
    assert ponds.draw_plan(blank, 35, 7)[1] is None
    honest, plans = ponds.draw_plan, []

    def once_none(pond: Pond, sun: int, cursor: int) -> tuple[int, Position | None]:
        plans.append(pond)
        return (cursor, None) if len(plans) == 1 else honest(pond, sun, cursor)

    monkeypatch.setattr(ponds, "draw_plan", once_none)
    assert draw(5, 3).par > 0
    assert len(plans) >= 2


def test_what_needs_a_search_is_known_before() -> None:
    """So that a server can do it aside."""
    seed = 987_654_321
    assert rules.slow_begin(seed)
    state = rules.begin(seed)
    assert not rules.slow_begin(seed)
    assert not rules.slow_play(state)
    unseen = replace(state, pond=replace(state.pond, number=123_456))
    assert rules.slow_play(unseen)
    rules.needed(unseen)
    assert not rules.slow_play(unseen)
    drift = replace(state, phase="drift")
    assert rules.slow_play(drift)
    rules.apply(drift, NextPond())
    assert not rules.slow_play(drift)
    assert not rules.slow_play(replace(state, phase="runOver"))


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(50))
def test_two_hundred_ponds_of_a_seed(seed: int) -> None:
    cursor = seed
    for number in range(1, 201):
        opened = draw(number, cursor)
        pond, piles = public(opened)
        model.check_pond(pond, piles, f"seed {seed}, pond {number}")
        assert ponds.distances(opened.pond).of(opened.start) == opened.par
        cursor = opened.cursor
