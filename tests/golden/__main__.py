"""``python -m tests.golden``: write every golden transcript anew."""

from tests.golden.transcript import EVERY, path, transcript

for game, seed in EVERY:
    path(game, seed).write_text(transcript(game, seed), encoding="utf-8")
