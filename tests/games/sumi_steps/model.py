"""A reference model of Sumi Steps, written from the published rules alone and sharing no code with the engine."""

from collections.abc import Callable
from copy import deepcopy
from itertools import pairwise
from typing import Any

Garden = dict[str, Any]  # {"rows", "cols", "stones", "fences"}, exactly as in the pinned state
Gardens = Callable[[int], Garden]  # garden number 1..9 -> Garden, for one seed
Plot = tuple[int, int]  # (row, col)

SIZES = {1: (4, 4), 2: (4, 5), 3: (5, 5), 4: (5, 6), 5: (6, 6), 6: (6, 7), 7: (7, 7), 8: (7, 8), 9: (8, 8)}
STONES = {1: 4, 2: 4, 3: 5, 4: 5, 5: 6, 6: 6, 7: 7, 8: 7, 9: 8}
LAST_GARDEN = 9
STONE_POINTS = 10
STILL_WATER = 250
MAX_SEED = 4294967295
MAX_COUNT = 10**12
MOVES = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}

STATE_KEYS = (
    *("game", "version", "seed", "phase", "garden", "rows", "cols", "stones", "fences"),
    *("stroke", "stonesReached", "undos", "resets", "completed", "score"),
)
ENTRY_KEYS = ("garden", "undos", "resets", "wasted", "bonus", "points")


def waste(undos: int, resets: int) -> int:
    return undos * 1 + resets * 10


def ledger_entry(number: int, undos: int, resets: int) -> dict[str, int]:
    """What `completed` holds for a finished garden; its points are stones, completion and Clean Brush Bonus."""
    rows, cols = SIZES[number]
    wasted = waste(undos, resets)
    bonus = max(0, 2 * rows * cols - 2 * wasted)
    points = STONE_POINTS * (STONES[number] - 1) + 75 + 25 * number + bonus
    return dict(zip(ENTRY_KEYS, (number, undos, resets, wasted, bonus, points), strict=True))


def as_json(plot: Plot) -> dict[str, int]:
    return {"row": plot[0], "col": plot[1]}


class Ground:
    """One garden's sand: its size, its stones and its fences."""

    def __init__(self, garden: Garden) -> None:
        self.rows: int = garden["rows"]
        self.cols: int = garden["cols"]
        self.cells = self.rows * self.cols
        self.stones: list[tuple[int, Plot]] = [(s["number"], (s["row"], s["col"])) for s in garden["stones"]]
        self.fences: list[tuple[Plot, Plot]] = [
            ((a["row"], a["col"]), (b["row"], b["col"])) for a, b in garden["fences"]
        ]
        self.plot_of = dict(self.stones)
        self.number_at = {plot: number for number, plot in self.stones}
        self.final = max(self.plot_of)
        self.blocked = {frozenset(pair) for pair in self.fences}

    def can_pass(self, a: Plot, b: Plot) -> bool:
        """Whether b is in bounds and one plot from a, with no fence on the edge they share."""
        in_bounds = 0 <= b[0] < self.rows and 0 <= b[1] < self.cols
        return in_bounds and abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 and frozenset((a, b)) not in self.blocked

    def distance(self, starts: list[Plot], goal: Plot) -> int | None:
        """Steps from the nearest of the starts to the goal around the fences, None if there is no way."""
        seen = set(starts)
        ring = list(starts)
        steps = 0
        while ring:
            if goal in seen:
                return steps
            edges = [((r, c), (r + dr, c + dc)) for r, c in ring for dr, dc in MOVES.values()]
            ring = list({b for a, b in edges if self.can_pass(a, b)} - seen)
            seen.update(ring)
            steps += 1
        return None


class Model:
    """One run, played action by action."""

    def __init__(self, seed: int, gardens: Gardens) -> None:
        self.seed = seed
        self.gardens = gardens
        self.phase = "raking"
        self.completed: list[dict[str, int]] = []
        self.score = 0
        self.enter(1)

    def enter(self, number: int) -> None:
        self.number = number
        self.garden = deepcopy(self.gardens(number))
        self.ground = Ground(self.garden)
        self.stroke: list[Plot] = [self.ground.plot_of[1]]
        self.reached = 1
        self.undos = 0
        self.resets = 0

    def view(self) -> dict[str, Any]:
        facts = deepcopy([self.garden[key] for key in ("rows", "cols", "stones", "fences")])
        stroke = [as_json(plot) for plot in self.stroke]
        values = ["sumi-steps", 1, self.seed, self.phase, self.number, *facts, stroke, self.reached]
        values += [self.undos, self.resets, deepcopy(self.completed), self.score]
        return dict(zip(STATE_KEYS, values, strict=True))

    def target(self, direction: str) -> Plot:
        (row, col), (down, right) = self.stroke[-1], MOVES[direction]
        return (row + down, col + right)

    def is_behind(self, plot: Plot) -> bool:
        return len(self.stroke) > 1 and plot == self.stroke[-2]

    def may_step(self, direction: str) -> bool:
        head, target = self.stroke[-1], self.target(direction)
        if not self.ground.can_pass(head, target):
            return False
        if self.is_behind(target):
            return True
        if head == self.ground.plot_of[self.ground.final] or target in self.stroke:
            return False
        number = self.ground.number_at.get(target, 1)
        return all(self.ground.plot_of[earlier] in self.stroke for earlier in range(1, number))

    def legal(self) -> list[dict[str, Any]]:
        if self.phase != "raking":
            return []
        actions: list[dict[str, Any]] = [{"type": "step", "direction": way} for way in MOVES if self.may_step(way)]
        if len(self.stroke) > 1:
            actions.append({"type": "undo"})
        return [*actions, {"type": "reset"}, {"type": "endRun"}]

    def act(self, action: dict[str, Any]) -> dict[str, Any] | None:
        kind = action.get("type")
        plain = {"type": kind, "direction": action.get("direction")} if kind == "step" else {"type": kind}
        if plain not in self.legal():
            return None  # extra fields were left aside: the grammar allows them
        if kind == "endRun":
            self.phase = "ended"
        elif kind == "reset":
            self.stroke = self.stroke[:1]
            self.resets += 1
        elif kind == "undo" or self.is_behind(self.target(plain["direction"])):
            self.stroke.pop()
            self.undos += 1
        else:
            self.stroke.append(self.target(plain["direction"]))
            return self.after_inking()
        return self.report(kind)

    def report(self, kind: Any) -> dict[str, Any]:
        """The report of an action that latches nothing and ends no garden."""
        return {
            "action": kind,
            "head": as_json(self.stroke[-1]),
            "stone": None,
            "wasted": waste(self.undos, self.resets),
            "gardenCompleted": None,
            "bonus": None,
            "stillWater": False,
            "pointsAwarded": 0,
        }

    def after_inking(self) -> dict[str, Any]:
        """Latch, complete and pay for the plot just inked; the report speaks of the garden it lies in."""
        report = self.report("step")
        head = self.stroke[-1]
        number = self.ground.number_at.get(head, 1)
        if number > self.reached:
            self.reached = number
            report["stone"] = number
            report["pointsAwarded"] += STONE_POINTS
        if len(self.stroke) == self.ground.cells and number == self.ground.final:
            entry = ledger_entry(self.number, self.undos, self.resets)
            self.completed.append(entry)
            report["gardenCompleted"] = self.number
            report["bonus"] = entry["bonus"]
            report["pointsAwarded"] += 75 + 25 * self.number + entry["bonus"]
            if self.number < LAST_GARDEN:
                self.enter(self.number + 1)
            else:
                self.phase = "complete"
                report["stillWater"] = all(done["wasted"] == 0 for done in self.completed)
                report["pointsAwarded"] += STILL_WATER if report["stillWater"] else 0
        self.score += report["pointsAwarded"]
        return report


class RefusedError(Exception):
    """The state is none that a play could have produced."""


def need(condition: bool) -> None:
    if not condition:
        raise RefusedError


def integer(value: Any, low: int, high: int) -> int:
    """The value as an integer of low..high: no booleans, and 1.0 is 1."""
    need(isinstance(value, int | float) and not isinstance(value, bool))
    need(isinstance(value, int) or value.is_integer())
    need(low <= value <= high)
    return int(value)


def record(value: Any, keys: tuple[str, ...]) -> dict[str, Any]:
    """The value as an object with exactly these keys."""
    need(isinstance(value, dict) and len(value) == len(keys) and all(key in value for key in keys))
    checked: dict[str, Any] = value
    return checked


def array(value: Any, shortest: int, longest: int) -> list[Any]:
    need(isinstance(value, list) and shortest <= len(value) <= longest)
    checked: list[Any] = value
    return checked


def read_plot(value: Any, ground: Ground, keys: tuple[str, ...] = ("row", "col")) -> Plot:
    fields = record(value, keys)
    return (integer(fields["row"], 0, ground.rows - 1), integer(fields["col"], 0, ground.cols - 1))


def check_garden(state: dict[str, Any], ground: Ground) -> None:
    """rows, cols, stones and fences are the ones of the seed, in the pinned order."""
    integer(state["rows"], ground.rows, ground.rows)
    integer(state["cols"], ground.cols, ground.cols)
    stones = array(state["stones"], len(ground.stones), len(ground.stones))
    for value, (number, plot) in zip(stones, ground.stones, strict=True):
        need(read_plot(value, ground, ("number", "row", "col")) == plot)
        integer(value["number"], number, number)
    fences = array(state["fences"], len(ground.fences), len(ground.fences))
    for value, (first, second) in zip(fences, ground.fences, strict=True):
        pair = array(value, 2, 2)
        need(read_plot(pair[0], ground) == first and read_plot(pair[1], ground) == second)


def check_stroke(value: Any, ground: Ground) -> tuple[list[Plot], int]:
    """The stroke's plots and the highest stone it inks, if a stroke can be drawn like that."""
    stroke = [read_plot(plot, ground) for plot in array(value, 1, ground.cells)]
    need(stroke[0] == ground.plot_of[1])
    need(len(set(stroke)) == len(stroke))
    inked = 1
    for behind, plot in pairwise(stroke):
        need(inked < ground.final)  # nothing follows the final stone
        need(ground.can_pass(behind, plot))
        number = ground.number_at.get(plot)
        if number is not None:
            need(number == inked + 1)
            inked = number
    return stroke, inked


def fewest_undos(ground: Ground, stroke: list[Plot], inked: int, reached: int) -> int | None:
    """The shortest way from the stroke over the stones it no longer inks, None if there is none."""
    total = 0
    starts = stroke
    for number in range(inked + 1, reached + 1):
        leg = ground.distance(starts, ground.plot_of[number])
        if leg is None:
            return None
        total += leg
        starts = [ground.plot_of[number]]
    return total


def check_state(raw: Any, gardens_of: Callable[[int], Gardens]) -> None:
    state = record(raw, STATE_KEYS)
    need(state["game"] == "sumi-steps")
    integer(state["version"], 1, 1)
    seed = integer(state["seed"], 0, MAX_SEED)
    phase = state["phase"]
    need(phase in ("raking", "complete", "ended"))
    number = integer(state["garden"], 1, LAST_GARDEN)
    ground = Ground(gardens_of(seed)(number))
    check_garden(state, ground)

    stroke, inked = check_stroke(state["stroke"], ground)
    full = len(stroke) == ground.cells and stroke[-1] == ground.plot_of[ground.final]
    need(full == (phase == "complete"))
    need(number == LAST_GARDEN or phase != "complete")

    reached = integer(state["stonesReached"], inked, ground.final)
    undos = integer(state["undos"], 0, MAX_COUNT)
    resets = integer(state["resets"], 0, MAX_COUNT)
    if reached > inked and resets == 0:
        fewest = fewest_undos(ground, stroke, inked, reached)
        need(fewest is not None and undos >= fewest)

    finished = LAST_GARDEN if phase == "complete" else number - 1
    ledger: list[dict[str, int]] = []
    for place, value in enumerate(array(state["completed"], finished, finished), start=1):
        given = record(value, ENTRY_KEYS)
        waste_counts = [integer(given[key], 0, MAX_COUNT) for key in ("undos", "resets")]
        entry = ledger_entry(place, *waste_counts)
        for key in ENTRY_KEYS:
            integer(given[key], entry[key], entry[key])
        ledger.append(entry)

    score = sum(entry["points"] for entry in ledger)
    if phase == "complete":
        need(undos == ledger[-1]["undos"] and resets == ledger[-1]["resets"])
        score += STILL_WATER if all(entry["wasted"] == 0 for entry in ledger) else 0
    else:
        score += STONE_POINTS * (reached - 1)
    integer(state["score"], score, score)


def plausible(raw: Any, gardens_of: Callable[[int], Gardens]) -> bool:
    """Whether a play could have produced this JSON value as a raw state."""
    try:
        check_state(raw, gardens_of)
    except RefusedError:
        return False
    return True
