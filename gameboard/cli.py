"""The command ``gameboard``: play, evaluate agents, verify and replay transcripts."""

import argparse
import csv
import json
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, fields
from pathlib import Path

import httpx
from rich.box import SIMPLE
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from gameboard import agents, evaluate, terminal, transcripts
from gameboard.calls import LARGEST_SEED, RequestFailed
from gameboard.client import Gameboard
from gameboard.evaluate import Evaluation, Result, Summary


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command. It exits with 0 where all went well, with 1 where something is disproved or failed."""
    parsed = _parser().parse_args(arguments)
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=120)  # for files and pipes, so that nothing is cut
    try:
        sys.exit(parsed.command(console, parsed))
    except KeyboardInterrupt:
        sys.exit("\nInterrupted. What was finished is kept; the same command goes on from there.")
    except (httpx.TransportError, RequestFailed, transcripts.Unreadable, OSError, ValueError) as error:
        sys.exit(f"gameboard: {error}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="gameboard", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")

    def command(name: str, function: object, about: str) -> argparse.ArgumentParser:
        found = commands.add_parser(name, help=about, description=about)
        found.set_defaults(command=function)
        found.add_argument("--url", help="a server, such as http://127.0.0.1:8000 (default: the games in this process)")
        return found

    play = command("play", _play, "Play a game in the terminal.")
    play.add_argument("game")
    play.add_argument("--seed", type=_seed)
    play.add_argument("--save", type=Path, metavar="FILE", help="write a transcript at the end")

    assess = command("eval", _eval, "Evaluate an agent over many seeds. What is finished is not played again.")
    assess.add_argument("--game", action="append", metavar="GAME", help="may be repeated (default: all games)")
    assess.add_argument("--agent", action="append", required=True, metavar="AGENT",
                        help='random, greedy, optimal, module:Class or cmd:"program"; may be repeated')  # fmt: skip
    assess.add_argument("--seeds", type=_seeds, default=range(10), help="such as 0-99 or 3,5,8 (default: 0-9)")
    assess.add_argument("--concurrency", type=_positive, default=16, help="runs at a time (default: %(default)s)")
    assess.add_argument("--max-steps", type=_positive, default=200, help="actions a run (default: %(default)s)")
    assess.add_argument("--out", type=Path, default=Path("gameboard-runs"), metavar="FOLDER",
                        help="transcripts and figures (default: %(default)s)")  # fmt: skip
    assess.add_argument("--plot", type=Path, metavar="FILE", help="draw the scores, as png, svg or pdf")

    verify = command("verify", _verify, "Play transcripts again and compare what they claim.")
    verify.add_argument("transcripts", nargs="+", type=Path, metavar="FILE")

    replay = command("replay", _replay, "Watch a transcript in the terminal.")
    replay.add_argument("transcript", type=Path, metavar="FILE")
    replay.add_argument("--delay", type=float, default=0.5, help="seconds between positions (default: %(default)s)")
    return parser


def _seed(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > LARGEST_SEED:
        raise argparse.ArgumentTypeError(f"a seed is a whole number from 0 to {LARGEST_SEED}")
    return int(text)


def _seeds(text: str) -> Sequence[int]:
    seeds: list[int] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        seeds += range(_seed(first), _seed(last) + 1) if dash else [_seed(first)]
    if not seeds:
        raise argparse.ArgumentTypeError(f"{text} is no seed; a range goes from the lower to the higher")
    return seeds


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError("a whole number from 1 on")
    return int(text)


def _board(url: str | None) -> AbstractContextManager[Gameboard]:
    return Gameboard(url) if url else Gameboard.local()


def _play(console: Console, parsed: argparse.Namespace) -> int:
    with _board(parsed.url) as board:
        run = terminal.play(console, board, parsed.game, parsed.seed)
    if parsed.save:
        transcripts.write(parsed.save, run.transcript())
    console.print(f"{run.game}, seed {run.seed}: {run.score} points.")
    return 0


def _replay(console: Console, parsed: argparse.Namespace) -> int:
    transcript = transcripts.load(parsed.transcript)
    with _board(parsed.url) as board:
        run = terminal.replay(console, board, transcript, parsed.delay)
    console.print(f"{run.game}, seed {run.seed}: {run.score} points.")
    return 0


def _verify(console: Console, parsed: argparse.Namespace) -> int:
    wrong = 0
    with _board(parsed.url) as board:
        for path in parsed.transcripts:
            transcript = transcripts.load(path)
            verdict = board.verify(transcript.game, transcript.seed, transcript.actions)
            what = f"{path}: {transcript.game}, seed {transcript.seed}"
            if not verdict.ok:
                told = f"action {verdict.index} was refused. {verdict.reason}"
            elif transcript.score not in (None, verdict.score):
                told = f"{transcript.score} points are claimed, {verdict.score} were played."
            else:
                told = f"proved, {verdict.score} points in {verdict.action_count} actions."
                console.print(f"{what}: {told}", markup=False, soft_wrap=True)
                continue
            wrong += 1
            console.print(f"{what}: NOT PROVED: {told}", markup=False, soft_wrap=True)
    return int(wrong > 0)


def _eval(console: Console, parsed: argparse.Namespace) -> int:
    makers = {name: agents.find(name) for name in parsed.agent}
    results: list[Result] = []
    failures: list[str] = []
    with _board(parsed.url) as board, Progress(console=console, transient=True) as progress:
        games = parsed.game or [game["slug"] for game in board.games()]
        for game in games:
            for name, maker in makers.items():
                task = progress.add_task(f"{game}, {name}", total=len(parsed.seeds))
                evaluation = Evaluation(board, game, name, maker, parsed.max_steps, parsed.out)
                for seed, result in evaluation.run(parsed.seeds, parsed.concurrency):
                    if isinstance(result, Result):
                        results.append(result)
                    else:
                        failures.append(f"{game}, {name}, seed {seed}: {type(result).__name__}: {result}")
                    progress.advance(task)
    results.sort(key=lambda result: (result.game, result.agent, result.seed))
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        groups.setdefault((result.game, result.agent), []).append(result)
    summaries = [evaluate.summarise(group) for group in groups.values()]
    _write(parsed.out, results, summaries)
    if parsed.plot and results:
        from gameboard import plots

        plots.scores(results, parsed.plot)
    console.print(_table(summaries))
    for failure in failures:
        console.print(failure, style="red", markup=False)
    return int(bool(failures))


def _write(folder: Path, results: list[Result], summaries: list[Summary]) -> None:
    (folder / "results.json").write_text(json.dumps(evaluate.as_json(results, summaries), indent=1), encoding="utf-8")
    with (folder / "results.csv").open("w", newline="", encoding="utf-8") as file:
        rows = csv.DictWriter(file, [field.name for field in fields(Result)])
        rows.writeheader()
        rows.writerows(map(asdict, results))


def _table(summaries: list[Summary]) -> Table:
    table = Table(box=SIMPLE, padding=(0, 1))
    for name in ("game", "agent"):
        table.add_column(name)
    for name in ("runs", "mean", "median", "min", "max", "share", "illegal", "steps", "seconds"):
        table.add_column(name, justify="right")
    for each in summaries:
        table.add_row(
            each.game,
            each.agent,
            str(each.runs),
            f"{each.mean:.1f}",
            f"{each.median:.1f}",
            str(each.least),
            str(each.most),
            "–" if each.share is None else f"{each.share:.1%}",
            str(each.illegal),
            str(each.steps),
            f"{each.seconds:.1f}",
        )
    return table
