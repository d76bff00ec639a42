"""The validator of raw states: every state that was ever sent is taken again, every forgery is refused by its field."""

import copy
import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.kit.game import BadState, Saved
from engines.sumi_steps import GAME
from engines.sumi_steps.rules import MOST
from tests.client import Client
from tests.games.sumi_steps.model import plausible
from tests.games.sumi_steps.plays import at_garden, finished, gardens_of, played, public, solution, wander

State = dict[str, Any]
UNDO, RESET, END = {"type": "undo"}, {"type": "reset"}, {"type": "endRun"}

CHOICES = st.lists(st.integers(0, 17), max_size=30)


def load(raw: Any) -> Any:
    return GAME.load(Saved(raw, b""))


def refused(raw: Any) -> str:
    with pytest.raises(BadState) as bad:
        load(raw)
    return str(bad.value)


def reserialised(value: Any, choose: Random) -> Any:
    """The same JSON value as another client may write it: keys in another order, whole numbers as floats."""
    if isinstance(value, dict):
        keys = list(value)
        choose.shuffle(keys)
        return {key: reserialised(value[key], choose) for key in keys}
    if isinstance(value, list):
        return [reserialised(part, choose) for part in value]
    return float(value) if isinstance(value, int) and choose.random() < 0.5 else value


@pytest.mark.untraced
@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1), CHOICES)
def test_every_state_of_a_play_is_taken_again(seed: int, choices: list[int]) -> None:
    choose = Random(seed)
    for _, _, after in wander(seed, choices):
        raw = public(after)
        assert load(raw) == after
        assert load(reserialised(raw, choose)) == after
        assert plausible(raw, gardens_of)
        ended = public(played(after, END)) if after.phase == "raking" else raw
        assert public(load(ended)) == ended


@pytest.mark.untraced
def test_another_spelling_of_a_state_is_the_same_state() -> None:
    state = at_garden(7, 3)
    state = played(state, *solution(state)[:5], UNDO)
    for seed in range(10):
        assert load(reserialised(public(state), Random(seed))) == state


@pytest.mark.parametrize(
    ("field", "part"),
    [
        ("seed", lambda raw: (raw, "seed")),
        ("stones[1].col", lambda raw: (raw["stones"][1], "col")),
        ("fences[0][1].row", lambda raw: (raw["fences"][0][1], "row")),
        ("stroke[0].row", lambda raw: (raw["stroke"][0], "row")),
        ("completed[0].undos", lambda raw: (raw["completed"][0], "undos")),
        ("score", lambda raw: (raw, "score")),
    ],
)
def test_a_number_beyond_64_bits_is_refused_by_its_field(
    field: str, part: Callable[[State], tuple[State, str]]
) -> None:
    raw = public(at_garden(7, 2))
    fields, key = part(raw)
    fields[key] = 2**64
    assert refused(raw).startswith(f"{field}: ")


def test_a_whole_run_is_taken_again_state_by_state(client: Client) -> None:
    """Over HTTP, and as other clients may send it: the answers are the same to the byte."""
    choose, answer = Random(7), client.init("sumi-steps", 7)
    while not answer["gameOver"]:
        state = answer["state"]
        for action in solution(load(state)):
            one = client.post("/api/games/sumi-steps/action", json={"state": answer["state"], "action": action})
            if choose.random() < 0.3:
                body = {"action": action, "state": reserialised(answer["state"], choose)}
                two = client.post("/api/games/sumi-steps/action", content=json.dumps(body, indent=1))
                assert one.content == two.content
            answer = one.json()
            assert answer["ok"] is True


# --- forgeries: a name, the state that is forged, how, and the field that the reason must name ---------------------

START = public(GAME.begin(7))
MIDDLE = public(played(GAME.begin(7), *solution(GAME.begin(7))[:7]))
THIRD = public(played(at_garden(7, 3), *solution(at_garden(7, 3))[:5]))
WASTEFUL = public(played(GAME.begin(7), *solution(GAME.begin(7))[:7], UNDO, UNDO, RESET, solution(GAME.begin(7))[0]))
ENDED = public(played(load(MIDDLE), END))
COMPLETE = public(finished(7))

Forge = Callable[[State], Any]


def put(*path: Any) -> Forge:
    """Put the last of these where the others lead."""
    *way, last, value = path

    def forge(raw: State) -> State:
        part: Any = raw
        for key in way:
            part = part[key]
        part[last] = value
        return raw

    return forge


def drop(*path: Any) -> Forge:
    *way, last = path

    def forge(raw: State) -> State:
        part: Any = raw
        for key in way:
            part = part[key]
        del part[last]
        return raw

    return forge


def change(*path: Any, by: int) -> Forge:
    *way, last = path

    def forge(raw: State) -> State:
        part: Any = raw
        for key in way:
            part = part[key]
        part[last] += by
        return raw

    return forge


def swap(key: str, first: int, second: int) -> Forge:
    def forge(raw: State) -> State:
        parts = raw[key]
        parts[first], parts[second] = parts[second], parts[first]
        return raw

    return forge


def append(key: str, value: Any) -> Forge:
    def forge(raw: State) -> State:
        raw[key].append(value)
        return raw

    return forge


def stroke_of(*plots: tuple[int, int]) -> Forge:
    return put("stroke", [{"row": row, "col": col} for row, col in plots])


def fields(raw: State, number: int) -> State:
    made = gardens_of(7)(number)
    return {**raw, "garden": number, **made}


FORGERIES: dict[str, tuple[State, Forge, str]] = {
    "no game": (START, drop("game"), "game: "),
    "another game": (START, put("game", "dewspout"), "game: "),
    "a game in capitals": (START, put("game", "Sumi-Steps"), "game: "),
    "a game that is a number": (START, put("game", 1), "game: "),
    "no version": (START, drop("version"), "version: "),
    "version 2": (START, put("version", 2), "version: "),
    "version true": (START, put("version", True), "version: "),
    "version in quotes": (START, put("version", "1"), "version: "),
    "no seed": (START, drop("seed"), "seed: "),
    "a negative seed": (START, put("seed", -1), "seed: "),
    "a seed too large": (START, put("seed", 2**32), "seed: "),
    "a seed in quotes": (START, put("seed", "7"), "seed: "),
    "a broken seed": (START, put("seed", 7.5), "seed: "),
    "a seed true": (START, put("seed", True), "seed: "),
    "a seed of 4,000 digits": (START, put("seed", 10**4000), "seed: "),
    "another seed": (START, put("seed", 8), "stones["),
    "no phase": (START, drop("phase"), "phase: "),
    "an unknown phase": (START, put("phase", "playing"), "phase: "),
    "a phase that is a list": (START, put("phase", ["raking"]), "phase: "),
    "a phase null": (START, put("phase", None), "phase: "),
    "complete at the start": (START, put("phase", "complete"), "phase: "),
    "complete in the middle of garden 9": (
        public(at_garden(7, 9)), put("phase", "complete"), "phase: ",
    ),
    "complete but raking": (COMPLETE, put("phase", "raking"), "phase: "),
    "complete but ended": (COMPLETE, put("phase", "ended"), "phase: "),
    "no garden": (START, drop("garden"), "garden: "),
    "garden 0": (START, put("garden", 0), "garden: "),
    "garden 10": (START, put("garden", 10), "garden: "),
    "garden true": (START, put("garden", True), "garden: "),
    "garden 9 at the start": (START, put("garden", 9), "rows: "),
    "no rows": (START, drop("rows"), "rows: "),
    "five rows": (START, put("rows", 5), "rows: "),
    "no cols": (START, drop("cols"), "cols: "),
    "three cols": (START, put("cols", 3), "cols: "),
    "no stones": (START, drop("stones"), "stones: "),
    "stones that are an object": (START, put("stones", {}), "stones: "),
    "a stone too few": (START, drop("stones", 3), "stones: "),
    "a stone too many": (START, append("stones", {"number": 5, "row": 0, "col": 0}), "stones: "),
    "stones in another order": (START, swap("stones", 1, 2), "stones[1].number: "),
    "a stone moved": (START, change("stones", 1, "col", by=-1), "stones[1].col: "),
    "a stone numbered anew": (START, put("stones", 1, "number", 3), "stones[1].number: "),
    "a stone without a row": (START, drop("stones", 2, "row"), "stones[2].row: "),
    "a stone with a colour": (START, put("stones", 2, "colour", "grey"), "stones[2]: "),
    "a stone that is a list": (START, put("stones", 0, [1, 0, 0]), "stones[0]: "),
    "a stone true": (START, put("stones", 0, "number", True), "stones[0].number: "),
    "no fences": (START, drop("fences"), "fences: "),
    "fences taken away": (START, put("fences", []), "fences: "),
    "fences null": (START, put("fences", None), "fences: "),
    "a fence taken away": (START, drop("fences", 0), "fences: "),
    "a fence twice": (START, lambda raw: append("fences", raw["fences"][0])(raw), "fences: "),
    "fences in another order": (START, swap("fences", 0, 1), "fences[0][0]."),
    "a fence turned around": (START, lambda raw: put("fences", 0, raw["fences"][0][::-1])(raw), "fences[0][0]."),
    "a fence of one plot": (START, drop("fences", 0, 1), "fences[0]: "),
    "no stroke": (START, drop("stroke"), "stroke: "),
    "an empty stroke": (START, put("stroke", []), "stroke: "),
    "a stroke that is a text": (START, put("stroke", "0,0"), "stroke: "),
    "a stroke of 10,000 plots": (START, put("stroke", [{"row": 0, "col": 0}] * 10_000), "stroke: "),
    "a stroke from elsewhere": (START, stroke_of((3, 3)), "stroke[0]: "),
    "a stroke of lists": (START, put("stroke", [[0, 0]]), "stroke[0]: "),
    "a plot outside": (START, put("stroke", 0, "row", 4), "stroke[0].row: "),
    "a plot at a negative col": (START, put("stroke", 0, "col", -1), "stroke[0].col: "),
    "a plot in quotes": (START, put("stroke", 0, "col", "0"), "stroke[0].col: "),
    "a plot true": (MIDDLE, put("stroke", 1, "row", True), "stroke[1].row: "),
    "a plot without a col": (START, drop("stroke", 0, "col"), "stroke[0].col: "),
    "a plot with a depth": (START, put("stroke", 0, "depth", 1), "stroke[0]: "),
    "a stroke with a gap": (MIDDLE, drop("stroke", 3), "stroke[3]: "),
    "a stroke that jumps": (START, lambda raw: append("stroke", {"row": 3, "col": 3})(raw), "stroke[1]: "),
    "a plot inked twice": (MIDDLE, lambda raw: append("stroke", raw["stroke"][-2])(raw), "stroke[8]: "),
    "a plot that stays": (MIDDLE, lambda raw: append("stroke", raw["stroke"][-1])(raw), "stroke[8]: "),
    "no stonesReached": (START, drop("stonesReached"), "stonesReached: "),
    "stonesReached 0": (START, put("stonesReached", 0), "stonesReached: "),
    "stonesReached 5 of 4": (START, put("stonesReached", 5), "stonesReached: "),
    "stonesReached without ink": (START, put("stonesReached", 2), "stonesReached: "),
    "stonesReached less than inked": (MIDDLE, change("stonesReached", by=-1), "stonesReached: "),
    "stonesReached with too few undos": (
        START, lambda raw: {**raw, "stonesReached": 4, "undos": 4, "score": 30}, "stonesReached: ",
    ),
    "stonesReached null": (START, put("stonesReached", None), "stonesReached: "),
    "no undos": (START, drop("undos"), "undos: "),
    "negative undos": (START, put("undos", -1), "undos: "),
    "undos beyond any play": (START, put("undos", MOST + 1), "undos: "),
    "half an undo": (START, put("undos", 0.5), "undos: "),
    "undos that are not those of the ledger": (COMPLETE, put("undos", 1), "undos: "),
    "no resets": (START, drop("resets"), "resets: "),
    "resets false": (START, put("resets", False), "resets: "),
    "resets beyond any play": (START, put("resets", 10**18), "resets: "),
    "resets that are not those of the ledger": (COMPLETE, put("resets", 1), "resets: "),
    "no completed": (START, drop("completed"), "completed: "),
    "completed that is an object": (START, put("completed", {}), "completed: "),
    "a ledger entry too many": (START, lambda raw: append("completed", THIRD["completed"][0])(raw), "completed: "),
    "a ledger entry too few": (THIRD, drop("completed", 1), "completed: "),
    "ledger entries of 10,000 gardens": (START, put("completed", [{}] * 10_000), "completed: "),
    "a ledger in another order": (THIRD, swap("completed", 0, 1), "completed[0].garden: "),
    "a ledger entry that is null": (THIRD, put("completed", 1, None), "completed[1]: "),
    "a ledger entry without points": (THIRD, drop("completed", 1, "points"), "completed[1].points: "),
    "a ledger entry with a note": (THIRD, put("completed", 1, "note", "perfect"), "completed[1]: "),
    "waste wiped off the ledger": (
        public(played(GAME.begin(7), RESET, *solution(GAME.begin(7)))), put("completed", 0, "wasted", 0),
        "completed[0].wasted: ",
    ),
    "a bonus raised": (THIRD, change("completed", 0, "bonus", by=1), "completed[0].bonus: "),
    "points raised": (THIRD, change("completed", 1, "points", by=100), "completed[1].points: "),
    "undos added to the ledger": (THIRD, put("completed", 1, "undos", 3), "completed[1].wasted: "),
    "negative undos in the ledger": (THIRD, put("completed", 1, "undos", -3), "completed[1].undos: "),
    "no score": (START, drop("score"), "score: "),
    "a score of ten more": (MIDDLE, change("score", by=10), "score: "),
    "a score of one less": (THIRD, change("score", by=-1), "score: "),
    "a score that is the maximum": (START, put("score", 3156), "score: "),
    "a score in quotes": (START, put("score", "0"), "score: "),
    "a score false": (START, put("score", False), "score: "),
    "Still Water paid twice": (COMPLETE, change("score", by=250), "score: "),
    "Still Water taken away": (COMPLETE, change("score", by=-250), "score: "),
    "Still Water for an ended run": (ENDED, change("score", by=250), "score: "),
    "a key more": (START, put("bonus", 1), "state: "),
    "a key of the prototype": (START, put("__proto__", {}), "state: "),
    "a later garden for nothing": (START, lambda raw: fields(raw, 9), "stroke[0]: "),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_refused_by_its_field(client: Client, name: str) -> None:
    source, forge, field = FORGERIES[name]
    raw = forge(copy.deepcopy(source))
    assert not plausible(raw, gardens_of)
    reason = refused(raw)
    assert reason.startswith(field), reason
    assert reason.isprintable()
    assert len(reason) < 250
    if len(json.dumps(raw)) < 60_000:
        answer = client.post("/api/games/sumi-steps/action", json={"state": raw, "action": RESET})
        assert (answer.status_code, answer.json()["code"], answer.json()["reason"]) == (400, "bad_state", reason)


def test_there_are_many_forgeries_and_each_kind_has_a_sentence_of_its_own() -> None:
    assert len(FORGERIES) >= 60
    sentences = {refused(forge(copy.deepcopy(source))) for source, forge, _ in FORGERIES.values()}
    assert len(sentences) > len(FORGERIES) * 0.9


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (lambda: _across_a_fence(), "a fence stands between"),
        (lambda: _stones_out_of_order(), "they are inked in order"),
        (lambda: _past_the_final_stone(), "no stroke goes on from the final stone"),
    ],
)
def test_a_stroke_that_breaks_a_rule_is_told_which(state: Callable[[], State], reason: str) -> None:
    raw = state()
    assert reason in refused(raw)
    assert not plausible(raw, gardens_of)


def _walks(wanted: Callable[[State, list[int]], bool]) -> State:
    """A state whose stroke is a walk over neighbours, fences or not, that has a wanted fault."""
    for seed in range(500):
        raw = public(GAME.begin(seed))
        cols, choose = raw["cols"], Random(seed)
        plots = [raw["stroke"][0]["row"] * cols + raw["stroke"][0]["col"]]
        for _ in range(15):
            row, col = divmod(plots[-1], cols)
            around = [(row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)]
            fresh = [r * cols + c for r, c in around if 0 <= r < 4 and 0 <= c < cols and r * cols + c not in plots]
            if not fresh:
                break
            plots.append(choose.choice(fresh))
            if wanted(raw, plots):
                return {**raw, "stroke": [{"row": plot // cols, "col": plot % cols} for plot in plots]}
    raise AssertionError("no such walk was found")


def _legal(raw: State, plots: list[int]) -> bool:
    cols = raw["cols"]
    try:
        _strokes(raw, [{"row": plot // cols, "col": plot % cols} for plot in plots])
    except BadState:
        return False
    return True


def _strokes(raw: State, stroke: list[State]) -> None:
    """Raises `BadState` for the stroke only."""
    try:
        load({**raw, "stroke": stroke})
    except BadState as bad:
        if str(bad).startswith("stroke"):
            raise


def _across_a_fence() -> State:
    def crosses(raw: State, plots: list[int]) -> bool:
        ends = [[end["row"] * raw["cols"] + end["col"] for end in fence] for fence in raw["fences"]]
        return len(plots) > 1 and sorted(plots[-2:]) in ends and _legal(raw, plots[:-1])

    return _walks(crosses)


def _stones_out_of_order() -> State:
    def early(raw: State, plots: list[int]) -> bool:
        third = raw["stones"][2]["row"] * raw["cols"] + raw["stones"][2]["col"]
        second = raw["stones"][1]["row"] * raw["cols"] + raw["stones"][1]["col"]
        ends = [[end["row"] * raw["cols"] + end["col"] for end in fence] for fence in raw["fences"]]
        fenced = sorted(plots[-2:]) in ends
        return plots[-1] == third and second not in plots and not fenced and _legal(raw, plots[:-1])

    return _walks(early)


def _past_the_final_stone() -> State:
    def past(raw: State, plots: list[int]) -> bool:
        final = raw["stones"][-1]["row"] * raw["cols"] + raw["stones"][-1]["col"]
        return len(plots) > 1 and plots[-2] == final and _legal(raw, plots[:-1])

    return _walks(past)


def test_stones_may_be_latched_and_lifted_again_with_enough_undos() -> None:
    """The lower bound is the number that a shortest way takes; one undo less is refused."""
    steps = solution(GAME.begin(7))
    state = played(GAME.begin(7), *steps[:9])
    back = played(state, *[UNDO] * 9)
    raw = public(back)
    assert load(raw) == back
    needed = next(undos for undos in range(99) if plausible({**raw, "undos": undos}, gardens_of))
    assert 0 < needed <= 9
    assert load({**raw, "undos": needed}).undos == needed
    assert refused({**raw, "undos": needed - 1}).startswith(f"stonesReached: it is {raw['stonesReached']}")
    assert load({**raw, "undos": 0, "resets": 1}).resets == 1


@pytest.mark.untraced
@settings(max_examples=250, deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.integers(1, 9), st.integers(0, 60), st.data())
def test_the_lower_bound_on_undos_is_exact(seed: int, number: int, length: int, data: st.DataObject) -> None:
    """Strokes of every length in every garden: the first number of undos that is taken is the judge's."""
    state = at_garden(seed % 20, number)
    steps = solution(state)
    raw = public(played(state, *steps[: min(length, len(steps) - 1)]))
    reached = data.draw(st.integers(raw["stonesReached"], len(raw["stones"])))
    raw["score"] += 10 * (reached - raw["stonesReached"])
    raw["stonesReached"] = reached
    undos = range(200)
    first = next(count for count in undos if plausible({**raw, "undos": count}, gardens_of))
    assert load({**raw, "undos": first}).undos == first
    if first:
        refused({**raw, "undos": first - 1})


# --- fuzz: any one leaf changed to another plausible value ---------------------------------------------------------

SOURCES = [
    START,
    MIDDLE,
    THIRD,
    WASTEFUL,
    ENDED,
    COMPLETE,
    public(played(at_garden(11, 5), *solution(at_garden(11, 5))[:9])),
]
LEAVES: list[Any] = [
    *range(-1, 11), 16, 100, 162, 10**12, 10**13, 2**63, 0.5, 1.0, 2.0, 1e300, True, False, None,
    "1", "raking", "ended", "complete", [], {}, {"row": 0, "col": 0},
]  # fmt: skip


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [path, *(leaf for key, part in value.items() for leaf in leaves(part, (*path, key)))]
    if isinstance(value, list):
        return [path, *(leaf for place, part in enumerate(value) for leaf in leaves(part, (*path, place)))]
    return [path]


def taken(raw: Any) -> bool:
    try:
        state = load(raw)
    except BadState:
        return False
    assert plausible(public(state), gardens_of)
    return True


@pytest.mark.untraced
@settings(max_examples=700, deadline=None, derandomize=True)
@given(st.sampled_from(SOURCES), st.data())
def test_a_changed_leaf_is_taken_only_if_an_independent_judge_takes_it(source: State, data: st.DataObject) -> None:
    raw = copy.deepcopy(source)
    path = data.draw(st.sampled_from([leaf for leaf in leaves(raw) if leaf]))
    part: Any = raw
    for key in path[:-1]:
        part = part[key]
    old = part[path[-1]]
    near = [old + 1, old - 1, float(old)] if type(old) is int else []
    others = [value for leaf in leaves(raw)[:40] if type(value := _at(raw, leaf)) is type(old)]
    part[path[-1]] = copy.deepcopy(data.draw(st.sampled_from([*near, *others, *LEAVES])))
    assert taken(raw) == plausible(raw, gardens_of)


def _at(raw: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        raw = raw[key]
    return raw


@pytest.mark.untraced
@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from([*START, "row", "col", "x"]), inner, max_size=6)
        ),
        max_leaves=12,
    )
)
def test_any_json_value_is_judged_without_a_mistake(raw: Any) -> None:
    assert taken(raw) == plausible(raw, gardens_of)


class Counted(list[Any]):
    """A list that counts how many of its parts are read."""

    reads = 0

    def __iter__(self) -> Iterator[Any]:
        for part in super().__iter__():
            self.reads += 1
            yield part

    def __getitem__(self, place: Any) -> Any:
        self.reads += 1
        return super().__getitem__(place)


@pytest.mark.parametrize("key", ["stones", "fences", "stroke", "completed"])
def test_a_long_list_is_measured_and_not_read(key: str) -> None:
    huge = Counted([{"row": 0, "col": 0}] * 20_000)
    assert refused({**COMPLETE, key: huge}).startswith(f"{key}: ")
    assert huge.reads == 0


def test_unknown_keys_are_not_read_beyond_the_first() -> None:
    assert (
        refused({**COMPLETE, **{f"key{number}": 0 for number in range(20_000)}}) == 'state: "key0" is not a key of it.'
    )
