"""Transcripts: runs as JSON lines, for people, for proofs, and for the page that shows them."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gameboard.calls import Action, Answer


class Unreadable(Exception):
    """A file that is no transcript. The message names the line."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A run that was played. `score` is what it claims; `entries` have an `action` each, refused ones included."""

    game: str
    seed: int
    entries: list[Answer]
    score: int | None = None
    head: Answer = field(default_factory=dict)

    @property
    def actions(self) -> list[Action]:
        """The actions that were played: those not marked as refused."""
        return [entry["action"] for entry in self.entries if entry.get("ok", True)]


def dumps(lines: Iterable[Answer]) -> str:
    return "".join(f"{json.dumps(line, ensure_ascii=False, separators=(',', ':'))}\n" for line in lines)


def write(path: Path, lines: Iterable[Answer]) -> None:
    """Write a transcript so that it is there whole or not at all."""
    unfinished = path.with_suffix(".part")
    unfinished.write_text(dumps(lines), encoding="utf-8")
    unfinished.replace(path)


def load(path: Path) -> Transcript:
    """Read a transcript. Raises `Unreadable`."""
    head: Answer = {}
    entries: list[Answer] = []
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), start=1):
        if not line.strip():
            continue
        entry = _object(line, f"{path}, line {number}")
        if "action" in entry:
            entries.append(entry)
        else:
            head |= {key: value for key, value in entry.items() if key not in head}
    game, seed = head.get("game"), head.get("seed")
    if not isinstance(game, str) or not isinstance(seed, int) or isinstance(seed, bool):
        raise Unreadable(f'{path}: no line names the "game" and the "seed".')
    scores = [entry["score"] for entry in entries if isinstance(entry.get("score"), int)]
    return Transcript(game, seed, entries, scores[-1] if scores else head.get("score"), head)


def _object(line: str, where: str) -> Answer:
    try:
        entry: Any = json.loads(line)
    except ValueError:
        entry = None
    if not isinstance(entry, dict):
        raise Unreadable(f"{where}: no JSON object.")
    return entry
