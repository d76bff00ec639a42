"""The documents: complete, consistent with the server, and linked without a dead end."""

import html
import json
import re
from html.parser import HTMLParser
from urllib.parse import urljoin

import httpx
import pytest

from app.errors import CODES
from tests.client import Client
from tests.conformance.plays import ALL_GAMES

PAGES = ["/docs/api", "/docs/api/dewspout", "/swagger"]


class Page(HTMLParser):
    """Collects links and checks that elements are closed in order."""

    VOID = frozenset({"meta", "link", "br", "hr", "img", "input"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value for name, value in attrs if name in ("href", "src") and value]
        assert not any(name.startswith("on") or name == "style" for name, _ in attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def code_blocks(text: str) -> list[str]:
    blocks = re.findall(r"<pre><code>(.*?)</code></pre>", text, re.DOTALL)
    assert not any("<" in block for block in blocks), "what a game says is escaped"
    return [html.unescape(block) for block in blocks]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_well_formed_and_all_its_links_work(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in response.headers["content-security-policy"]
    links = Page(response.text).links
    assert links
    for link in links:
        assert not link.startswith(("http", "/")), "links are relative, so that a prefix does no harm"
        assert client.get(urljoin(path, link)).status_code == 200, link


def test_the_overview_names_every_route_and_code(toys: Client) -> None:
    text = html.unescape(toys.get("/docs/api").text)
    for word in (
        "/api/games",
        "/init?seed=7",
        "/action",
        "/healthz",
        "HEAD",
        "stateToken",
        "legalActions",
        "observation",
    ):
        assert word in text
    for code, (status, _) in CODES.items():
        assert f"<code>{code}</code></td><td>{status}</td>" in text
    for game in ALL_GAMES:
        assert game.info.name in text


@pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.info.slug)
def test_a_games_page_has_its_rules_actions_and_keys(toys: Client, game: object) -> None:
    assert isinstance(game, type(ALL_GAMES[0]))
    text = html.unescape(toys.get(f"/docs/api/{game.info.slug}").text)
    for form in game.grammar.forms:
        assert json.dumps(game.grammar.write(form.example), separators=(",", ":")) in text
        assert form.about in text
    for schema in (game.state_schema, game.report_schema):
        for key in schema["properties"]:  # type: ignore[union-attr]
            assert f"<code>{key}</code>" in text


@pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.info.slug)
def test_the_exchange_on_the_page_is_what_the_server_answers(toys: Client, game: object) -> None:
    assert isinstance(game, type(ALL_GAMES[0]))
    slug = game.info.slug
    blocks = code_blocks(toys.get(f"/docs/api/{slug}").text)
    start = next(place for place, block in enumerate(blocks) if "/init?seed=7" in block)
    started, observation, curl, accepted, refused = blocks[start + 1 : start + 6]
    answer = toys.init(slug)
    assert json.loads(started) == {**answer, "spec": json.loads(started)["spec"]}
    assert observation == answer["observation"]
    sent = re.search(r"-d '(.*)'$", curl)
    assert sent
    request = json.loads(sent[1])
    assert json.loads(accepted) == toys.act(slug, request, request["action"])
    assert json.loads(refused) == toys.act(slug, request, {"type": "?"})


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_the_entrances_lead_to_the_overview(client: Client, path: str) -> None:
    response = client.get(path)
    assert (response.status_code, response.headers["location"]) == (307, "http://testserver/docs/api")


def test_rules_are_rendered_from_markdown(client: Client) -> None:
    text = client.get("/docs/api/dewspout").text
    assert "<strong>Vessels.</strong>" in text
    assert "**" not in text.split("A real exchange")[0]


def test_a_foreign_host_cannot_write_into_a_page(client: Client) -> None:
    text = client.get("/docs/api", headers={"host": '"><script>alert(1)</script>'}).text
    assert "alert" not in text


def test_llms_txt_has_its_form_and_its_links_work(toys: Client) -> None:
    response = toys.get("/llms.txt")
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    lines = response.text.splitlines()
    assert lines[0].startswith("# ")
    assert lines[2].startswith("> ")
    assert response.text.endswith("\n")
    links = re.findall(r"^- \[[^\]]+\]\(([^)]+)\): \S", response.text, re.MULTILINE)
    assert len(links) >= 2 * len(ALL_GAMES) + 3
    for link in links:
        assert toys.get(link).status_code == 200, link
    for start in re.findall(r"GET (http\S+init\?seed=7)\.", response.text):
        assert toys.get(start).json()["ok"] is True


def test_an_agent_that_reads_llms_txt_only_can_play(toys: Client) -> None:
    """Follows the text by its letter: the addresses, the key that carries the run, one action."""
    for line in toys.get("/llms.txt").text.splitlines():
        told = re.search(r"Start: GET (\S+)\. Play: POST (\S+) with \{\"(\w+)\": …, \"action\": (\{.*\})\}\.$", line)
        if told:
            started = toys.get(told[1]).json()
            body = {told[3]: started[told[3]], "action": json.loads(told[4])}
            assert toys.post(told[2], json=body).json()["ok"] is True


def test_the_swagger_page_asks_no_other_host(client: Client) -> None:
    page: httpx.Response = client.get("/swagger")
    assert "http" not in page.text.replace("http-equiv", "")
    script = client.get("/assets/swagger/swagger-ui-bundle.js")
    assert script.status_code == 200
    assert len(script.content) > 500_000
