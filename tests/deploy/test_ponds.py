"""Many ponds over HTTP, all Perfect, with other runs' positions asked of a second server in between."""

from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from tests.client import SECRET
from tests.games.baskmere import player
from tests.server import serving

ACTION = "/api/games/baskmere/action"


@pytest.mark.parametrize("ponds", [30, pytest.param(80, marks=pytest.mark.sweep)])
def test_a_player_of_shortest_ways_settles_every_pond_perfect(ponds: int, tmp_path: Path) -> None:
    """The second server shares the secret and nothing else: for an old token and action it gives the same bytes."""
    choose, asked = Random(7), []
    with (
        serving(tmp_path / "first", secret=SECRET) as first,
        serving(tmp_path / "second", secret=SECRET) as second,
        httpx.Client(base_url=first.url) as client,
        httpx.Client(base_url=second.url) as other,
    ):
        answer: dict[str, Any] = client.get("/api/games/baskmere/init?seed=7").json()
        while answer["state"]["phase"] != "drift" or answer["state"]["pond"]["number"] < ponds:
            body = {"stateToken": answer["stateToken"], "action": player.play(answer["state"])}
            response = client.post(ACTION, json=body)
            answer = response.json()
            assert answer["ok"] is True, answer
            if answer["report"]["settled"]:
                assert answer["report"]["grade"] == "Perfect"
            asked.append((body, response.content))
            if choose.random() < 0.1:
                before, told = choose.choice(asked)
                assert other.post(ACTION, json=before).content == told
        assert answer["state"]["streak"] == ponds
        assert len(answer["stateToken"]) < 2048
        assert client.get("/healthz").json()["ok"] is True
