"""The documents: complete, consistent with the server, and linked without a dead end."""

import html
import io
import json
import re
import zipfile
from html.parser import HTMLParser
from urllib.parse import urljoin

import httpx
import pytest

from app.errors import CODES
from app.pages.source import zipped
from tests.client import Client, client_of
from tests.conformance.plays import ALL_GAMES
from tests.server import ROOT

PAGES = [
    "/",
    "/play/dewspout",
    "/play/sealed-dial",
    "/docs/api",
    "/docs/api/dewspout",
    "/docs/api/open-dial",
    "/docs/harness",
    "/swagger",
]


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
    blocks = re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", text, re.DOTALL)
    blocks = [re.sub(r"</?span[^>]*>", "", block) for block in blocks]  # the colours
    assert not any("<" in block for block in blocks), "what a game says is escaped"
    return [html.unescape(block) for block in blocks]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_well_formed_and_all_its_links_work(toys: Client, path: str) -> None:
    response = toys.get(path)
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in response.headers["content-security-policy"]
    links = Page(response.text).links
    assert links
    for link in links:
        assert not link.startswith(("http", "/")), "links are relative, so that a prefix does no harm"
        assert toys.get(urljoin(path, link)).status_code == 200, link


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


def test_the_docs_begin_at_the_overview(client: Client) -> None:
    response = client.get("/docs")
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


def test_a_game_is_drawn_by_its_board_and_by_words_where_it_has_none(toys: Client) -> None:
    """Nobody lists the boards: one that is there is taken."""
    home = toys.get("/").text
    for game in ALL_GAMES:
        slug = game.info.slug
        board = "play/plain.js" if slug.endswith("-dial") else f"boards/{slug}.js"
        page = toys.get(f"/play/{slug}").text
        assert f'data-slug="{slug}" data-game="../api/games/{slug}" data-board="../assets/{board}"' in page
        assert toys.get(f"/assets/{board}").headers["content-type"].startswith("text/javascript")
        assert (f'data-board="./assets/{board}"' in home) is not slug.endswith("-dial")
        assert toys.init(slug)["observation"] in html.unescape(home)


def test_a_page_for_an_unknown_game_is_the_apis_404(client: Client) -> None:
    response = client.get("/play/chess")
    assert response.status_code == 404
    assert response.json()["code"] == "unknown_game"


@pytest.mark.parametrize("path", ["/", "/play/dewspout", "/docs/api"])
def test_a_page_may_run_and_ask_nothing_but_its_own_server(client: Client, path: str) -> None:
    policy = dict(part.strip().split(" ", 1) for part in client.get(path).headers["content-security-policy"].split(";"))
    assert policy.pop("default-src") == "'none'"
    assert policy.pop("require-trusted-types-for") == "'script'"
    assert set(policy.values()) == {"'self'", "'none'"}
    assert policy["script-src"] == policy["connect-src"] == "'self'"


def test_assets_are_asked_after_and_name_no_other_host(client: Client) -> None:
    folder = ROOT / "app" / "pages" / "assets"
    for file in (path for path in folder.rglob("*") if path.is_file()):
        response = client.get(f"/assets/{file.relative_to(folder).as_posix()}")
        assert response.headers["cache-control"] == "no-cache"
        assert response.headers["x-content-type-options"] == "nosniff"
        again = client.get(str(response.url), headers={"if-none-match": response.headers["etag"]})
        assert again.status_code == 304
        assert set(re.findall(r"https?://[\w.-]+", response.text)) <= {"http://www.w3.org"}


def test_the_source_is_whole_and_the_same_each_time(client: Client) -> None:
    response = client.get("/source.zip")
    assert response.headers["content-type"] == "application/zip"
    archive = zipfile.ZipFile(io.BytesIO(response.content))
    here = {
        path.relative_to(ROOT).as_posix()
        for package in ("app", "engines")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix in {".py", ".md", ".html", ".txt", ".css", ".js", ".svg"}
    }
    assert set(archive.namelist()) == here
    assert archive.read("engines/registry.py") == (ROOT / "engines" / "registry.py").read_bytes()
    with client_of() as other:
        zipped.cache_clear()
        assert other.get("/source.zip").content == response.content
