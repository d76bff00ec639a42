"""What `benchmarks.http` asks: calls from the middle of real runs, each of many seeds, so that hardly two are alike."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from gameboard import Gameboard
from gameboard.agents.optimal import Optimal
from gameboard.calls import act

BATCH = 64
"""Actions in a batch."""

OPENINGS = 1000
"""Seeds of which runs are started one after the other."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent, and what the server answers. Without a body it is a GET."""

    path: str
    body: bytes
    answer: Any


@dataclass(frozen=True, slots=True)
class Call:
    """One kind of request. `reach` is the share of the floor's throughput that this project wants.

    For a batch `single` names the call that it holds many times, and `reach` says how many times as fast it should be.
    """

    name: str
    requests: Sequence[Request]
    reach: float
    single: str = ""


Wanted: TypeAlias = Callable[[Any], bool | None]
"""Whether the action that is played in this state is one to ask; None where the run has gone far enough."""


def calls(board: Gameboard) -> Sequence[Call]:
    """All calls, for a server whose tokens only it takes."""
    singles = [
        Call("dewspout action", _actions(board, "dewspout", 16, _in_gardens_5_to_8), 1.0),
        Call("sumi-steps start", _actions(board, "sumi-steps", 64, _at_the_start), 1.0),
        Call("sumi-steps garden 9, full stroke", _actions(board, "sumi-steps", 8, _all_but_full), 0.65),
        Call("baskmere MOVE", _actions(board, "baskmere", 4, _in_ponds_26_to_30), 0.8),
    ]
    inits = [
        Call(f"{game['slug']} init", [_opening(board, game["slug"], seed) for seed in range(OPENINGS)], 0.4)
        for game in board.games()
    ]
    return [*singles, *inits, *map(_batch, singles)]


def _in_gardens_5_to_8(state: Any) -> bool | None:
    return None if state["garden"] > 8 else state["garden"] >= 5 and state["phase"] == "playing"


def _at_the_start(state: Any) -> bool | None:
    return None if len(state["stroke"]) > 1 else True


def _all_but_full(state: Any) -> bool | None:
    return None if state["phase"] == "complete" else state["garden"] == 9 and len(state["stroke"]) == 63


def _in_ponds_26_to_30(state: Any) -> bool | None:
    number = state["pond"]["number"]
    return None if number > 30 else number >= 26 and state["phase"] == "pond"


def _actions(board: Gameboard, game: str, seeds: int, wanted: Wanted) -> list[Request]:
    """The wanted actions of so many runs that are played as well as can be."""
    return [request for seed in range(seeds) for request in _played(board, game, seed, wanted)]


def _played(board: Gameboard, game: str, seed: int, wanted: Wanted) -> Iterator[Request]:
    run, agent = board.start(game, seed), Optimal(game, seed)
    while (ask := wanted(run.state)) is not None:
        call = act(game, run.answer, agent.act(run.position))
        run.act(call.json["action"])
        if ask:
            yield Request(call.path, _json(call.json), run.answer)


def _opening(board: Gameboard, game: str, seed: int) -> Request:
    return Request(f"/api/games/{game}/init?seed={seed}", b"", board.start(game, seed).answer)


def _batch(call: Call) -> Call:
    """The same actions, many at a time."""
    game = call.requests[0].path.split("/")[3]
    items = [{"game": game, **json.loads(request.body)} for request in call.requests]
    turns = [[items[(first + place) % len(items)] for place in range(BATCH)] for first in range(0, len(items), BATCH)]
    requests = [Request("/api/batch", _json({"items": turn}), None) for turn in turns]
    return Call(f"{BATCH} × {call.name}", requests, 3.0, single=call.name)


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
