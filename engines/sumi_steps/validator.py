"""The validator of raw states: it takes what a play can produce and nothing else.

A state travels in the open, so anybody may write one. Everything in it that follows from something else is worked out
again and compared: the garden from the seed, the stroke step by step, the ledger, the score. What does not fit raises
`BadState`, which names the first wrong field in the order of the public state. The work is bounded whatever is sent:
lists are measured before they are read.

What a bounded look cannot decide is whether a play had the undos for the stones that it latched and lifted again; of
these only a lower bound is asked.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from engines.kit.game import BadState, Saved
from engines.kit.json import Json, JsonObject, described, integer, quoted
from engines.kit.reading import read_whole, read_word
from engines.sumi_steps import gardens, rules, wire
from engines.sumi_steps.refusals import at
from engines.sumi_steps.state import NOWHERE, Entry, Garden, Phase, Plot, State
from engines.sumi_steps.steps import inked_stones

PHASES: tuple[Phase, ...] = ("raking", "complete", "ended")
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
    plots: list[Plot] = []
    for place, part in enumerate(listed):
        path = f"stroke[{place}]"
        plot = _plot(path, garden, part)
        if not plots:
            if plot != garden.stones[0]:
                raise BadState(f"{path}: every stroke starts at Stone 1, {at(garden, garden.stones[0])}.")
        else:
            _follows(path, garden, plots, plot)
        plots.append(plot)
    return tuple(plots)


def _plot(path: str, garden: Garden, value: Json) -> Plot:
    parts = _object(path, value)
    row = read_whole(f"{path}.row", _part(parts, "row", path), 0, garden.rows - 1)
    col = read_whole(f"{path}.col", _part(parts, "col", path), 0, garden.cols - 1)
    _no_more(path, parts, ("row", "col"))
    return row * garden.cols + col


def _follows(path: str, garden: Garden, plots: Sequence[Plot], plot: Plot) -> None:
    """Whether a step may lead from the last of these plots to the next one."""
    last = plots[-1]
    if last == garden.stones[-1]:
        raise BadState(f"{path}: no stroke goes on from the final stone, {at(garden, last)}.")
    if plot in plots:
        raise BadState(f"{path}: the plot {at(garden, plot)} is inked already, and none is inked twice.")
    if plot not in garden.ways[last]:
        apart = abs(plot // garden.cols - last // garden.cols) + abs(plot % garden.cols - last % garden.cols)
        if apart == 1:
            raise BadState(f"{path}: a fence stands between {at(garden, last)} and {at(garden, plot)}.")
        raise BadState(f"{path}: {at(garden, plot)} is not beside {at(garden, last)}; a step leads to a neighbour.")
    if plot in garden.stones:
        stone, inked = garden.stones.index(plot) + 1, inked_stones(garden, plots)
        if stone != inked + 1:
            raise BadState(f"{path}: Stone {stone} is inked before Stone {inked + 1}; they are inked in order.")


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
    entries = []
    for place, part in enumerate(listed):
        path = f"completed[{place}]"
        fields = _object(path, part)
        undos = read_whole(f"{path}.undos", _part(fields, "undos", path), 0, rules.MOST)
        resets = read_whole(f"{path}.resets", _part(fields, "resets", path), 0, rules.MOST)
        entry = Entry(place + 1, undos, resets)
        _same(path, part, wire.entry(entry))
        entries.append(entry)
    return tuple(entries)


def _score(phase: Phase, completed: Sequence[Entry], reached: int) -> int:
    paid = sum(rules.garden_points(entry.garden, rules.wasted(entry.undos, entry.resets)) for entry in completed)
    return paid + (rules.still_water(completed) if phase == "complete" else rules.STONE * (reached - 1))


def _same(path: str, value: Json, expected: Json) -> None:
    """Whether a value is the one that follows from what came before it."""
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


def _object(path: str, value: Json) -> JsonObject:
    if not isinstance(value, Mapping):
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
