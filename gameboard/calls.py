"""What is asked of a server and how its answers are read, without a connection."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import httpx

Json: TypeAlias = Any
Action: TypeAlias = Any
"""An action as JSON; an agent may get it wrong in any way."""

Answer: TypeAlias = dict[str, Any]

LARGEST_SEED = 2**32 - 1

BATCH = 128
"""Items of a batch: a server takes 256, and these stay below its mebibyte with the largest runs there are."""

_BUSY = frozenset({429, 502, 503, 504})
_FIRST_WAIT = 0.1
_LONGEST_WAIT = 10.0


class RequestFailed(Exception):
    """A request that no game judged: the server's reason, its code for machines, and the status."""

    def __init__(self, reason: str, code: str, status: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.code = code
        self.status = status


@dataclass(frozen=True, slots=True)
class Call:
    """One request. Every one of them may be sent again: answers are a pure function of it."""

    method: str
    path: str
    params: dict[str, str] | None = None
    json: Json = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a run that was played again: all of it, or the place and reason of the first refusal."""

    ok: bool
    score: int
    action_count: int
    game_over: bool | None = None
    index: int | None = None
    reason: str | None = None


def index() -> Call:
    return Call("GET", "/api/games")


def entry(game: str) -> Call:
    return Call("GET", f"/api/games/{game}")


def start(game: str, seed: int | None) -> Call:
    return Call("GET", f"/api/games/{game}/init", None if seed is None else {"seed": str(seed)})


def act(game: str, answer: Answer, action: Action) -> Call:
    return Call("POST", f"/api/games/{game}/action", json={**carried(answer), "action": action})


def verify(game: str, seed: int, actions: Sequence[Action]) -> Call:
    return Call("POST", f"/api/games/{game}/verify", json={"seed": seed, "actions": list(actions)})


def batches(items: Sequence[Json]) -> Iterator[Call]:
    """The calls that bring many items to a server, in their order."""
    for first in range(0, len(items), BATCH):
        yield Call("POST", "/api/batch", json={"items": list(items[first : first + BATCH])})


def carried(answer: Answer) -> Answer:
    """What of an answer holds the run."""
    return {"stateToken": answer["stateToken"]} if "stateToken" in answer else {"state": answer["state"]}


def started_item(game: str, seed: int) -> Json:
    return {"game": game, "seed": seed}


def acted_item(game: str, answer: Answer, action: Action) -> Json:
    return {"game": game, **carried(answer), "action": action}


def verdict(answer: Answer) -> Verdict:
    if answer["ok"]:
        return Verdict(True, answer["score"], answer["actionCount"], game_over=answer["gameOver"])
    return Verdict(False, answer["score"], answer["index"], index=answer["index"], reason=answer["reason"])


def read(response: httpx.Response) -> Answer:
    """The answer in a response. Raises `RequestFailed` for one that no game judged."""
    try:
        answer = response.json()
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise RequestFailed(f"{response.url} did not answer in JSON.", "no_answer", response.status_code)
    return judged(answer, response.status_code)


def judged(answer: Answer, status: int) -> Answer:
    """An answer that is one, or `RequestFailed` raised."""
    if "code" in answer or status >= 400:
        raise RequestFailed(
            answer.get("reason", f"The server answered {status}."), answer.get("code", "no_answer"), status
        )
    return answer


def waits(retries: int) -> Iterator[float | None]:
    """Seconds to wait before each further try of a call, and None where there is none left."""
    for attempt in range(retries):
        yield min(_FIRST_WAIT * 2**attempt, _LONGEST_WAIT)
    yield None


def busy(response: httpx.Response, wait: float) -> float | None:
    """How long to wait before a call is sent again, or None where the response is the answer."""
    if response.status_code not in _BUSY:
        return None
    told = response.headers.get("retry-after", "")
    return min(float(told), _LONGEST_WAIT) if told.isascii() and told.isdigit() else wait
