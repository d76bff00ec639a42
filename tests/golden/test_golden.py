"""Every registered game plays its golden files again, to the byte. One that is missing fails."""

import pytest

from engines.kit.game import AnyGame
from engines.registry import GAMES
from tests.golden.transcript import EVERY, FOLDER, transcript


@pytest.mark.parametrize("name", EVERY)
def test_a_golden_file_is_played_again(name: str) -> None:
    write, game, seed = EVERY[name]
    assert (FOLDER / name).is_file(), f"{name} is missing: make goldens writes it"
    assert write(game, seed) == (FOLDER / name).read_text(encoding="utf-8")


def test_no_golden_file_is_left_over() -> None:
    assert {found.name for found in FOLDER.glob("*.txt")} == set(EVERY)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.slug)
def test_the_transcripts_of_a_game_differ(game: AnyGame) -> None:
    texts = [
        transcript(game, seed).split("\n", 1)[1]
        for write, other, seed in EVERY.values()
        if write is transcript and other is game
    ]
    assert len(set(texts)) == len(texts) == 3
