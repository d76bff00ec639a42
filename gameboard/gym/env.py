"""A game as an environment: an action is an index, a reward is what it added to the score."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

import numpy as np
from gymnasium.core import Env
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.spaces import Dict, Discrete

from gameboard.calls import LARGEST_SEED, Action
from gameboard.client import Gameboard, Run
from gameboard.gym import baskmere, dewspout, sumi_steps
from gameboard.gym.arrays import Bits, Observation
from gameboard.gym.sharing import shared
from gameboard.runs import IllegalAction


class Translation(Protocol):
    """A game in indices and arrays."""

    ACTIONS: tuple[Action, ...]
    """Every well-formed action, legal or not, in the order of the game's legal actions."""

    def space(self) -> Dict:
        """Where all observations of the game lie."""

    def observe(self, state: Any) -> Observation:
        """What of a public state matters for play."""


TRANSLATIONS: dict[str, Translation] = {"baskmere": baskmere, "dewspout": dewspout, "sumi-steps": sumi_steps}


class Environment(Env[Observation, np.int64]):
    """Plays one game, in this process or, with `url`, at a server.

    The modules `baskmere`, `dewspout` and `sumi_steps` beside this one say what actions and observations mean; where
    flat vectors are wanted, `gymnasium.wrappers.FlattenObservation` makes them. A refused action changes nothing and
    has reward 0. An episode terminates with the run, and is truncated after `max_steps` steps, refused ones included.

    ``info`` has ``action_mask``, ``legal_actions`` (as JSON), ``score``, ``seed``, ``text`` (the position in words and
    characters, which `render` returns as well in mode ``ansi``), and after a refused action its reason as ``refusal``.

    What it plays on is opened by `reset` and closed by `close`.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 (as Gymnasium declares it)
    action_space: Discrete
    observation_space: Dict

    def __init__(
        self, game: str, *, url: str | None = None, max_steps: int | None = None, render_mode: str | None = None
    ) -> None:
        if game not in TRANSLATIONS:
            raise ValueError(f"There is no environment of {game!r}. The games are {', '.join(TRANSLATIONS)}.")
        if max_steps is not None and max_steps < 1:
            raise ValueError(f"max_steps is a number of steps from 1 on, or None; it was {max_steps}.")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is None or 'ansi'; it was {render_mode!r}.")
        self.game = game
        self.max_steps = max_steps
        self.render_mode = render_mode
        self._translation = TRANSLATIONS[game]
        self.actions = self._translation.ACTIONS
        self._indices = {_key(action): index for index, action in enumerate(self.actions)}
        self.action_space = Discrete(len(self.actions))
        self.observation_space = self._translation.space()
        self._url = url
        self._board: Gameboard | None = None
        self._let_go: Callable[[], None] = lambda: None
        self._run: Run | None = None
        self._steps = 0

    @property
    def run(self) -> Run:
        """The run of this episode. Agents of `gameboard.agents` want its `position`."""
        if self._run is None:
            raise ResetNeeded("There is no run yet: call reset() first.")
        return self._run

    def index(self, action: Action) -> int:
        """The index of an action that is given as JSON. Raises `ValueError` for what is no action of the game."""
        try:
            return self._indices[_key(action)]
        except (AttributeError, KeyError, TypeError):
            raise ValueError(f"{action!r} is no action of {self.game}.") from None

    def action_masks(self) -> Bits:
        """1 for each action that is legal now and 0 for the others, under the name that MaskablePPO asks for."""
        mask = np.zeros(len(self.actions), dtype=np.int8)
        mask[[self.index(action) for action in self.run.legal_actions]] = 1
        return mask

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start the run of a seed, 0 to 2**32 - 1. Without one, the environment's own generator draws it."""
        if seed is not None and not 0 <= seed <= LARGEST_SEED:
            raise ValueError(f"A seed is a whole number from 0 to {LARGEST_SEED}; it was {seed}.")
        super().reset(seed=seed, options=options)
        drawn = int(self.np_random.integers(LARGEST_SEED, endpoint=True)) if seed is None else seed
        self._run = self._opened().start(self.game, drawn)
        self._steps = 0
        return self._translation.observe(self.run.state), self._info()

    def step(self, action: int | np.integer[Any]) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play the action with an index. Raises `InvalidAction` where there is no such index."""
        run = self.run
        if not self.action_space.contains(action):
            raise InvalidAction(f"An action is an index from 0 to {len(self.actions) - 1}; it was {action!r}.")
        before = run.score
        with suppress(IllegalAction):
            run.act(dict(self.actions[int(action)]))
        self._steps += 1
        truncated = not run.game_over and self.max_steps is not None and self._steps >= self.max_steps
        observation = self._translation.observe(run.state)
        return observation, float(run.score - before), run.game_over, truncated, self._info()

    def render(self) -> str | None:
        return self.run.observation if self.render_mode == "ansi" else None

    def close(self) -> None:
        self._let_go()
        self._let_go = lambda: None
        self._board = self._run = None

    def _opened(self) -> Gameboard:
        if self._board is None:
            if self._url is None:
                local = shared()
                self._board, self._let_go = local.hold(), local.release
            else:
                self._board = Gameboard(self._url)
                self._let_go = self._board.close
        return self._board

    def _info(self) -> dict[str, Any]:
        run = self.run
        told = {
            "action_mask": self.action_masks(),
            "legal_actions": [dict(action) for action in run.legal_actions],
            "score": run.score,
            "seed": run.seed,
            "text": run.observation,
        }
        return told if run.refusal is None else {**told, "refusal": run.refusal}


def _key(action: Action) -> frozenset[tuple[str, Any]]:
    return frozenset(action.items())
