"""``python -m tests.golden``: write every golden file anew."""

from tests.golden.transcript import EVERY, FOLDER

for name, (write, game, seed) in EVERY.items():
    (FOLDER / name).write_text(write(game, seed), encoding="utf-8")
