"""The pages behind nginx and under a prefix: the visitor sees to it that they ask for nothing outside of it."""

from pathlib import Path

from playwright.sync_api import expect

from engines.registry import GAMES
from tests.browser.conftest import Visitor
from tests.browser.hands import act, answer, ready, shows
from tests.nginx import proxying
from tests.server import Server


def test_the_games_are_shown_and_played_under_a_prefix(visitor: Visitor, site: Server, tmp_path: Path) -> None:
    with proxying(tmp_path / "nginx", site, PREFIX="/games-api") as proxy:
        page = visitor.open(f"{proxy.url}/", url=proxy.url)
        for game in GAMES:
            expect(page.locator(f"svg.{game.info.slug}")).to_be_visible()
        page.locator(".card a.primary[href*=dewspout]").click()
        ready(page)
        act(page, {"type": "fill", "vessel": 1}, "mouse")
        page.wait_for_url(f"{proxy.url}/play/dewspout?seed=7#run=*")
        page.reload()
        shows(page, 1)
        assert answer(page)["state"]["amounts"] == [0, 5, 0]
        page.goto(f"{proxy.url}/swagger")
        expect(page.locator(".opblock").first).to_be_visible()
