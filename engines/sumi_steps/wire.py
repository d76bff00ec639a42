"""The camelCase seam: what the public state and the report look like outside. The state travels in the open.

What many answers share is made once: the plots of a size, stones and fences of a garden, entries of the ledger. Nobody
changes a view.
"""

from functools import lru_cache

from engines.kit.game import Saved
from engines.kit.json import JsonObject
from engines.kit.schema import flag, record, row, whole, word
from engines.sumi_steps import gardens, rules
from engines.sumi_steps.actions import GRAMMAR, Action
from engines.sumi_steps.state import Entry, Garden, Plot, State

SLUG = "sumi-steps"
VERSION = 1


def _plot(about: str) -> JsonObject:
    return record(about, {"row": whole("From the top, from 0.", 0, 7), "col": whole("From the left, from 0.", 0, 7)})


_STONE = record(
    "",
    {
        "number": whole("Its place in the order, from 1.", 1, 8),
        "row": whole("From the top, from 0.", 0, 7),
        "col": whole("From the left, from 0.", 0, 7),
    },
)

_ENTRY = record(
    "",
    {
        "garden": whole("Its number.", 1, gardens.LAST),
        "undos": whole("Undos in it."),
        "resets": whole("Resets in it."),
        "wasted": whole("Wasted steps: undos and ten for each reset."),
        "bonus": whole("Its Clean Brush Bonus."),
        "points": whole("All that it paid: stones, completion and bonus."),
    },
)

STATE_SCHEMA = record(
    "The whole run. Send it back unchanged with the next action.",
    {
        "game": {"const": SLUG, "description": "The game."},
        "version": {"const": VERSION, "description": "The version of the garden generator."},
        "seed": whole("The seed of the run.", 0, 2**32 - 1),
        "phase": word(
            "raking: play on. complete: all nine gardens are done. ended: by endRun.", "raking", "complete", "ended"
        ),
        "garden": whole("Number of the garden.", 1, gardens.LAST),
        "rows": whole("Rows of plots.", 4, 8),
        "cols": whole("Columns of plots.", 4, 8),
        "stones": row("The stones, in order.", _STONE),
        "fences": row("The fences, each between the two plots that it parts.", row("", _plot(""), 2)),
        "stroke": row("The inked plots, from Stone 1 to the head.", _plot("")),
        "stonesReached": whole("The highest stone that has paid in this garden; 1 at its start.", 1, 8),
        "undos": whole("Undos in this garden."),
        "resets": whole("Resets in this garden."),
        "completed": row("The completed gardens.", _ENTRY),
        "score": whole("Points so far."),
    },
)


def view(state: State) -> JsonObject:
    garden = state.garden
    places = plots(garden.rows, garden.cols)
    return {
        "game": SLUG,
        "version": VERSION,
        "seed": state.seed,
        "phase": state.phase,
        "garden": garden.number,
        "rows": garden.rows,
        "cols": garden.cols,
        "stones": stones(garden),
        "fences": fences(garden),
        "stroke": [places[inked] for inked in state.stroke],
        "stonesReached": state.reached,
        "undos": state.undos,
        "resets": state.resets,
        "completed": [entry(done) for done in state.completed],
        "score": state.score,
    }


@lru_cache(maxsize=16)
def plots(rows: int, cols: int) -> tuple[JsonObject, ...]:
    """Every plot of a garden of this size, by its place."""
    return tuple({"row": row, "col": col} for row in range(rows) for col in range(cols))


def plot(garden: Garden, place: Plot) -> JsonObject:
    return plots(garden.rows, garden.cols)[place]


@lru_cache(maxsize=2048)
def stones(garden: Garden) -> list[JsonObject]:
    return [{"number": number, **plot(garden, place)} for number, place in enumerate(garden.stones, start=1)]


@lru_cache(maxsize=2048)
def fences(garden: Garden) -> list[list[JsonObject]]:
    return [[plot(garden, here), plot(garden, there)] for here, there in garden.fences]


@lru_cache(maxsize=4096)
def entry(done: Entry) -> JsonObject:
    waste = rules.wasted(done.undos, done.resets)
    return {
        "garden": done.garden,
        "undos": done.undos,
        "resets": done.resets,
        "wasted": waste,
        "bonus": rules.brush_bonus(done.garden, waste),
        "points": rules.garden_points(done.garden, waste),
    }


REPORT_SCHEMA = record(
    "What one accepted action did. Of the step that completes a garden it speaks as of that garden.",
    {
        "action": word("The type of the action.", *(form.type for form in GRAMMAR.forms)),
        "head": _plot("Where the head of the stroke is after it."),
        "stone": {"type": ["integer", "null"], "description": "The stone that it reached for the first time, or null."},
        "wasted": whole("Wasted steps in this garden so far."),
        "gardenCompleted": {"type": ["integer", "null"], "description": "The garden that it completed, or null."},
        "bonus": {"type": ["integer", "null"], "description": "The Clean Brush Bonus of that garden, or null."},
        "stillWater": flag("Whether it finished the run without a wasted step."),
        "pointsAwarded": whole("All the points that it paid."),
    },
)


def report(before: State, action: Action, after: State) -> JsonObject:
    garden, completes = before.garden, len(after.completed) > len(before.completed)
    reached, head = (len(garden.stones), garden.stones[-1]) if completes else (after.reached, after.stroke[-1])
    waste = rules.wasted(before.undos, before.resets) if completes else rules.wasted(after.undos, after.resets)
    return {
        "action": GRAMMAR.write(action)["type"],
        "head": plot(garden, head),
        "stone": reached if reached > before.reached else None,
        "wasted": waste,
        "gardenCompleted": garden.number if completes else None,
        "bonus": rules.brush_bonus(garden.number, waste) if completes else None,
        "stillWater": after.phase == "complete" and rules.still_water(after.completed) > 0,
        "pointsAwarded": after.score - before.score,
    }


def save(state: State) -> Saved:
    """The public state is the whole run: nothing in it is secret."""
    return Saved(view(state), b"")
