"""A game in the terminal: played by keys, or replayed from a transcript."""

import json
import time

from rich.console import Console
from rich.text import Text

from gameboard.calls import Action
from gameboard.client import Gameboard, Run
from gameboard.runs import IllegalAction
from gameboard.transcripts import Transcript

HELP = "Arrow keys step; a number and Enter play an action of the list; z takes one back, q leaves."


def short(action: Action) -> str:
    """An action in few characters."""
    if not isinstance(action, dict):
        return json.dumps(action)
    return " ".join(str(value) for value in action.values())


def show(console: Console, run: Run, note: str = "") -> None:
    console.clear()
    console.print(Text(run.observation))
    console.print()
    actions = Text()
    for number, action in enumerate(run.legal_actions, start=1):
        actions.append(f"{number}", style="bold").append(f" {short(action)}   ")
    console.print(actions if run.legal_actions else Text("The run is over.", style="bold"))
    if note:
        console.print(Text(note, style="yellow"))


def play(console: Console, board: Gameboard, game: str, seed: int | None) -> Run:
    """Play until the run is over or given up. The run as it was left."""
    from gameboard.keys import ARROWS, keys  # only where there is a terminal

    run, before, typed, note = board.start(game, seed), list[Run](), "", HELP
    with keys() as pressed:
        show(console, run, note)
        for key in pressed:
            action: Action = None
            if key == "q":
                break
            if key == "z" and before:
                run, typed, note = before.pop(), "", "One taken back."
            elif key.isdigit():
                typed += key
            elif key == "backspace":
                typed = typed[:-1]
            elif key == "enter" and typed:
                action, note = _chosen(run, typed)
                typed = ""
            elif key in ARROWS.values():
                action = {"type": "step", "direction": key}
            if action is not None:
                earlier = run.fork()
                note = _played(run, action)
                if run.refusal is None:
                    before.append(earlier)
            show(console, run, f"{note}  {typed}" if typed else note)
            if run.game_over:
                break
    return run


def _chosen(run: Run, typed: str) -> tuple[Action, str]:
    """The action with a number in the list, or None and why there is none."""
    if 1 <= int(typed) <= len(run.legal_actions):
        return run.legal_actions[int(typed) - 1], ""
    return None, f"There is no action {typed}; there are {len(run.legal_actions)}."


def _played(run: Run, action: Action) -> str:
    """Play an action. What came of it."""
    try:
        run.act(action)
    except IllegalAction as illegal:
        return illegal.reason
    return f"Played: {short(action)}."


def replay(console: Console, board: Gameboard, transcript: Transcript, delay: float) -> Run:
    """Show a transcript position by position, refused actions with their reasons."""
    run = board.start(transcript.game, transcript.seed)
    show(console, run)
    for number, entry in enumerate(transcript.entries, start=1):
        time.sleep(delay)
        note = f"{number} of {len(transcript.entries)}: {short(entry['action'])}"
        try:
            run.act(entry["action"])
        except IllegalAction as illegal:
            note = f"{note}. Refused: {illegal.reason}"
        show(console, run, note)
    return run
