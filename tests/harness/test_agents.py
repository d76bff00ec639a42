"""The reference agents: what they promise, held against the games; and programs as agents."""

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from engines.baskmere.distances import search
from gameboard import Gameboard, IllegalAction, Position, Run
from gameboard.agents import REFERENCES, Maker, baskmere, dewspout, find, sumi_steps
from tests.games.baskmere.player import pond_of, position_of
from tests.games.dewspout.model import paths

SLUGS = ("baskmere", "dewspout", "sumi-steps")


@pytest.fixture(scope="module")
def board() -> Iterator[Gameboard]:
    with Gameboard.local() as opened:
        yield opened


def play(board: Gameboard, game: str, seed: int, maker: Maker, steps: int) -> Run:
    run, agent = board.start(game, seed), maker(game, seed)
    for _ in range(steps):
        if run.game_over:
            break
        run.act(agent.act(run.position))  # a refusal would be raised
    return run


@pytest.mark.parametrize("game", SLUGS)
@pytest.mark.parametrize("name", REFERENCES)
def test_an_agent_plays_legally_and_the_same_each_time(board: Gameboard, game: str, name: str) -> None:
    runs = [play(board, game, 3, REFERENCES[name], 40) for _ in range(2)]
    assert runs[0].actions == runs[1].actions
    assert runs[0].score == runs[1].score
    assert name == "optimal" or runs[0].actions != play(board, game, 4, REFERENCES[name], 40).actions


def test_optimal_plays_baskmere_perfect(board: Gameboard) -> None:
    run, agent = board.start("baskmere", 7), REFERENCES["optimal"]("baskmere", 7)
    while run.state["pond"]["number"] < 21:
        report = run.act(agent.act(run.position))
        if report["settled"]:
            assert report["grade"] == "Perfect"
    assert run.state["streak"] == 20


def test_its_search_agrees_with_the_engines(board: Gameboard) -> None:
    """On ponds with each feature, from the position that the run is in: and every position that needs no more."""
    run = play(board, "baskmere", 5, REFERENCES["optimal"], 1)
    seen: set[str] = set()
    agent = REFERENCES["optimal"]("baskmere", 5)
    while len(seen) < 4:
        pond = run.state["pond"]
        if run.state["phase"] == "pond" and not set(pond["features"]) <= seen:
            seen |= set(pond["features"])
            needed = baskmere.daylight_needed(pond, baskmere.number(pond, run.state["piles"]))
            table = search(pond_of(run.state))
            assert needed[baskmere.number(pond, run.state["piles"])] == table.of(position_of(run.state["piles"]))
            rocks, turtles = pond["rocks"], len(pond["turtles"])
            for index in [*range(0, len(needed), max(1, len(needed) // 500))]:
                if needed[index] != baskmere.UNKNOWN:
                    position = tuple(index // rocks**turtle % rocks for turtle in range(turtles))
                    assert table.of(position) == needed[index]
        run.act(agent.act(run.position))


def test_optimal_clears_gardens_at_par(board: Gameboard) -> None:
    run = play(board, "dewspout", 7, REFERENCES["optimal"], 1)
    agent = REFERENCES["optimal"]("dewspout", 7)
    while run.state["garden"] < 25:
        run.act(agent.act(run.position))
        if run.state["phase"] == "cleared":
            assert run.state["gardenMoves"] == run.state["par"]


def test_its_shortest_ways_are_those_of_the_model() -> None:
    for capacities in ((3, 5, 8), (4, 7, 9)):
        for goal, way in paths(capacities).items():
            assert len(dewspout.shortest(list(capacities), (0, 0, 0), goal)) == len(way)
    with pytest.raises(ValueError, match="cannot be reached"):
        dewspout.shortest([2, 4, 6], (0, 0, 0), (1, 0, 0))


@pytest.mark.parametrize("seed", [0, 7, 4294967295])
def test_optimal_plays_sumi_steps_to_the_most_there_is(board: Gameboard, seed: int) -> None:
    run = play(board, "sumi-steps", seed, REFERENCES["optimal"], 400)
    assert (run.game_over, run.score) == (True, 3156)


def test_optimal_finds_its_way_from_where_others_left_off(board: Gameboard) -> None:
    for game, score in (("sumi-steps", 2000), ("dewspout", 2000), ("baskmere", 200)):
        run = play(board, game, 11, REFERENCES["random"], 8)
        agent = REFERENCES["optimal"](game, 11)
        for _ in range(340):
            if run.game_over or run.score >= score:
                break
            run.act(agent.act(run.position))
        assert run.score >= score or run.state.get("outcome") == "sunset"


def test_greedy_beats_random(board: Gameboard) -> None:
    for game in SLUGS:
        scores = {
            name: sum(play(board, game, seed, REFERENCES[name], 80).score for seed in range(3))
            for name in ("random", "greedy")
        }
        assert scores["greedy"] > scores["random"], game


def test_a_garden_without_a_way_is_told() -> None:
    plots = [{"row": 0, "col": col} for col in range(3)]
    state = {"rows": 1, "cols": 3, "fences": [], "stones": [plots[1], plots[2]], "stroke": [plots[1]], "garden": 1}
    with pytest.raises(ValueError, match="No stroke"):
        sumi_steps.solve(state)


class Stubborn:
    """Tries what is illegal once, then plays the first legal action."""

    def __init__(self, *_: object) -> None:
        pass

    def act(self, position: Position) -> Any:
        return position.legal_actions[0] if position.refusal else {"type": "nonsense"}


def test_an_agent_is_found_by_its_name(board: Gameboard) -> None:
    assert find("optimal") is REFERENCES["optimal"]
    maker = find("tests.harness.test_agents:Stubborn")
    run, agent = board.start("dewspout", 7), maker("dewspout", 7)
    with pytest.raises(IllegalAction):
        run.act(agent.act(run.position))
    run.act(agent.act(run.position))
    assert run.actions == [{"type": "fill", "vessel": 0}]


@pytest.mark.parametrize("name", ["best", "nowhere:Agent", "tests.toy:Agent", "cmd:"])
def test_what_is_no_agent_is_told(name: str) -> None:
    with pytest.raises(ValueError, match=r"agent|program"):
        find(name)


@pytest.mark.parametrize("name", ["greedy", "optimal"])
def test_a_game_that_a_reference_does_not_know_is_told(name: str) -> None:
    with pytest.raises(ValueError, match="knows baskmere, dewspout, sumi-steps"):
        find(name)("chess", 1)


PROGRAM = """
import json, sys
for line in sys.stdin:
    position = json.loads(line)
    print(json.dumps(position["legalActions"][0]) if position["refusal"] else "not JSON", flush=True)
"""


def test_a_program_in_any_language_plays(board: Gameboard) -> None:
    agent = find(f"cmd:{sys.executable} -c '{PROGRAM}'")("dewspout", 7)
    run = board.start("dewspout", 7)
    with pytest.raises(IllegalAction, match="not JSON"):
        run.act(agent.act(run.position))
    run.act(agent.act(run.position))
    assert run.actions == [{"type": "fill", "vessel": 0}]
    agent.close()  # type: ignore[attr-defined]


def test_a_program_that_ends_is_told(board: Gameboard) -> None:
    agent = find(f"cmd:{sys.executable} -c 'import sys; sys.exit(3)'")("dewspout", 7)
    with pytest.raises(RuntimeError, match="ended with 3"):
        agent.act(board.start("dewspout", 7).position)
    agent.close()  # type: ignore[attr-defined]
