"""Each game is played to what it is about: a settled pond, a cleared garden, a completed garden."""

import httpx
import pytest
from playwright.sync_api import expect

from engines.registry import GAMES
from gameboard.agents.sumi_steps import solve
from tests.browser.conftest import Visitor
from tests.browser.hands import How, act, answer, count, drag, ready
from tests.games import PLAYERS

WAYS: tuple[How, ...] = ("mouse", "keyboard", "touch")
NEXT = {"baskmere": {"type": "NEXT_POND"}, "dewspout": {"type": "next"}}
TOLD = {"baskmere": "Settled, Perfect: ", "dewspout": "Cleared: ", "sumi-steps": "Garden 1 is complete: "}


@pytest.mark.parametrize(("slug", "how"), [(game.info.slug, how) for game in GAMES for how in WAYS])
def test_a_game_is_played_by_hand(visitor: Visitor, slug: str, how: How) -> None:
    """What the page shows is what the API answers to the same actions."""
    page = visitor.open(f"/play/{slug}?seed=7", has_touch=how == "touch", viewport={"width": 400, "height": 900})
    ready(page)
    told = page.locator("#told")
    server = httpx.get(page.url.split("/play/")[0] + f"/api/games/{slug}/init?seed=7").json()
    assert answer(page) == server
    while server["score"] == 0 or (slug == "sumi-steps" and not server["state"]["completed"]):
        action = PLAYERS[slug](server["state"])
        assert action in server["legalActions"]
        act(page, action, how)
        carried = "state" if slug == "sumi-steps" else "stateToken"
        address = page.url.split("/play/")[0] + f"/api/games/{slug}/action"
        server = httpx.post(address, json={carried: server[carried], "action": action}).json()
        assert answer(page) == server
    expect(told).to_contain_text(TOLD[slug])
    if slug in NEXT:
        act(page, NEXT[slug], how)
        assert answer(page)["state"]["phase"] in ("pond", "playing")


def test_a_whole_garden_is_drawn_in_one_drag(visitor: Visitor) -> None:
    page = visitor.open("/play/sumi-steps?seed=7")
    ready(page)
    state = answer(page)["state"]
    plots = [(state["stroke"][0]["row"], state["stroke"][0]["col"])]
    for direction in solve(state):
        down, right = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}[direction]
        plots.append((plots[-1][0] + down, plots[-1][1] + right))
    drag(page, plots)
    expect(page.locator("#told")).to_contain_text("Garden 1 is complete: ")
    assert count(page) == len(plots) - 1
    assert answer(page)["state"]["garden"] == 2
    expect(page.locator(".sumi-steps .plot")).to_have_count(20)  # 4 × 5: garden 2 follows the finished one
