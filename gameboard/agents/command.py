"""An agent in any language: a program that reads a position a line, as JSON, and writes an action a line."""

import json
import shlex
import subprocess
from collections.abc import Callable

from gameboard.calls import Action
from gameboard.runs import Position


class Command:
    """One process for a run. It ends with its standard input; what it writes to standard error is shown."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def act(self, position: Position) -> Action:
        """The action that it writes; a line that is no JSON is an action that the game will refuse."""
        assert self._process.stdin
        assert self._process.stdout
        try:
            self._process.stdin.write(json.dumps(position.as_json()) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended, which the empty line below tells
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"The agent's program ended with {self._process.wait()} before the run did.")
        try:
            return json.loads(line)
        except ValueError:
            return line.rstrip("\n")

    def close(self) -> None:
        self._process.communicate(timeout=10)


def maker(command: str) -> Callable[[str, int], Command]:
    """An agent for each run. Raises `ValueError` where the command is none."""
    words = shlex.split(command)
    if not words:
        raise ValueError('cmd: wants a program, such as cmd:"python my_agent.py".')
    return lambda _game, _seed: Command(words)
