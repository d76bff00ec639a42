"""The rules: what an action does, what it costs and what it pays (document: "Rules", "Scoring")."""

from dataclasses import dataclass, replace
from typing import Literal, assert_never

from engines.baskmere import ponds
from engines.baskmere.actions import MOVES, Action, EndRun, Move, NextPond, StepBack
from engines.baskmere.piles import may_step_back, moved, open_swims, top
from engines.baskmere.state import KEPT_MOVES, State, Swim

PER_PAR = 20
PER_POND = 10
PONDS_COUNTED = 60
TIDY = 2
PER_STREAK = 25
STREAK_COUNTED = 8
SUNBEAM = 1

Grade = Literal["Perfect", "Tidy", "Settled"]


@dataclass(frozen=True, slots=True)
class Award:
    """What settling a pond pays."""

    grade: Grade
    raw: int
    streak: int
    multiplier: int
    """Percent."""
    points: int
    sunbeam: int


def award(number: int, par: int, spent: int, streak: int) -> Award:
    """The award for a pond that was settled with this much Daylight; `streak` is the one before it."""
    raw = PER_PAR * par + PER_POND * min(number, PONDS_COUNTED)
    grade: Grade
    if spent <= par:
        grade, raw, streak = "Perfect", raw * 3 // 2, streak + 1
    elif spent <= par + TIDY:
        grade = "Tidy"
    else:
        grade, streak = "Settled", 0
    multiplier = 100 + PER_STREAK * min(streak, STREAK_COUNTED)
    points = (raw * multiplier + 50) // 100
    return Award(grade, raw, streak, multiplier, points, SUNBEAM if grade == "Perfect" else 0)


def begin(seed: int) -> State:
    opened = ponds.opening(1, seed)
    daylight = opened.par + ponds.spare(1)
    return State(
        phase="pond",
        outcome=None,
        pond=opened.pond,
        par=opened.par,
        position=opened.start,
        moves=(),
        spent=0,
        daylight=daylight,
        score=0,
        streak=0,
        cursor=opened.cursor,
    )


def score(state: State) -> int:
    return state.score


def over(state: State) -> bool:
    return state.phase == "runOver"


def legal(state: State) -> list[Action]:
    if state.phase == "pond":
        moves = [MOVES[swim] for swim in open_swims(state)]
        return [*moves, StepBack(), EndRun()] if may_step_back(state) else [*moves, EndRun()]
    return [NextPond(), EndRun()] if state.phase == "drift" else []


def needed(state: State) -> int | None:
    """The least Daylight that settles the pond from here; None where none does, which no drawn pond has."""
    return ponds.needed(state.pond, state.position)


def swim_of(state: State, action: Move | StepBack) -> Swim:
    """The way that a turtle goes."""
    if isinstance(action, Move):
        return action.start, action.end
    start, end = state.moves[-1]
    return end, start


def apply(state: State, action: Action) -> State:
    match action:
        case Move():
            swim = swim_of(state, action)
            return _after_swim(state, swim, (*state.moves, swim)[-KEPT_MOVES:])
        case StepBack():
            return _after_swim(state, swim_of(state, action), state.moves[:-1])
        case NextPond():
            return _opened(state)
        case EndRun():
            return replace(state, phase="runOver", outcome="win" if state.phase == "drift" else "goodGame")
        case _:
            assert_never(action)


def _after_swim(state: State, swim: Swim, moves: tuple[Swim, ...]) -> State:
    """Pay; then settled, or sunset where the Daylight left cannot settle the pond any more."""
    turtle = top(state.position, swim[0])
    assert turtle is not None, "a swim that was not refused has a turtle"
    cost = state.pond.cost(turtle)
    after = replace(
        state,
        position=moved(state.position, swim),
        moves=moves,
        spent=state.spent + cost,
        daylight=state.daylight - cost,
    )
    if after.position == state.pond.plan:
        paid = award(state.pond.number, state.par, after.spent, state.streak)
        return replace(
            after,
            phase="drift",
            daylight=after.daylight + paid.sunbeam,
            score=state.score + paid.points,
            streak=paid.streak,
        )
    light = needed(after)
    if light is None or light > after.daylight:
        return replace(after, phase="runOver", outcome="sunset")
    return after


def _opened(state: State) -> State:
    number = state.pond.number + 1
    opened = ponds.opening(number, state.cursor)
    return replace(
        state,
        phase="pond",
        pond=opened.pond,
        par=opened.par,
        position=opened.start,
        moves=(),
        spent=0,
        daylight=state.daylight + opened.par + ponds.spare(number),
        cursor=opened.cursor,
    )


def slow_begin(seed: int) -> bool:
    """Whether a run of this seed cannot begin without a search."""
    return not ponds.opening_at_hand(1, seed)


def slow_play(state: State) -> bool:
    """Whether an action here may need a search."""
    if state.phase == "drift":
        return not ponds.opening_at_hand(state.pond.number + 1, state.cursor)
    return state.phase == "pond" and not ponds.distances_at_hand(state.pond)
