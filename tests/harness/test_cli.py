"""The command line: evaluations that resume, proofs that hold, and games in a terminal."""

import csv
import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from gameboard import Gameboard, evaluate, transcripts
from gameboard.agents import Maker, find
from gameboard.cli import main
from gameboard.evaluate import Evaluation, Optima, Result
from tests.server import ROOT, serving


def command(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    code = left.value.code
    if isinstance(code, str):
        sys.stderr.write(code)
        return 1
    return int(code or 0)


def evaluated(folder: Path, *more: str | Path) -> int:
    return command("eval", "--seeds", "7", "--max-steps", "20", "--out", folder, "--concurrency", "4", *more)


def test_reference_agents_are_evaluated_against_a_server_and_proved(tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "runs"
    with serving(tmp_path / "log", "--workers", "2") as server:
        agents = [word for name in ("random", "greedy", "optimal") for word in ("--agent", name)]
        assert evaluated(out, *agents, "--url", server.url, "--plot", tmp_path / "scores.png") == 0
        table = capsys.readouterr().out
        files = sorted(out.glob("*/*/*.jsonl"))
        assert len(files) == 9
        assert command("verify", "--url", server.url, *files) == 0
    assert capsys.readouterr().out.count("proved") == 9
    assert all(word in table for word in ("baskmere", "sumi-steps", "greedy", "100.0%", "illegal"))
    assert (tmp_path / "scores.png").read_bytes().startswith(b"\x89PNG")
    told = json.loads((out / "results.json").read_text())
    assert len(told["runs"]) == 9
    optimal = next(each for each in told["summaries"] if (each["game"], each["agent"]) == ("dewspout", "optimal"))
    assert (optimal["runs"], optimal["share"], optimal["illegal"]) == (1, 1, 0)
    rows = list(csv.DictReader((out / "results.csv").read_text().splitlines()))
    assert [int(row["score"]) for row in rows] == [run["score"] for run in told["runs"]]


def test_figures_are_those_of_the_runs() -> None:
    def result(seed: int, score: int, optimal: int | None = 200) -> Result:
        return Result("g", "a", seed, 10, score, False, 10, seed, 0.5, optimal)

    told = evaluate.summarise([result(1, 100), result(2, 40), result(3, 10), result(4, 50)])
    assert (told.mean, told.median, told.least, told.most, told.share) == (50, 45, 10, 100, 0.25)
    assert (told.runs, told.illegal, told.steps, told.seconds) == (4, 10, 40, 2.0)
    assert evaluate.summarise([result(1, 100), result(2, 40), result(3, 10)]).median == 40
    assert evaluate.summarise([result(1, 100, None)]).share is None
    assert evaluate.summarise([result(1, 0, 0)]).share is None


class Counting:
    """Plays as the greedy agent and counts how often it was made; breaks on seed 1 where it is told to."""

    def __init__(self) -> None:
        self.made: list[int] = []
        self.broken = True

    def __call__(self, game: str, seed: int) -> Any:
        self.made.append(seed)
        if seed == 1 and self.broken:
            raise RuntimeError("out of order")
        return find("greedy")(game, seed)


def test_an_interrupted_evaluation_goes_on_where_it_was(tmp_path: Path) -> None:
    maker: Any = Counting()
    with Gameboard.local() as board:

        def run(seeds: range, steps: int = 12) -> dict[int, Any]:
            return dict(Evaluation(board, "dewspout", "mine", maker, steps, tmp_path).run(seeds, 2))

        first = run(range(3))
        assert isinstance(first[1], RuntimeError)
        assert sorted(maker.made) == [0, 1, 2]
        maker.made.clear()
        maker.broken = False
        second = run(range(5))
        assert sorted(maker.made) == [1, 3, 4]
        assert (second[0], second[2]) == (first[0], first[2])
        maker.made.clear()
        assert run(range(5)) == second
        assert maker.made == []
        (tmp_path / "dewspout" / "mine" / "0.jsonl").write_text("{")  # cut off
        run(range(1))
        run(range(1), steps=13)  # another evaluation
        assert maker.made == [0, 0]


def test_a_stopped_evaluation_leaves_no_half_run(tmp_path: Path) -> None:
    class Slow:
        def __init__(self, game: str, seed: int) -> None:
            self._agent = find("random")(game, seed)

        def act(self, position: Any) -> Any:
            time.sleep(0.02)
            return self._agent.act(position)

    maker: Maker = Slow
    with Gameboard.local() as board:
        runs = Evaluation(board, "dewspout", "slow", maker, 15, tmp_path).run(range(50), 2)
        next(runs)
        runs.close()  # type: ignore[attr-defined]
    finished = list(tmp_path.glob("dewspout/slow/*"))
    assert 1 <= len(finished) < 50
    assert all(transcripts.load(path).head["steps"] == 15 for path in finished)


def test_the_optimum_of_an_unknown_game_is_none(tmp_path: Path) -> None:
    assert Optima(tmp_path / "optimal.json", 10).of("chess", 1) is None


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda lines: lines, "proved, 270 points in 2 actions."),
        (lambda lines: [lines[0], {"action": {"type": "next"}, "ok": True}, *lines[1:]], "NOT PROVED: action 0"),
        (
            lambda lines: [*lines[:2], {**lines[2], "action": {"type": "pour", "from": 2, "to": 0}}],
            "NOT PROVED: action 1",
        ),
        (
            lambda lines: [*lines[:2], {**lines[2], "score": 271}],
            "NOT PROVED: 271 points are claimed, 270 were played.",
        ),
        (lambda lines: [{**lines[0], "seed": 8}, *lines[1:]], "proved, 270 points"),  # garden 1 is everybody's
        (lambda lines: [*lines, {"action": None, "ok": False, "reason": "…"}], "proved, 270 points in 2 actions."),
        (lambda lines: [lines[0], *({"action": line["action"]} for line in lines[1:])], "proved, 270 points"),
    ],
)
def test_a_transcript_is_proved_or_not(tmp_path: Path, capsys: Any, change: Any, told: str) -> None:
    with Gameboard.local() as board:
        run = board.start("dewspout", 7)
        run.act({"type": "fill", "vessel": 1})
        run.act({"type": "pour", "from": 1, "to": 2})
    path = tmp_path / "run.jsonl"
    transcripts.write(path, change(run.transcript()))
    assert command("verify", path) == int("NOT" in told)
    assert told in capsys.readouterr().out
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.jsonl"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no line names"),
        ("{}\n[]\n", "line 2"),
        ('{"game": "dewspout", "seed": true}', "no line names"),
        ("{", "line 1"),
    ],
)
def test_what_is_no_transcript_is_told(tmp_path: Path, capsys: Any, text: str, told: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(text)
    assert command("verify", path) == 1
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["eval", "--agent", "best"],
        ["eval", "--agent", "random", "--game", "chess", "--out", "OUT"],
        ["eval", "--agent", "random", "--seeds", "5-3"],
        ["eval", "--agent", "random", "--seeds", "x"],
        ["eval", "--agent", "random", "--concurrency", "0"],
        ["verify", "nowhere.jsonl"],
        ["play", "dewspout", "--seed", "-1"],
        ["verify", "--url", "http://127.0.0.1:9", "FILE"],
    ],
)
def test_a_mistake_is_told_without_a_trace(tmp_path: Path, capsys: Any, arguments: list[str], monkeypatch: Any) -> None:
    monkeypatch.setattr("gameboard.calls._FIRST_WAIT", 0)
    (tmp_path / "run.jsonl").write_text('{"game": "dewspout", "seed": 7}\n')
    names = {"OUT": str(tmp_path / "out"), "FILE": str(tmp_path / "run.jsonl")}
    assert command(*(names.get(word, word) for word in arguments)) > 0
    said = capsys.readouterr()
    assert said.out + said.err
    assert "Traceback" not in said.out + said.err


def test_a_transcript_is_replayed(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(
        '{"game":"dewspout","seed":7}\n{"action":{"type":"empty","vessel":0}}\n{"action":{"type":"fill","vessel":1}}\n'
    )
    assert command("replay", path, "--delay", "0") == 0
    shown = capsys.readouterr().out
    assert "1 of 2: empty 0. Refused: Vessel A" in shown
    assert "2 of 2: fill 1" in shown
    assert shown.endswith("dewspout, seed 7: 0 points.\n")


def test_a_game_is_played_in_a_terminal(tmp_path: Path) -> None:
    """In a real one: numbers, arrow keys, a refusal, one taken back, and a transcript at the end."""
    saved = tmp_path / "run.jsonl"
    arguments = [sys.executable, "-m", "gameboard", "play", "sumi-steps", "--seed", "7", "--save", str(saved)]
    pid, terminal = pty.fork()
    if pid == 0:  # pragma: no cover
        os.chdir(ROOT)
        os.environ["TERM"] = "xterm"
        os.execv(sys.executable, arguments)
    shown = ""

    def until(text: str) -> None:
        nonlocal shown
        deadline = time.monotonic() + 20
        while text not in shown:
            assert time.monotonic() < deadline, shown[-500:]
            if select.select([terminal], [], [], 0.2)[0]:
                shown += os.read(terminal, 65536).decode("utf-8", "replace")

    def press(keys: str, text: str) -> None:
        nonlocal shown
        shown = ""
        os.write(terminal, keys.encode())
        until(text)

    until("Arrow keys step")
    press("\x1b[A", "row 0")  # up, out of the garden
    press("\x1b[B", "Played: step down.")
    press("1\r", "Played: step up.")
    press("z", "One taken back.")
    press("99\r", "There is no action 99")
    press("q", "sumi-steps, seed 7: 0 points.")
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    os.close(terminal)
    assert transcripts.load(saved).actions == [{"type": "step", "direction": "down"}]


def test_the_module_is_the_command() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "gameboard", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in ("play", "eval", "verify", "replay"):
        assert name in ran.stdout
