"""The Gymnasium environments: what Gymnasium asks of them, and that they are the games, no more and no less."""

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence

import gameboard.gym
from engines.registry import GAMES
from gameboard import Gameboard
from gameboard.agents.optimal import Optimal
from gameboard.agents.random import ENDS
from gameboard.gym import IDS, Environment
from gameboard.gym.arrays import MOST, numbers
from gameboard.gym.env import TRANSLATIONS
from gameboard.gym.sharing import Shared, shared
from tests.conformance.plays import universe
from tests.server import ROOT, serving

DEEP = {"baskmere": 20, "dewspout": 23, "sumi-steps": 9}
"""The pond or garden that a deep play gets to: whatever a game introduces has come by then."""


@pytest.fixture(scope="module", autouse=True)
def board() -> Iterator[None]:
    """One board for all the tests here, so that none of them waits for its own."""
    shared().hold()
    yield
    shared().release()


@pytest.fixture(params=IDS)
def env(request: pytest.FixtureRequest) -> Iterator[Environment]:
    made = make(request.param)
    yield made
    made.close()


def make(name: str, **options: Any) -> Environment:
    """The environment without the wrappers that `gymnasium.make` puts around it."""
    made = gymnasium.make(name, **options).unwrapped
    assert isinstance(made, Environment)
    return made


def onward(env: Environment, info: dict[str, Any], choose: random.Random) -> int:
    """A legal action that does not end the run, while there is one."""
    legal = [index for index in np.flatnonzero(info["action_mask"]) if env.actions[index]["type"] not in ENDS]
    return int(choose.choice(legal or list(np.flatnonzero(info["action_mask"]))))


def level(state: Any) -> int:
    number: int = state["pond"]["number"] if "pond" in state else state["garden"]
    return number


def expert(env: Environment) -> Optimal:
    return Optimal(env.game, 0)


def episode(env: Any, seed: int | None, steps: int = 30) -> list[Any]:
    """All that comes back in a random play whose choices are always the same."""
    choose = random.Random(1)
    observation, info = env.reset(seed=seed)
    told: list[Any] = [observation, info]
    over = False
    while not over and steps:
        steps -= 1
        observation, reward, over, _, info = env.step(onward(env.unwrapped, info, choose))
        told += [observation, reward, over, info]
    return told


@pytest.mark.parametrize("name", IDS)
def test_gymnasium_finds_nothing_to_say(name: str) -> None:
    made = make(name)
    check_env(made)
    made.close()


@pytest.mark.parametrize("options", [{"game": "chess"}, {"max_steps": 0}, {"render_mode": "human"}])
def test_what_cannot_be_made_is_told(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"chess|max_steps|render_mode"):
        Environment(**{"game": "dewspout", **options})


def test_registering_again_changes_nothing() -> None:
    before = {name: gymnasium.registry[name] for name in IDS}
    gameboard.gym.register()
    assert {name: gymnasium.registry[name] for name in IDS} == before


def test_an_id_with_its_module_needs_no_import() -> None:
    program = """if True:
        import gymnasium
        with gymnasium.make("gameboard.gym:gameboard/SumiSteps-v0", render_mode="ansi") as env:
            env.reset(seed=7)
            print(env.render())
    """
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.stderr == ""
    assert run.stdout.startswith("Sumi Steps, garden 1")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.slug)
def test_the_actions_are_all_that_are_well_formed_in_their_order(game: Any) -> None:
    actions = TRANSLATIONS[game.info.slug].ACTIONS
    assert list(actions) == [game.grammar.write(action) for action in universe(game)]


def test_actions_and_their_indices(env: Environment) -> None:
    assert [env.index(action) for action in env.actions] == list(range(len(env.actions)))
    for wrong in ({"type": "jump"}, {"type": ["jump"]}, "jump", None):
        with pytest.raises(ValueError, match="is no action"):
            env.index(wrong)


def test_the_mask_is_what_is_legal(env: Environment) -> None:
    choose = random.Random(7)
    observation, info = env.reset(seed=7)
    for _ in range(12):
        for index, action in enumerate(env.actions):
            if info["action_mask"][index]:
                env.run.fork().act(action)
                continue
            after, reward, over, _, told = env.step(index)
            assert (reward, over) == (0, False)
            assert told.pop("refusal")
            assert data_equivalence(after, observation, exact=True)
            assert data_equivalence(told, info, exact=True)
        assert [env.actions[index] for index in np.flatnonzero(info["action_mask"])] == info["legal_actions"]
        observation, _, over, _, info = env.step(onward(env, info, choose))
        assert "refusal" not in info
        if over:
            break


def test_samples_by_the_mask_are_legal_and_their_rewards_sum_up_to_the_score(env: Environment) -> None:
    env.action_space.seed(3)
    for seed in range(4):
        _, info = env.reset(seed=seed)
        total, over = 0.0, False
        while not over:
            _, reward, over, _, info = env.step(env.action_space.sample(mask=info["action_mask"]))
            assert "refusal" not in info
            total += reward
        assert total == info["score"] == env.run.score
        assert not info["action_mask"].any()
        assert info["legal_actions"] == []
        _, reward, over, truncated, info = env.step(0)
        assert (reward, over, truncated) == (0, True, False)
        assert info["refusal"]


def test_the_best_play_of_sumi_steps_is_worth_3156() -> None:
    with make("gameboard/SumiSteps-v0") as env:
        env.reset(seed=7)
        agent, total, over = expert(env), 0.0, False
        while not over:
            _, reward, over, _, _ = env.step(env.index(agent.act(env.run.position)))
            total += reward
        assert total == 3156


def test_observations_stay_in_their_space_and_tell_what_decides_what_is_legal(env: Environment) -> None:
    choose, agent = random.Random(5), expert(env)
    observation, info = env.reset(seed=5)
    strays, over = 4, False
    while not over and level(env.run.state) < DEEP[env.game]:
        assert env.observation_space.contains(observation)
        assert [int(bit) for bit in info["action_mask"]] == RULES[env.game](observation)
        if strays and choose.random() < 0.1:  # few enough for the Daylight to last
            strays -= 1
            action = onward(env, info, choose)
        else:
            action = env.index(agent.act(env.run.position))
        observation, _, over, _, info = env.step(action)
    assert level(env.run.state) == DEEP[env.game]
    observation, _, over, _, _ = env.step(len(env.actions) - 1)
    assert over
    assert env.observation_space.contains(observation)
    assert RULES[env.game](observation) == [0] * len(env.actions)


def baskmere(seen: dict[str, Any]) -> list[int]:
    """What is legal, from an observation alone."""

    def allowed(start: int, end: int) -> bool:
        here, there = np.flatnonzero(seen["piles"][start]), np.flatnonzero(seen["piles"][end])
        if seen["phase"] or not here.size or not seen["lanes"][start, end]:
            return False
        if seen["daylight"][0] < 1 + seen["grandshell"][here[0]]:
            return False
        if seen["lily_pad"][end] and there.size == 2:
            return False
        shy = there.size and seen["features"][1] and (seen["shells"][:, here[0]] == seen["shells"][:, there[0]]).all()
        return not shy and (there.size == 0 or here[0] < there[0])

    moves = [int(allowed(start, end)) for start in range(5) for end in range(5)]
    back = [int(place.argmax()) for place in seen["last_move"]]
    return [
        *moves,
        int(seen["last_move"].any() and moves[5 * back[1] + back[0]]),
        int(seen["phase"] == 1),
        int(seen["phase"] != 2),
    ]


def dewspout(seen: dict[str, Any]) -> list[int]:
    """What is legal, from an observation alone."""
    open_garden, held, room = seen["phase"] == 0, seen["amounts"], seen["capacities"] - seen["amounts"]
    water = [*(room > 0), *(held > 0), *(a != b and held[a] and room[b] for a in range(3) for b in range(3))]
    last = [held.any() and open_garden, seen["phase"] == 1, seen["phase"] != 2]
    return [int(bool(legal)) for legal in (*(way and open_garden for way in water), *last)]


def sumi_steps(seen: dict[str, Any]) -> list[int]:
    """What is legal, from an observation alone."""
    raking = seen["phase"] == 0
    row, col = np.argwhere(seen["head"])[0]
    ink = seen["stroke"][row, col]
    assert ink == seen["stroke"].max()
    reached, last = seen["stones"][seen["stroke"] > 0].max(), seen["stones"].max()
    steps = []
    for way, (down, right) in enumerate(((-1, 0), (1, 0), (0, -1), (0, 1))):
        there = (row + down, col + right)
        inside = min(there) >= 0 and max(there) < 8 and seen["plots"][there]
        legal = raking and inside and not seen["fences"][(way, row, col)]
        if legal and (seen["stroke"][there] == 0 or seen["stroke"][there] != ink - 1):
            bare = seen["stroke"][there] == 0 and seen["stones"][row, col] != last
            legal = bare and seen["stones"][there] in (0, reached + 1)
        steps.append(int(bool(legal)))
    return [*steps, int(raking and ink > 1), int(raking), int(raking)]


RULES = {"baskmere": baskmere, "dewspout": dewspout, "sumi-steps": sumi_steps}


def test_what_grows_too_large_is_clipped() -> None:
    assert numbers(MOST + 1, 3).tolist() == [MOST, 3]


def test_waste_is_told_by_garden() -> None:
    with make("gameboard/SumiSteps-v0") as env:
        observation, _ = env.reset(seed=7)
        for action in ({"type": "step", "direction": "down"}, {"type": "undo"}, {"type": "reset"}):
            observation, *_ = env.step(env.index(action))
        assert observation["wasted"].tolist() == [11, 0, 0, 0, 0, 0, 0, 0, 0]
        agent = expert(env)
        while env.run.state["garden"] == 1:
            observation, *_ = env.step(env.index(agent.act(env.run.position)))
        assert observation["wasted"].tolist() == [11, 0, 0, 0, 0, 0, 0, 0, 0]
        observation, *_ = env.step(env.index({"type": "reset"}))
        assert observation["wasted"].tolist() == [11, 10, 0, 0, 0, 0, 0, 0, 0]


def test_a_seed_is_played_as_it_is(env: Environment) -> None:
    first = episode(env, 2**32 - 1)
    assert first[1]["seed"] == env.run.seed == 2**32 - 1
    with make(next(name for name, game in IDS.items() if game == env.game)) as other:
        assert data_equivalence(first, episode(other, 2**32 - 1), exact=True)
    for seed in (-1, 2**32):
        with pytest.raises(ValueError, match="from 0 to 4294967295"):
            env.reset(seed=seed)


def test_one_seed_decides_all_later_episodes(env: Environment) -> None:
    def seeds(first: int | None) -> list[int]:
        return [int(env.reset(seed=first if turn == 0 else None)[1]["seed"]) for turn in range(4)]

    drawn = seeds(11)
    assert drawn == seeds(11)
    assert len({*drawn}) == 4
    assert not {*seeds(12)} & {*drawn}
    assert len({*seeds(None)}) == 4


def test_an_episode_is_truncated_after_its_steps_and_refused_ones_count() -> None:
    with make("gameboard/Dewspout-v0", max_steps=3) as env:
        for _ in range(2):
            env.reset(seed=7)
            ends = [env.step(index)[2:4] for index in (3, 0, 1)]
            assert ends == [(False, False), (False, False), (False, True)]
        env.reset(seed=7)
        ends = [env.step(index)[2:4] for index in (0, 1, 17)]
        assert ends == [(False, False), (False, False), (True, False)], "a run that has ended is not cut short"


def test_what_is_no_index_is_an_error(env: Environment) -> None:
    env.reset(seed=7)
    for wrong in (-1, len(env.actions), np.int64(99), 0.5, None):
        with pytest.raises(InvalidAction):
            env.step(wrong)  # type: ignore[arg-type]


def test_text_and_rendering(env: Environment) -> None:
    _, info = env.reset(seed=7)
    assert info["text"] == env.run.observation
    assert env.render() is None
    env.render_mode = "ansi"
    assert env.render() == info["text"]


def test_environments_share_a_board_while_one_of_them_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    sharing = Shared()

    def opened() -> Gameboard | None:
        return sharing._board

    monkeypatch.setattr("gameboard.gym.env.shared", lambda: sharing)
    first, second = make("gameboard/Dewspout-v0"), make("gameboard/Baskmere-v0")
    with pytest.raises(ResetNeeded):
        first.step(0)
    assert opened() is None
    first.reset()
    board = opened()
    second.reset()
    assert opened() is board is not None
    first.close()
    first.close()
    second.step(0)
    second.close()
    assert opened() is None
    with pytest.raises(ResetNeeded):
        second.step(0)
    second.reset()
    second.step(0)
    second.close()


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # newer Pythons warn of forks beside threads
@pytest.mark.parametrize(("name", "mode"), [*((name, "sync") for name in IDS), ("gameboard/Baskmere-v0", "async")])
def test_many_at_once(name: str, mode: str) -> None:
    """The board of this process is open meanwhile; its thread is not in a process that is forked."""
    many = gymnasium.make_vec(name, num_envs=4, vectorization_mode=mode, max_steps=6)
    try:
        observations, infos = many.reset(seed=7)
        assert infos["seed"].tolist() == [7, 8, 9, 10]
        for _ in range(8):
            assert many.observation_space.contains(observations)
            actions = np.array([np.flatnonzero(mask)[0] for mask in infos["action_mask"]])
            observations, rewards, _, _, infos = many.step(actions)
            assert rewards.shape == (4,)
        assert len({*infos["seed"].tolist()} | {7, 8, 9, 10}) == 8, "each goes on with a seed of its own"
    finally:
        many.close()


def test_over_http_it_is_the_same(tmp_path: Path) -> None:
    with serving(tmp_path / "log") as server:
        for name in IDS:
            with make(name) as local, make(name, url=server.url) as remote:
                assert data_equivalence(episode(local, 7, steps=10), episode(remote, 7, steps=10), exact=True)
                board = remote._board
            assert board
            assert board._http.is_closed
