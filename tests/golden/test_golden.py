"""Every registered game plays its golden transcripts again, to the byte. One that is missing fails."""

import pytest

from engines.kit.game import AnyGame
from engines.registry import GAMES
from tests.golden.transcript import EVERY, FOLDER, path, transcript


@pytest.mark.parametrize(("game", "seed"), EVERY, ids=[path(*each).stem for each in EVERY])
def test_a_transcript_is_played_again(game: AnyGame, seed: int) -> None:
    assert path(game, seed).is_file(), f"{path(game, seed)} is missing: make goldens writes it"
    assert transcript(game, seed) == path(game, seed).read_text(encoding="utf-8")


def test_no_transcript_is_left_over() -> None:
    assert {found.name for found in FOLDER.glob("*.txt")} == {path(game, seed).name for game, seed in EVERY}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.slug)
def test_the_transcripts_of_a_game_differ(game: AnyGame) -> None:
    texts = [transcript(game, seed).split("\n", 1)[1] for other, seed in EVERY if other is game]
    assert len(set(texts)) == len(texts)
