"""The validator of raw states: it takes what a play can produce and nothing else.

A state travels in the open, so anybody may write one. Everything in it that follows from something else is worked out
again and compared: the garden from the seed, the stroke step by step, the ledger, the score. What does not fit raises
`BadState`, which names the first wrong field in the order of the public state. The work is bounded whatever is sent:
lists are measured before they are read.

Most states are as they were sent. So a part is first compared as a whole, by the bytes of its JSON, which tell ``true``
and ``1.0`` from ``1``; only where these differ is it read value by value, to be taken all the same or named.

What a bounded look cannot decide is whether a play had the undos for the stones that it latched and lifted again; of
these only a lower bound is asked.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import cast

import orjson

from engines.kit.game import BadState, Saved
from engines.kit.json import Json, JsonObject, described, integer, quoted
from engines.kit.reading import read_whole, read_word
from engines.sumi_steps import gardens, rules, wire
from engines.sumi_steps.refusals import at
from engines.sumi_steps.state import NOWHERE, Entry, Garden, Phase, Plot, State
from engines.sumi_steps.steps import inked_stones

PHASES: tuple[Phase, ...] = ("raking", "complete", "ended")
SHORT = 200
"""Bytes of JSON that no entry of the ledger reaches, as it is sent."""

KEYS = tuple(cast("JsonObject", wire.STATE_SCHEMA["properties"]))


def load(saved: Saved) -> State:
    """The state that a raw one stands for. Raises `BadState`."""
    raw = _object("state", saved.open)
    _same("game", _part(raw, "game"), wire.SLUG)
    _same("version", _part(raw, "version"), wire.VERSION)
    seed = read_whole("seed", _part(raw, "seed"), 0, 2**32 - 1)
    phase = read_word("phase", _part(raw, "phase"), PHASES)
    number = read_whole("garden", _part(raw, "garden"), 1, gardens.LAST)
    if phase == "complete" and number != gardens.LAST:
        raise BadState(f"phase: a run is complete in garden {gardens.LAST} only, and this is garden {number}.")
    garden = gardens.garden(seed, number)
    _same("rows", _part(raw, "rows"), garden.rows)
    _same("cols", _part(raw, "cols"), garden.cols)
    _same("stones", _part(raw, "stones"), wire.stones(garden))
    _same("fences", _part(raw, "fences"), wire.fences(garden))
    stroke = _stroke(garden, _part(raw, "stroke"))
    _fits_phase(phase, garden, stroke)
    inked = inked_stones(garden, stroke)
    reached = read_whole("stonesReached", _part(raw, "stonesReached"), 1, len(garden.stones))
    if reached < inked:
        raise BadState(f"stonesReached: it is {reached}, but the stroke has inked Stone {inked}.")
    undos = read_whole("undos", _part(raw, "undos"), 0, rules.MOST)
    resets = read_whole("resets", _part(raw, "resets"), 0, rules.MOST)
    if reached > inked and not resets:
        _had_the_undos(garden, stroke, reached, undos)
    completed = _ledger(_part(raw, "completed"), number if phase == "complete" else number - 1)
    if phase == "complete":
        _same("undos", undos, completed[-1].undos)
        _same("resets", resets, completed[-1].resets)
    score = _score(phase, completed, reached)
    _same("score", _part(raw, "score"), score)
    _no_more("state", raw, KEYS)
    return State(seed, phase, garden, stroke, reached, undos, resets, completed, score)


def _stroke(garden: Garden, value: Json) -> tuple[Plot, ...]:
    """The plots of a stroke that a play can have laid."""
    listed = _list("stroke", value)
    if not 1 <= len(listed) <= garden.cells:
        raise BadState(f"stroke: it has 1 to {garden.cells} plots in this garden, not {len(listed)}.")
    known = _places(garden.rows, garden.cols)
    plots: dict[Plot, None] = {}
    last, inked = NOWHERE, 0
    for place, part in enumerate(listed):
        plot = known.get(_bytes(part), NOWHERE)
        if plot == NOWHERE:
            plot = _plot(f"stroke[{place}]", garden, part)
        if last == NOWHERE:
            if plot != garden.stones[0]:
                raise BadState(f"stroke[{place}]: every stroke starts at Stone 1, {at(garden, garden.stones[0])}.")
        elif plot in plots or plot not in garden.ways[last] or last == garden.stones[-1]:
            raise BadState(f"stroke[{place}]: {_cannot_follow(garden, plots, last, plot)}")
        if plot in garden.stones:
            if plot != garden.stones[inked]:
                stone = garden.stones.index(plot) + 1
                raise BadState(
                    f"stroke[{place}]: Stone {stone} is inked before Stone {inked + 1}; they are inked in order."
                )
            inked += 1
        plots[plot] = None
        last = plot
    return tuple(plots)


@lru_cache(maxsize=16)
def _places(rows: int, cols: int) -> dict[bytes, Plot]:
    """The place of each plot of a garden of this size, by the bytes of its JSON."""
    return {_bytes(plot): place for place, plot in enumerate(wire.plots(rows, cols))}


def _plot(path: str, garden: Garden, value: Json) -> Plot:
    parts = _object(path, value)
    row = read_whole(f"{path}.row", _part(parts, "row", path), 0, garden.rows - 1)
    col = read_whole(f"{path}.col", _part(parts, "col", path), 0, garden.cols - 1)
    _no_more(path, parts, ("row", "col"))
    return row * garden.cols + col


def _cannot_follow(garden: Garden, plots: Iterable[Plot], last: Plot, plot: Plot) -> str:
    """Why no step leads from the last of these plots to another."""
    if last == garden.stones[-1]:
        return f"no stroke goes on from the final stone, {at(garden, last)}."
    if plot in plots:
        return f"the plot {at(garden, plot)} is inked already, and none is inked twice."
    apart = abs(plot // garden.cols - last // garden.cols) + abs(plot % garden.cols - last % garden.cols)
    if apart == 1:
        return f"a fence stands between {at(garden, last)} and {at(garden, plot)}."
    return f"{at(garden, plot)} is not beside {at(garden, last)}; a step leads to a neighbour."


def _fits_phase(phase: Phase, garden: Garden, stroke: Sequence[Plot]) -> None:
    full = len(stroke) == garden.cells
    if full and phase != "complete":
        raise BadState(f"phase: it is {phase}, but the stroke fills the garden, which completes it at once.")
    if not full and phase == "complete":
        raise BadState(f"phase: it is complete, but the stroke inks {len(stroke)} of {garden.cells} plots only.")


def _had_the_undos(garden: Garden, stroke: Sequence[Plot], reached: int, undos: int) -> None:
    """Whether undos alone can have lifted the ink that once led to the highest stone."""
    missing = garden.stones[inked_stones(garden, stroke) : reached]
    ahead, needed = tuple(stroke), 0
    for stone in missing:
        needed += _distance(garden, ahead, stone)
        ahead = (stone,)
    if undos < needed:
        raise BadState(
            f"stonesReached: it is {reached}, but the stroke inks Stone {reached - len(missing)} only; without a reset "
            f"the rest takes at least {needed} undos, and there are {undos}."
        )


def _distance(garden: Garden, sources: Iterable[Plot], goal: Plot) -> int:
    """The fewest steps from one of the sources to a plot, over ink or not, around the fences: there always is a way."""
    seen, steps = set(sources), 0
    frontier = seen
    while goal not in seen:
        frontier = {way for plot in frontier for way in garden.ways[plot]} - seen - {NOWHERE}
        seen = seen | frontier
        steps += 1
    return steps


def _ledger(value: Json, count: int) -> tuple[Entry, ...]:
    """The entries of the gardens 1 to `count`."""
    listed = _list("completed", value)
    if len(listed) != count:
        raise BadState(f"completed: it has an entry for each garden before, {count} here, not {len(listed)}.")
    return tuple(_at_once(place, _bytes(part)) or _entry(place, part) for place, part in enumerate(listed))


def _at_once(place: int, written: bytes) -> Entry | None:
    """The entry that this JSON is, if it is one as it is sent. Only what is as short as those is kept."""
    return _known_entry(place, written) if len(written) < SHORT else None


def _entry(place: int, part: Json) -> Entry:
    path = f"completed[{place}]"
    fields = _object(path, part)
    undos = read_whole(f"{path}.undos", _part(fields, "undos", path), 0, rules.MOST)
    resets = read_whole(f"{path}.resets", _part(fields, "resets", path), 0, rules.MOST)
    entry = Entry(place + 1, undos, resets)
    _same(path, part, wire.entry(entry))
    return entry


@lru_cache(maxsize=4096)
def _known_entry(place: int, written: bytes) -> Entry | None:
    try:
        entry = _entry(place, orjson.loads(written or b"null"))
    except BadState:
        return None
    return entry if _bytes(wire.entry(entry)) == written else None


def _score(phase: Phase, completed: Sequence[Entry], reached: int) -> int:
    paid = sum(rules.garden_points(entry.garden, rules.wasted(entry.undos, entry.resets)) for entry in completed)
    return paid + (rules.still_water(completed) if phase == "complete" else rules.STONE * (reached - 1))


def _same(path: str, value: Json, expected: Json) -> None:
    """Whether a value is the one that follows from what came before it."""
    if type(expected) is type(value) and _bytes(value) == _bytes(expected):
        return
    if isinstance(expected, Mapping):
        fields = _object(path, value)
        for key, part in expected.items():
            _same(f"{path}.{key}", _part(fields, key, path), part)
        _no_more(path, fields, expected)
    elif isinstance(expected, list):
        listed = _list(path, value)
        if len(listed) != len(expected):
            raise BadState(f"{path}: there are {len(expected)} of them here, not {len(listed)}.")
        for place, part in enumerate(expected):
            _same(f"{path}[{place}]", listed[place], part)
    elif (integer(value) if isinstance(expected, int) else value) != expected:
        raise BadState(f"{path}: it is {described(expected)} here, not {described(value)}.")


def _bytes(value: Json) -> bytes:
    """The JSON of a value, and nothing for one that has an integer beyond 64 bits, which no valid part has."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return b""


def _object(path: str, value: Json) -> JsonObject:
    if not isinstance(value, dict):
        raise BadState(f"{path}: it is an object, not {described(value)}.")
    return value


def _list(path: str, value: Json) -> list[Json]:
    if not isinstance(value, list):
        raise BadState(f"{path}: it is a list, not {described(value)}.")
    return value


def _part(fields: JsonObject, key: str, path: str = "") -> Json:
    if key not in fields:
        raise BadState(f"{path}.{key}: it is missing." if path else f"{key}: it is missing.")
    return fields[key]


def _no_more(path: str, fields: JsonObject, known: Iterable[str]) -> None:
    for key in fields:
        if key not in known:
            raise BadState(f"{path}: {quoted(key)} is not a key of it.")
