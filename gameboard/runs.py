"""A run as its player sees it, whatever brings it to the server."""

from dataclasses import dataclass
from typing import Any, TypeVar

from gameboard.calls import Action, Answer

Self = TypeVar("Self", bound="BaseRun")


class IllegalAction(Exception):
    """An action that the game refused. Nothing changed. `legal_actions` is what would be legal instead."""

    def __init__(self, action: Action, reason: str, legal_actions: list[Any]) -> None:
        super().__init__(reason)
        self.action = action
        self.reason = reason
        self.legal_actions = legal_actions


@dataclass(frozen=True, slots=True)
class Position:
    """What an agent sees. `refusal` is why its last action was refused, and None after one that was played."""

    game: str
    state: Any
    observation: str
    legal_actions: list[Any]
    score: int
    game_over: bool
    refusal: str | None = None

    def as_json(self) -> Answer:
        """The same in the names of the server's answers."""
        return {
            "game": self.game,
            "state": self.state,
            "observation": self.observation,
            "legalActions": self.legal_actions,
            "score": self.score,
            "gameOver": self.game_over,
            "refusal": self.refusal,
        }


class BaseRun:
    """The newest answer of a run, and what was done to get there."""

    def __init__(self, game: str, answer: Answer) -> None:
        self.game = game
        self.seed: int = answer["seed"]
        self.spec: Answer = answer["spec"]
        self.answer = answer
        self.refusal: str | None = None
        self._entries: list[Answer] = []

    @property
    def state(self) -> Any:
        return self.answer["state"]

    @property
    def observation(self) -> str:
        text: str = self.answer["observation"]
        return text

    @property
    def legal_actions(self) -> list[Any]:
        actions: list[Any] = self.answer["legalActions"]
        return actions

    @property
    def score(self) -> int:
        score: int = self.answer["score"]
        return score

    @property
    def game_over(self) -> bool:
        over: bool = self.answer["gameOver"]
        return over

    @property
    def actions(self) -> list[Any]:
        """The actions that were played, refused ones left out: with `seed`, all that it takes to verify the run."""
        return [entry["action"] for entry in self._entries if entry["ok"]]

    @property
    def position(self) -> Position:
        return Position(
            self.game, self.state, self.observation, self.legal_actions, self.score, self.game_over, self.refusal
        )

    def transcript(self) -> list[Answer]:
        """The run as lines of JSON: its game and seed, then every action that was sent and what came of it."""
        return [{"game": self.game, "seed": self.seed}, *self._entries]

    def _fork(self: Self) -> Self:
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._entries = list(self._entries)
        return copy

    def take(self, action: Action, answer: Answer) -> Any:
        """Go on by the answer to an action: its report. Raises `IllegalAction` where it was refused."""
        if not answer["ok"]:
            self.refusal = answer["reason"]
            self._entries.append({"action": action, "ok": False, "reason": answer["reason"]})
            raise IllegalAction(action, answer["reason"], answer["legalActions"])
        self.refusal = None
        self.answer = answer
        self._entries.append({"action": action, "ok": True, "score": answer["score"]})
        return answer["report"]
