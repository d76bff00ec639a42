"""An independent model of Baskmere, written from the rules alone, that shares no code with the engine."""

import copy
import heapq
import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

Pond = dict[str, Any]
Piles = Sequence[Sequence[int]]
Layout = tuple[tuple[int, ...], ...]
Needed = Callable[[Pond, list[list[int]]], int]

VIEW_KEYS = ["phase", "outcome", "daylight", "score", "streak", "pond", "piles", "moves", "spent"]
POND_KEYS = ["number", "rocks", "sunRock", "turtles", "plan", "lanes", "lilyPad", "features", "par", "spare"]
FEATURES = ["lilyPad", "shyShells", "creek", "grandshell"]
LOOP = {(0, 1), (1, 2), (2, 0)}
TABLE_LIMIT = 1100  # layouts for which the literal search is quick enough
KEPT_MOVES = 256
NEVER = 10**9  # the Daylight needed where the plan cannot be reached at all


# --- The rocks -------------------------------------------------------------------------------------------------


def layout_of(piles: Piles) -> Layout:
    return tuple(tuple(pile) for pile in piles)


def shifted(piles: Piles, start: int, end: int) -> Layout:
    """The layout once the top turtle of one rock sits on another."""
    after = [list(pile) for pile in piles]
    after[end].append(after[start].pop())
    return layout_of(after)


def may_rest(pond: Pond, size: int, rock: int, pile: Sequence[int]) -> bool:
    """Whether a turtle may be placed on this pile of this rock, however it gets there."""
    if pond["lilyPad"] == rock and len(pile) >= 2:
        return False
    if not pile:
        return True
    below = pile[-1]
    if below <= size:
        return False
    turtles = pond["turtles"]
    return "shyShells" not in pond["features"] or turtles[below - 1]["shell"] != turtles[size - 1]["shell"]


def legal_layout(pond: Pond, piles: Piles) -> bool:
    """Every turtle once, and every pile one that can be stacked turtle by turtle."""
    if len(piles) != pond["rocks"]:
        return False
    if sorted(size for pile in piles for size in pile) != list(range(1, len(pond["turtles"]) + 1)):
        return False
    return all(
        may_rest(pond, size, rock, pile[:height]) for rock, pile in enumerate(piles) for height, size in enumerate(pile)
    )


def moves(pond: Pond, piles: Piles) -> list[tuple[int, int, int]]:
    """The legal (from, to, cost) by the rules of the rocks alone, by from, then to."""
    found: list[tuple[int, int, int]] = []
    for start in range(pond["rocks"]):
        if not piles[start]:
            continue
        size = piles[start][-1]
        cost = 2 if pond["turtles"][size - 1]["grandshell"] else 1
        lanes = pond["lanes"][start]
        ends = [end for end in range(pond["rocks"]) if end != start and lanes[end]]
        found += [(start, end, cost) for end in ends if may_rest(pond, size, end, piles[end])]
    return found


def distances(pond: Pond) -> dict[Layout, int]:
    """The least Daylight to the plan from every legal layout that can reach it, searched backwards from the plan."""
    done: dict[Layout, int] = {}
    heap: list[tuple[int, Layout]] = [(0, layout_of(pond["plan"]))]
    while heap:
        far, layout = heapq.heappop(heap)
        if layout in done:
            continue
        done[layout] = far
        for end in range(pond["rocks"]):
            if not layout[end]:
                continue
            for start in range(pond["rocks"]):
                # The layout before a move from start to end: the turtle must have been allowed to sit on start.
                if start == end or not may_rest(pond, layout[end][-1], start, layout[start]):
                    continue
                before = shifted(layout, end, start)
                if before in done:
                    continue
                for a, b, cost in moves(pond, before):
                    if (a, b) == (start, end):
                        heapq.heappush(heap, (far + cost, before))
    return done


@lru_cache(maxsize=64)
def _table(pond_text: str) -> dict[Layout, int]:
    return distances(json.loads(pond_text))


def dead_ends(pond: Pond, start: Piles) -> bool:
    """Whether play from the start can come to a layout that cannot reach the plan (play stops at the plan)."""
    good = distances(pond)
    plan = layout_of(pond["plan"])
    seen = {layout_of(start)}
    waiting = list(seen)
    while waiting:
        layout = waiting.pop()
        if layout not in good:
            return True
        if layout == plan:
            continue
        for a, b, _ in moves(pond, layout):
            after = shifted(layout, a, b)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return False


# --- What is promised of a drawn pond --------------------------------------------------------------------------


def cap(number: int) -> int:
    return min(32, 6 + (number - 1) * 26 // 59)


def band(number: int) -> tuple[int, int]:
    return (28, 32) if number >= 60 else (max(3, cap(number) - 3), cap(number))


def in_band(pond: Pond) -> bool:
    low, high = band(pond["number"])
    return bool(low <= pond["par"] <= high)


def spare_of(number: int) -> int:
    return max(0, 8 - (number - 1) // 2)


def rocks_allowed(number: int) -> set[int]:
    if number <= 3:
        return {3, 4}
    return {4, 5} if 7 <= number <= 10 or 15 <= number <= 18 else {3, 4, 5}


def features_allowed(number: int, rocks: int, features: set[str]) -> bool:
    if number <= 20:
        if number <= 6:
            return not features
        only = "lilyPad" if number <= 10 else "shyShells" if number <= 14 else "creek" if number <= 18 else "grandshell"
        return features == {only}
    if rocks == 3 and ("lilyPad" in features or {"creek", "shyShells"} <= features):
        return False
    if rocks == 4 and {"creek", "lilyPad", "shyShells"} <= features:
        return False
    if number >= 60:  # all that the rock count allows: 2, 3 or 4, always with the Grandshell
        return "grandshell" in features and len(features) == rocks - 1
    low, high = (1, 2) if number <= 35 else (2, 3) if number <= 49 else (3, 4)
    if not min(low, rocks - 1) <= len(features) <= min(high, rocks - 1):
        return False
    return not (rocks == 5 and number >= 50) or "creek" in features


def turtles_allowed(number: int, rocks: int, features: set[str]) -> tuple[int, int]:
    creek, shy = "creek" in features, "shyShells" in features
    if number <= 6:
        return {3: (3, 4), 4: (4, 5), 5: (5, 5)}[rocks]
    if number <= 10:
        return {4: (5, 5), 5: (5, 6)}[rocks]
    if number <= 14:
        return {3: (4, 5), 4: (5, 6), 5: (6, 7)}[rocks]
    if number <= 18:
        return {4: (5, 6), 5: (6, 7)}[rocks]
    if number <= 20:
        return {3: (4, 4), 4: (6, 6), 5: (7, 8)}[rocks]
    if number <= 35:
        three = (4, 4) if creek else (4, 5) if shy else (5, 5)
        return {3: three, 4: (6, 7) if creek else (7, 8), 5: (8, 9)}[rocks]
    three = (4, 5) if creek else (5, 6)
    if number <= 49:
        return {3: three, 4: (7, 8) if creek else (8, 9), 5: (9, 9)}[rocks]
    return {3: three, 4: (8, 9), 5: (9, 9)}[rocks]


def check_pond(pond: Pond, piles: Piles, seed_info: str = "") -> None:
    """Assert what the documents promise of a drawn pond; par's exactness is `distances`, safety is `dead_ends`."""

    def check(good: bool, what: str) -> None:
        assert good, f"{seed_info} pond {pond.get('number')}: {what}: {pond} from {piles}"

    check(list(pond) == POND_KEYS, "the keys of the pond")
    number, rocks, turtles, plan = pond["number"], pond["rocks"], pond["turtles"], pond["plan"]
    for key in ["number", "rocks", "sunRock", "par", "spare"]:
        check(type(pond[key]) is int, f"{key} is an integer")
    check(number >= 1, "ponds are numbered from 1")
    check(rocks in rocks_allowed(number), "rocks at this depth")
    check(pond["sunRock"] == rocks - 1, "the Sun Rock is the rightmost")

    features = set(pond["features"])
    check(pond["features"] == [name for name in FEATURES if name in features], "known features, in order, once each")
    check(features_allowed(number, rocks, features), "features at this depth on this many rocks")

    low, high = turtles_allowed(number, rocks, features)
    check(low <= len(turtles) <= high, f"{low} to {high} turtles")
    for size, turtle in enumerate(turtles, start=1):
        check(list(turtle) == ["size", "shell", "grandshell"], "the keys of a turtle")
        check(turtle["size"] == size, "turtles in order of size")
        grand = "grandshell" in features and size == len(turtles)
        check(turtle["grandshell"] is grand, "the biggest turtle is the Grandshell where listed, and no other")

    shells = [turtle["shell"] for turtle in turtles]
    check(all(isinstance(shell, str) for shell in shells), "shells are named")
    check(len(set(shells)) == 3, "three colours")
    for block in [shells[0:3], shells[3:6], shells[6:9]]:
        check(len(set(block)) == len(block), "no colour twice among 1-3, 4-6 or 7-9")
    for first in [3, 6]:
        check(len(shells) <= first or shells[first - 1] != shells[first], "colours differ across a block boundary")

    lily = pond["lilyPad"]
    if "lilyPad" in features:
        check(type(lily) is int and 0 <= lily < rocks - 1, "the lily pad is a rock, but not the Sun Rock")
    else:
        check(lily is None, "no lily pad unless listed")

    check(len(pond["lanes"]) == rocks and all(len(row) == rocks for row in pond["lanes"]), "the size of lanes")
    for a in range(rocks):
        for b in range(rocks):
            in_loop = "creek" in features and a <= 2 and b <= 2
            check(pond["lanes"][a][b] is ((a, b) in LOOP if in_loop else a != b), f"the lane from {a} to {b}")

    check(pond["spare"] == spare_of(number), f"spare is {spare_of(number)}")
    check(1 <= pond["par"] <= cap(number), f"par is 1 to {cap(number)}")

    check(legal_layout(pond, plan), "the plan is legal")
    check(legal_layout(pond, piles), "the start is legal")
    check(layout_of(piles) != layout_of(plan), "the start is not the plan")
    rock_of = [[len(turtles) in pile for pile in some].index(True) for some in (plan, piles)]
    check(rock_of[0] != rock_of[1], "the biggest turtle starts on another rock than in the plan")


# --- A run -----------------------------------------------------------------------------------------------------


def settlement(number: int, par: int, spent: int, streak: int) -> tuple[int, dict[str, Any]]:
    """The streak after settling, and what the report says of it."""
    raw = 20 * par + 10 * min(number, 60)
    if spent == par:
        grade, raw, streak = "Perfect", raw * 3 // 2, streak + 1
    elif spent <= par + 2:
        grade = "Tidy"
    else:
        grade, streak = "Settled", 0
    percent = 100 + 25 * min(streak, 8)
    award = (raw * percent + 50) // 100
    sunbeam = 1 if grade == "Perfect" else 0
    return streak, {"grade": grade, "raw": raw, "multiplierPercent": percent, "award": award, "sunbeam": sunbeam}


class Model:
    """One run, from its first pond; ponds with too many layouts for the literal search need `needed`."""

    def __init__(self, pond: Pond, piles: list[list[int]], needed: Needed | None = None) -> None:
        self.needed = needed
        self.phase = "pond"
        self.outcome: str | None = None
        self.daylight = 0
        self.score = 0
        self.streak = 0
        self._open(pond, piles)

    def _open(self, pond: Pond, piles: list[list[int]]) -> None:
        self.pond = copy.deepcopy(pond)
        self.piles = [list(pile) for pile in piles]
        self.moves: list[dict[str, int]] = []
        self.spent = 0
        self.daylight += self.pond["par"] + self.pond["spare"]

    def view(self) -> dict[str, Any]:
        return copy.deepcopy({key: getattr(self, key) for key in VIEW_KEYS})

    def distance(self, piles: Piles) -> int:
        """The least Daylight from these piles to the plan."""
        if self.pond["rocks"] ** len(self.pond["turtles"]) <= TABLE_LIMIT:
            return _table(json.dumps(self.pond)).get(layout_of(piles), NEVER)
        if self.needed is None:
            raise ValueError("this pond is too big for the literal search: give the model `needed`")
        return self.needed(copy.deepcopy(self.pond), [list(pile) for pile in piles])

    def _step_back(self) -> tuple[int, int] | None:
        """The inverse of the newest move kept, if the rocks and the Daylight allow it."""
        if not self.moves:
            return None
        start, end = self.moves[-1]["to"], self.moves[-1]["from"]
        for a, b, cost in moves(self.pond, self.piles):
            if (a, b) == (start, end) and cost <= self.daylight:
                return start, end
        return None

    def legal(self) -> list[dict[str, Any]]:
        if self.phase == "runOver":
            return []
        if self.phase == "drift":
            return [{"type": "NEXT_POND"}, {"type": "END_RUN"}]
        payable = [(start, end) for start, end, cost in moves(self.pond, self.piles) if cost <= self.daylight]
        actions: list[dict[str, Any]] = [{"type": "MOVE", "from": start, "to": end} for start, end in payable]
        if self._step_back() is not None:
            actions.append({"type": "STEP_BACK"})
        return [*actions, {"type": "END_RUN"}]

    def best(self) -> dict[str, Any]:
        """The first MOVE, by from, then to, that lies on a shortest path."""
        here = self.distance(self.piles)
        for start, end, cost in moves(self.pond, self.piles):
            if self.phase == "pond" and cost + self.distance(shifted(self.piles, start, end)) == here:
                return {"type": "MOVE", "from": start, "to": end}
        raise ValueError("no shortest path leads on from here")

    def act(self, action: dict[str, Any], opened: tuple[Pond, list[list[int]]] | None = None) -> dict[str, Any] | None:
        """Play a well-formed action: its report, or None (and nothing changes) if it is illegal here."""
        if action not in self.legal():
            return None
        kind = action["type"]
        report: dict[str, Any] = {"action": kind, "cost": 0, "lastLight": False, "settled": False, "sunset": False}
        if kind == "END_RUN":
            self.outcome = "win" if self.phase == "drift" else "goodGame"
            self.phase = "runOver"
        elif kind == "NEXT_POND":
            if opened is None or opened[0]["number"] != self.pond["number"] + 1:
                raise ValueError("NEXT_POND needs the pond that opened, the next by number")
            self._open(*opened)
            self.phase = "pond"
            report["lastLight"] = self.daylight == self.pond["par"]
            report |= {key: self.pond[name] for key, name in [("pond", "number"), ("par", "par"), ("spare", "spare")]}
            report["daylight"] = self.daylight
        elif kind == "MOVE":
            self._travel(report, int(action["from"]), int(action["to"]))
        else:
            back = self._step_back()
            assert back is not None
            self._travel(report, *back)
        return report

    def _travel(self, report: dict[str, Any], start: int, end: int) -> None:
        """Pay and move one turtle, then settle the pond, end the run or tell the last light, in this order."""
        cost = {(a, b): price for a, b, price in moves(self.pond, self.piles)}[start, end]
        self.daylight -= cost
        self.spent += cost
        size = self.piles[start].pop()
        self.piles[end].append(size)
        if report["action"] == "STEP_BACK":
            self.moves.pop()
        else:
            self.moves = [*self.moves, {"from": start, "to": end}][-KEPT_MOVES:]
        report |= {"cost": cost, "turtle": size, "from": start, "to": end}
        if layout_of(self.piles) == layout_of(self.pond["plan"]):
            self.streak, told = settlement(self.pond["number"], self.pond["par"], self.spent, self.streak)
            self.score += told["award"]
            self.daylight += told["sunbeam"]
            self.phase = "drift"
            report |= {"settled": True, **told}
            return
        needed = self.distance(self.piles)
        if needed > self.daylight:
            self.phase, self.outcome = "runOver", "sunset"
            report["sunset"] = True
        else:
            report["lastLight"] = needed == self.daylight
