"""An independent reference model of Dewspout, written from the rules alone, that shares no code with the engine."""

from functools import cache
from typing import Any, TypeAlias

Vector: TypeAlias = tuple[int, int, int]
Action: TypeAlias = dict[str, Any]

EMPTY: Vector = (0, 0, 0)
CYCLE: list[Vector] = [(3, 5, 8), (4, 7, 9), (5, 8, 11), (6, 9, 13)]
VESSELS = [0, 1, 2]


def mulberry32(cursor: int) -> tuple[int, int]:
    """Advance the cursor once: the new cursor and the 32-bit output."""
    cursor = (cursor + 0x6D2B79F5) % 2**32
    t = ((cursor ^ (cursor >> 15)) * (cursor | 1)) % 2**32
    t = t ^ ((t + (t ^ (t >> 7)) * (t | 61)) % 2**32)
    return cursor, t ^ (t >> 14)


def units(capacities: Vector, amounts: Vector, action: Action) -> int:
    """How many units a water action moves; zero means that it does nothing and is illegal."""
    if action["type"] == "fill":
        return capacities[action["vessel"]] - amounts[action["vessel"]]
    if action["type"] == "empty":
        return amounts[action["vessel"]]
    source, target = action["from"], action["to"]
    return min(amounts[source], capacities[target] - amounts[target])


def water(capacities: Vector, amounts: Vector) -> list[Action]:
    """The water actions that move something: fills, empties, then pours by from and to."""
    everything: list[Action] = [{"type": "fill", "vessel": i} for i in VESSELS]
    everything += [{"type": "empty", "vessel": i} for i in VESSELS]
    everything += [{"type": "pour", "from": i, "to": j} for i in VESSELS for j in VESSELS if i != j]
    return [action for action in everything if units(capacities, amounts, action) > 0]


def after(capacities: Vector, amounts: Vector, action: Action) -> Vector:
    """The amounts after a water action."""
    moved = units(capacities, amounts, action)
    level = list(amounts)
    if action["type"] == "fill":
        level[action["vessel"]] += moved
    elif action["type"] == "empty":
        level[action["vessel"]] -= moved
    else:
        level[action["from"]] -= moved
        level[action["to"]] += moved
    return level[0], level[1], level[2]


@cache
def paths(capacities: Vector) -> dict[Vector, list[Action]]:
    """Every vector reachable from empty, each with a shortest list of actions (breadth first)."""
    found: dict[Vector, list[Action]] = {EMPTY: []}
    queue = [EMPTY]
    for amounts in queue:  # the queue grows while it is walked
        for action in water(capacities, amounts):
            reached = after(capacities, amounts, action)
            if reached not in found:
                found[reached] = [*found[amounts], action]
                queue.append(reached)
    return found


@cache
def pool(capacities: Vector, lowest: int, highest: int) -> list[Vector]:
    """The sorted partial-volume targets with a par in the asked range, or else at the nearest par of at least 2."""
    buckets: dict[int, list[Vector]] = {}
    for vector, path in paths(capacities).items():
        if any(0 < vector[i] < capacities[i] for i in VESSELS):
            buckets.setdefault(len(path), []).append(vector)
    depths = [depth for depth in buckets if lowest <= depth <= highest]
    if not depths:
        others = [depth for depth in buckets if depth >= 2]
        depths = [min(others, key=lambda depth: (max(lowest - depth, depth - highest), depth))]
    return sorted(vector for depth in depths for vector in buckets[depth])


def schedule(garden: int) -> tuple[Vector, int, int]:
    """The capacities and the lowest and highest par asked for a garden from the second on."""
    if garden <= 3:
        return (3, 5, 8), 3, 5
    if garden <= 6:
        return (4, 7, 9), 5, 7
    par = 6 + (garden - 7) // 4 % 4
    return CYCLE[(garden - 7) % 4], par, par


def points(par: int, moves: int) -> tuple[int, int]:
    """The completion points and the efficiency bonus of a cleared garden."""
    return 100 + 10 * par, max(0, 150 - 15 * max(0, moves - par))


class Model:
    """One run of the game."""

    def __init__(self, seed: int) -> None:
        self.cursor = seed
        self.phase = "playing"
        self.garden = 1
        self.capacities: Vector = (3, 5, 8)
        self.amounts: Vector = EMPTY
        self.targets: Vector = (0, 0, 5)
        self.garden_moves = 0
        self.total_moves = 0
        self.score = 0
        self.last_garden_points = 0

    def view(self) -> dict[str, Any]:
        """The public state, keys in the pinned order."""
        return {
            "phase": self.phase,
            "garden": self.garden,
            "capacities": list(self.capacities),
            "amounts": list(self.amounts),
            "targets": list(self.targets),
            "par": len(self.solution()),
            "gardenMoves": self.garden_moves,
            "totalMoves": self.total_moves,
            "score": self.score,
            "lastGardenPoints": self.last_garden_points,
        }

    def legal(self) -> list[Action]:
        """The legal actions, in the pinned order."""
        if self.phase == "ended":
            return []
        if self.phase == "cleared":
            return [{"type": "next"}, {"type": "bank"}]
        restart: list[Action] = [{"type": "restart"}] if self.amounts != EMPTY else []
        return [*water(self.capacities, self.amounts), *restart, {"type": "bank"}]

    def solution(self) -> list[Action]:
        """A shortest list of water actions from empty vessels to this garden's targets."""
        return [dict(action) for action in paths(self.capacities)[self.targets]]

    def act(self, action: Action) -> dict[str, Any] | None:
        """Play a well-formed action and report on it, or change nothing and answer None if it is illegal."""
        same = [legal for legal in self.legal() if legal == action]
        if not same:
            return None
        action = same[0]  # so that a vessel given as 1.0 is read as 1
        kind = action["type"]
        report: dict[str, Any] = {"action": kind, "amounts": [], "cleared": False, "pointsAwarded": 0}
        if kind == "bank":
            self.phase = "ended"
        elif kind == "next":
            self._next()
        else:
            self.garden_moves += 1
            self.total_moves += 1
            if kind == "restart":
                self.amounts = EMPTY
            else:
                report["moved"] = units(self.capacities, self.amounts, action)
                self.amounts = after(self.capacities, self.amounts, action)
                if self.amounts == self.targets:
                    self._clear(report)
        report["amounts"] = list(self.amounts)
        return report

    def _clear(self, report: dict[str, Any]) -> None:
        completion, bonus = points(len(self.solution()), self.garden_moves)
        self.phase = "cleared"
        self.last_garden_points = completion + bonus
        self.score += completion + bonus
        report["cleared"] = True
        report["pointsAwarded"] = completion + bonus
        report["completionPoints"] = completion
        report["efficiencyBonus"] = bonus

    def _next(self) -> None:
        previous = (self.capacities, self.targets)
        self.garden += 1
        self.capacities, lowest, highest = schedule(self.garden)
        choices = pool(self.capacities, lowest, highest)
        choices = [targets for targets in choices if (self.capacities, targets) != previous] or choices
        self.cursor, output = mulberry32(self.cursor)
        self.targets = choices[output * len(choices) // 2**32]
        self.phase = "playing"
        self.amounts = EMPTY
        self.garden_moves = 0
        self.last_garden_points = 0
