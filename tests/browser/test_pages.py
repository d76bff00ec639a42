"""What holds for every page: narrow and wide, light and dark, for the keyboard, without scripts, behind a prefix."""

import socket
import threading
from collections.abc import Iterator

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from app.main import create_app
from app.settings import Settings
from engines.registry import GAMES
from tests.browser.conftest import Visitor
from tests.browser.hands import act, answer, ready
from tests.client import SECRET
from tests.toy import dial

SLUGS = [game.info.slug for game in GAMES]
PAGES = ["/", "/docs/api/dewspout", "/docs/harness", *(f"/play/{slug}?seed=7" for slug in SLUGS)]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_accessible_in_both_themes_and_needs_no_sideways_scrolling(visitor: Visitor, path: str) -> None:
    page = visitor.open(path, color_scheme="light", viewport={"width": 1200, "height": 760})
    page.wait_for_load_state("networkidle")
    for folded in page.locator("details:visible > summary").all():
        folded.click()
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 360, "height": 760})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert violations(page, "color-contrast", "target-size", "scrollable-region-focusable") == []


def violations(page: Page, *rules: str) -> list[tuple[str, str]]:
    """What axe finds, by all of its rules or by some."""
    found = Axe().run(page, options={"runOnly": list(rules)} if rules else None).response
    assert found["passes"]
    return [(entry["id"], entry["nodes"][0]["html"]) for entry in found["violations"]]


def test_axe_would_find_something(visitor: Visitor) -> None:
    page = visitor.open("/docs/api/dewspout")
    page.evaluate("document.querySelector('html').lang = ''; document.querySelector('h1').style.color = '#ccc'")
    assert {rule for rule, _ in violations(page, "html-has-lang", "color-contrast")} == {
        "html-has-lang",
        "color-contrast",
    }


def test_the_home_page_shows_the_opening_of_each_game(visitor: Visitor) -> None:
    page = visitor.open("/")
    for slug in SLUGS:
        expect(page.locator(f"svg.{slug}")).to_be_visible()
        expect(page.locator(f'.card a[href="./play/{slug}?seed=7"]')).to_be_visible()
    page.locator(".card a.primary").first.click()
    ready(page)
    assert answer(page)["seed"] == 7


def test_without_scripts_the_openings_are_drawn_in_characters(visitor: Visitor) -> None:
    page = visitor.open("/", java_script_enabled=False)
    expect(page.locator(".figure pre")).to_have_count(len(GAMES))
    expect(page.locator(".figure pre").nth(1)).to_contain_text("Dewspout, garden 1: par 2")
    page.goto("/play/dewspout")
    expect(page.locator("noscript a")).to_have_attribute("href", "../docs/api/dewspout")


def test_a_page_is_walked_by_tab_and_shows_where_it_is(visitor: Visitor) -> None:
    page = visitor.open("/")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    expect(page.locator(".skip")).to_be_in_viewport()
    page.goto("/play/dewspout?seed=7")
    ready(page)
    expect(page.locator("#board")).to_be_focused()
    seen = set()
    for _ in range(45):
        page.keyboard.press("Tab")
        seen.add(
            page.evaluate(
                """() => {
                  const at = document.activeElement;
                  const hit = at.querySelector?.(":scope > .hit");
                  const style = getComputedStyle(hit ?? at);
                  const visible = hit ? style.strokeWidth === "3px" : style.outlineStyle === "solid";
                  if (at !== document.body && !visible) return "unseen focus";
                  return at.id || at.dataset.tap || at.dataset.place || "";
                }"""
            )
        )
    assert "unseen focus" not in seen
    assert {"board", "fill-0", "empty-2", "0", "2", "share", "save", "seed"} <= seen


@pytest.fixture
def toys() -> Iterator[str]:
    """The address of a server with two games that have no board."""
    app = create_app(Settings(secret=SECRET), (dial("sealed-dial", "stateToken"), dial("open-dial", "state")))  # type: ignore[arg-type]
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join()


@pytest.mark.parametrize("slug", ["sealed-dial", "open-dial"])
def test_a_game_without_a_board_is_played_by_buttons(visitor: Visitor, toys: str, slug: str) -> None:
    page = visitor.open(f"/play/{slug}?seed=7", url=toys)
    ready(page)
    start = answer(page)["state"]["mark"]
    expect(page.locator("#board pre")).to_have_text(f"The dial stands at {start} after 0 turns.")
    page.locator("#board").get_by_role("button", name="turn, way up").click()
    expect(page.locator("#told")).to_have_text(f"turn, way up; mark {start + 1}")
    page.locator("#board").get_by_role("button", name="turn, way down").press("Enter")
    expect(page.locator("#board pre")).to_have_text(f"The dial stands at {start} after 2 turns.")
    page.locator("#board").get_by_role("button", name="turn, way down").press("Enter")
    expect(page.locator("#board button")).to_have_count(0)
    page.goto(f"{toys}/")
    expect(page.locator(".figure pre").first).to_contain_text("The dial stands at")


def test_the_way_on_stands_out_and_is_a_key_away(visitor: Visitor) -> None:
    page = visitor.open("/play/dewspout?seed=7")
    ready(page)
    for action in ({"type": "fill", "vessel": 1}, {"type": "pour", "from": 1, "to": 2}):
        act(page, action, "keyboard")
    expect(page.locator("#commands .primary")).to_have_text("Next garden")
    page.keyboard.press("n")
    expect(page.locator("#told")).to_contain_text("Garden 2")
