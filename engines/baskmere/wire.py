"""The camelCase seam: what the public state, the report and the saved run look like outside.

A pond is the same in every answer until it is settled: it is read, shown and saved once. Nobody changes a view.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from engines.baskmere import ponds, rules
from engines.baskmere.actions import GRAMMAR, MOST_ROCKS, MOVES, Action, Move, NextPond, StepBack
from engines.baskmere.piles import lawful, led_to, piles, top
from engines.baskmere.pond import FEATURES, GRANDSHELL, LILY_PAD, SHELLS, Pond, Position
from engines.baskmere.state import KEPT_MOVES, Outcome, Phase, State, Swim
from engines.kit.game import BadState, Saved
from engines.kit.json import Json, JsonObject
from engines.kit.reading import cursor_bytes, read_cursor, read_whole, read_word
from engines.kit.schema import flag, record, row, whole, word

PHASES: tuple[Phase, ...] = ("pond", "drift", "runOver")
OUTCOMES: tuple[Outcome, ...] = ("win", "goodGame", "sunset")
MOST_TURTLES = 9

_ROCK = whole("", 0, MOST_ROCKS - 1)
_PILE = row("", whole("", 1, MOST_TURTLES))

_POND = record(
    "The pond: what stays while it is played.",
    {
        "number": whole("Its number, from 1.", 1),
        "rocks": whole("How many rocks there are.", 3, MOST_ROCKS),
        "sunRock": whole("The rightmost rock.", 2, MOST_ROCKS - 1),
        "turtles": row(
            "The turtles; turtles[size - 1] is the one of that size.",
            record(
                "",
                {
                    "size": whole("1 is the smallest.", 1, MOST_TURTLES),
                    "shell": word("The colour of its shell.", *SHELLS),
                    "grandshell": flag("Whether its moves cost 2 Daylight."),
                },
            ),
        ),
        "plan": row("The piles that settle the pond, each from bottom to top.", _PILE),
        "lanes": row("lanes[from][to]: whether a turtle may swim that way.", row("", flag(""))),
        "lilyPad": {"type": ["integer", "null"], "description": "The rock that holds two turtles at most, or null."},
        "features": row("What is special here.", word("", *FEATURES)),
        "par": whole("The least Daylight that settles it from its start.", 1, ponds.HARDEST_PAR),
        "spare": whole("Daylight that it granted beyond par.", 0, 8),
    },
)

STATE_SCHEMA = record(
    "The public state of a run of Baskmere.",
    {
        "phase": word("pond: move. drift: the pond is settled, next pond or end. runOver: the run is over.", *PHASES),
        "outcome": {"enum": [None, *OUTCOMES], "description": "How the run ended, or null."},
        "daylight": whole("Daylight left."),
        "score": whole("Points so far."),
        "streak": whole("Perfect ponds in a row; Tidy ones keep it."),
        "pond": _POND,
        "piles": row("The turtles on each rock now, from bottom to top.", _PILE),
        "moves": row(
            f"The moves of this pond that can be stepped back, oldest first: the newest {KEPT_MOVES} at most.",
            record("", {"from": _ROCK, "to": _ROCK}),
        ),
        "spent": whole("Daylight spent in this pond."),
    },
)

_SWIMS: Mapping[Swim, JsonObject] = {(start, end): {"from": start, "to": end} for start, end in MOVES}
"""Every move, as the public state tells it."""


def view(state: State) -> JsonObject:
    return {
        "phase": state.phase,
        "outcome": state.outcome,
        "daylight": state.daylight,
        "score": state.score,
        "streak": state.streak,
        "pond": pond_view(state.pond, state.par),
        "piles": piles_view(state.pond, state.position),
        "moves": [_SWIMS[swim] for swim in state.moves],
        "spent": state.spent,
    }


@lru_cache(maxsize=1024)
def pond_view(pond: Pond, par: int) -> JsonObject:
    rocks = range(pond.rocks)
    return {
        "number": pond.number,
        "rocks": pond.rocks,
        "sunRock": pond.sun_rock,
        "turtles": [
            {
                "size": turtle + 1,
                "shell": SHELLS[shell],
                "grandshell": pond.has(GRANDSHELL) and turtle == pond.turtles - 1,
            }
            for turtle, shell in enumerate(pond.shells)
        ],
        "plan": piles_view(pond, pond.plan),
        "lanes": [[pond.lane(start, end) for end in rocks] for start in rocks],
        "lilyPad": pond.lily_pad,
        "features": pond.features,
        "par": par,
        "spare": ponds.spare(pond.number),
    }


def piles_view(pond: Pond, position: Position) -> list[list[int]]:
    return [[turtle + 1 for turtle in laid] for laid in piles(position, pond.rocks)]


def award_view(paid: rules.Award) -> JsonObject:
    return {
        "grade": paid.grade,
        "raw": paid.raw,
        "multiplierPercent": paid.multiplier,
        "award": paid.points,
        "sunbeam": paid.sunbeam,
    }


REPORT_SCHEMA = record(
    "What one accepted action did.",
    {
        "action": word("The type of the action.", *(form.type for form in GRAMMAR.forms)),
        "cost": whole("Daylight that it cost.", 0, 2),
        "lastLight": flag("Whether the Daylight left is now exactly what the pond still needs."),
        "settled": flag("Whether it settled the pond."),
        "sunset": flag("Whether it left too little Daylight to settle the pond, which ends the run."),
        "turtle": whole("The size of the turtle that a MOVE or STEP_BACK moved.", 1, MOST_TURTLES),
        "from": whole("The rock that the turtle left.", 0, MOST_ROCKS - 1),
        "to": whole("The rock that it reached.", 0, MOST_ROCKS - 1),
        "grade": word("On settling: how well.", "Perfect", "Tidy", "Settled"),
        "raw": whole("On settling: points before the streak counts."),
        "multiplierPercent": whole("On settling: what the streak makes of them.", 100, 300),
        "award": whole("On settling: the points added to the score."),
        "sunbeam": whole("On settling: Daylight won by a Perfect pond.", 0, 1),
        "pond": whole("NEXT_POND: its number.", 2),
        "par": whole("NEXT_POND: its par.", 1),
        "spare": whole("NEXT_POND: its spare.", 0, 8),
        "daylight": whole("NEXT_POND: the Daylight there is now."),
    },
    required=("action", "cost", "lastLight", "settled", "sunset"),
)


FACTS: JsonObject = {
    "plausibilityGuard": 1_000_000,
    "workedExample": {"pond": 4, "par": 7, "spent": 7, "streak": 3, **award_view(rules.award(4, 7, 7, 3))},
}
"""What the spec says beside the texts: a figure for leaderboards (play never stops at it), and an award worked out."""


def report(before: State, action: Action, after: State) -> JsonObject:
    settled = after.phase == "drift" and before.phase == "pond"
    told: dict[str, Json] = {
        "action": GRAMMAR.write(action)["type"],
        "cost": after.spent - before.spent if isinstance(action, (Move, StepBack)) else 0,
        "lastLight": after.phase == "pond" and rules.needed(after) == after.daylight,
        "settled": settled,
        "sunset": after.outcome == "sunset",
    }
    if isinstance(action, (Move, StepBack)):
        start, end = rules.swim_of(before, action)
        turtle = top(before.position, start)
        assert turtle is not None, "a swim that was played had a turtle"
        told |= {"turtle": turtle + 1, "from": start, "to": end}
    if settled:
        told |= award_view(rules.award(before.pond.number, before.par, after.spent, before.streak))
    if isinstance(action, NextPond):
        number = after.pond.number
        told |= {"pond": number, "par": after.par, "spare": ponds.spare(number), "daylight": after.daylight}
    return told


def save(state: State) -> Saved:
    """The pond travels with the run, so that a server that never saw it needs one search and no draw."""
    return Saved(
        open=[
            state.phase,
            state.outcome,
            *_saved_pond(state.pond),
            state.par,
            _digits(state.position),
            "".join([_WRITTEN[swim] for swim in state.moves]),
            state.spent,
            state.daylight,
            state.score,
            state.streak,
        ],
        secret=cursor_bytes(state.cursor),
    )


@lru_cache(maxsize=1024)
def _saved_pond(pond: Pond) -> tuple[Json, ...]:
    shells, plan = _digits(pond.shells), _digits(pond.plan)
    return pond.number, pond.rocks, shells, pond.lily_pad, pond.features, plan


def load(saved: Saved) -> State:
    if not isinstance(saved.open, list) or len(saved.open) != 15:
        raise BadState("A saved run of Baskmere is a list of 15 values.")
    phase, outcome, number, rocks, shells, pad, features, plan, par, position, moves, *counts = saved.open
    drawn = (number, rocks, shells, pad, plan, *(features if isinstance(features, list | tuple) else [None]))
    if any(isinstance(part, list | dict) for part in drawn):
        raise BadState("pond: it is told by numbers and texts.")
    pond = _read_pond(*drawn)
    lain = _read_digits("position", position, pond.rocks, pond.turtles)
    if not lawful(pond, lain):
        raise BadState("position: the turtles never lie like this.")
    swum = _read_digits("moves", moves, pond.rocks)
    swims = tuple(zip(swum[::2], swum[1::2], strict=False))
    if len(swum) % 2 or len(swims) > KEPT_MOVES or not led_to(lain, swims):
        raise BadState("moves: they do not lead to where the turtles lie.")
    known = read_word("phase", phase, PHASES)
    end = None if outcome is None else read_word("outcome", outcome, OUTCOMES)
    if (known == "runOver") != (end is not None):
        raise BadState("outcome: a run has one when it is over, and none before.")
    spent, daylight, score, streak = (
        read_whole(name, value) for name, value in zip(("spent", "daylight", "score", "streak"), counts, strict=True)
    )
    return State(
        phase=known,
        outcome=end,
        pond=pond,
        par=read_whole("par", par, 1, ponds.HARDEST_PAR),
        position=lain,
        moves=swims,
        spent=spent,
        daylight=daylight,
        score=score,
        streak=streak,
        cursor=read_cursor(saved.secret),
    )


@lru_cache(maxsize=1024, typed=True)
def _read_pond(number: Json, rocks: Json, shells: Json, pad: Json, plan: Json, *features: Json) -> Pond:
    count = read_whole("rocks", rocks, 3, MOST_ROCKS)
    colours = _read_digits("shells", shells, len(SHELLS))
    if not 3 <= len(colours) <= MOST_TURTLES:
        raise BadState(f"shells: a pond has 3 to {MOST_TURTLES} turtles, not {len(colours)}.")
    known = tuple(feature for feature in FEATURES if feature in features)
    if features != known:
        raise BadState(f"features: they are some of {', '.join(FEATURES)}, in this order.")
    pond = Pond(
        number=read_whole("number", number, 1),
        rocks=count,
        shells=colours,
        lily_pad=None if pad is None else read_whole("lilyPad", pad, 0, count - 2),
        features=known,
        plan=_read_digits("plan", plan, count, len(colours)),
    )
    if pond.has(LILY_PAD) != (pond.lily_pad is not None):
        raise BadState("lilyPad: a pond has one where its features say so.")
    if not lawful(pond, pond.plan):
        raise BadState("plan: the turtles never lie like this.")
    return pond


def _digits(numbers: Iterable[int]) -> str:
    return "".join(map(str, numbers))


_WRITTEN: Mapping[Swim, str] = {swim: _digits(swim) for swim in MOVES}
"""Every move, as a saved run tells it."""


def _read_digits(path: str, value: Json, below: int, length: int | None = None) -> tuple[int, ...]:
    """The numbers that a text of digits stands for, each below a bound."""
    known = "0123456789"[:below]
    if not isinstance(value, str) or value.strip(known) or (length is not None and len(value) != length):
        raise BadState(f"{path}: it is a text of digits from 0 to {below - 1}.")
    return tuple(map(int, value))
