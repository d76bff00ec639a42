"""The documents, rendered from the same texts and tables that the server plays by."""

import json
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import BashLexer, JsonLexer, PythonLexer

from app import about
from app.body import LIMIT
from app.errors import CODES
from app.seats import Seat

LOCAL = "http://127.0.0.1:8000"
"""The server of the examples as they are written; pages show their own address instead."""

EXAMPLE_SEED = 7
"""The seed of every example in the documents."""


SHELL = ("evaluate",)
"""Examples for a shell; the others are Python."""

LINE = 100
"""Characters of JSON that stand on one line before it is broken."""


class Docs:
    """Renders each document for a base address (scheme, host and prefix, without a slash at the end).

    Pages link to each other relatively, so that they work under any address; what a client copies is absolute.
    """

    def __init__(self, seats: Mapping[str, Seat]) -> None:
        self._templates = Environment(
            loader=PackageLoader("app.pages"),
            autoescape=lambda name: name is not None and name.endswith(".html"),
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            undefined=StrictUndefined,
        )
        markdown = MarkdownIt("commonmark")
        self._templates.filters["markdown"] = lambda text: Markup(markdown.render(text))
        self._templates.filters["code"] = lambda text: Markup(markdown.renderInline(text))
        self._templates.filters["compact"] = _compact
        self._templates.filters["pretty"] = lambda value: _coloured(_pretty(value), JsonLexer)
        self._templates.filters["kind"] = _kind
        self._seats = seats
        self._templates.globals.update(
            about=about,
            boards={slug: _board(slug) for slug in seats},
            codes=CODES,
            games=[seat.game for seat in seats.values()],
            limit=LIMIT,
            seed=EXAMPLE_SEED,
        )

    def home(self, base: str) -> str:
        return self._render("home.html", base=base, root=".", section="play", here=None, openings=self._openings)

    def play(self, seat: Seat) -> str:
        return self._render("play.html", root="..", section="play", here=seat.game.info.slug, game=seat.game)

    def overview(self, base: str) -> str:
        return self._render("overview.html", base=base, root="..", section="docs/api", here="docs")

    def harness(self, base: str) -> str:
        def example(name: str) -> Markup:
            text = (files("app.pages") / "templates" / "examples" / f"{name}.txt").read_text(encoding="utf-8")
            return _coloured(text.replace(LOCAL, base), BashLexer if name in SHELL else PythonLexer)

        return self._render("harness.html", base=base, root="..", section="docs/api", here="harness", example=example)

    def game(self, base: str, seat: Seat) -> str:
        game, exchange = seat.game, _exchange(seat)
        return self._render(
            "game.html", base=base, root="../..", section="docs/api", here=game.info.slug, game=game, exchange=exchange
        )

    def llms(self, base: str) -> str:
        return self._render("llms.txt", base=base)

    def swagger(self) -> str:
        return self._render("swagger.html")

    @cached_property
    def _openings(self) -> Mapping[str, object]:
        """What each game looks like at its start, in characters."""
        return {slug: seat.start(EXAMPLE_SEED)["observation"] for slug, seat in self._seats.items()}

    def _render(self, template: str, **values: object) -> str:
        return self._templates.get_template(template).render(**values)


def _board(slug: str) -> str | None:
    """The asset that draws a game's positions for people, where it has one."""
    asset = f"boards/{slug}.js"
    return asset if (files("app.pages") / "assets" / asset).is_file() else None


def _exchange(seat: Seat) -> Mapping[str, Any]:
    """A run's first answer, an action and its answer, a refusal, and all examples, played for the page."""
    started, carried = seat.start(EXAMPLE_SEED), seat.game.carried_as
    request = {carried: started[carried], "action": _first_step(seat, started)}
    return {
        "started": {**started, "spec": {"…": "the rules of this page as data"}},
        "request": request,
        "accepted": seat.play(request),
        "refused": seat.play({**request, "action": {"type": "?"}}),
        "examples": list(_examples(seat, started)),
    }


def _first_step(seat: Seat, started: Mapping[str, Any]) -> Any:
    """The first of the game's examples that is legal at the start, or the first legal action."""
    legal = started["legalActions"]
    return next((example for example in seat.game.grammar.examples() if example in legal), legal[0])


def _examples(seat: Seat, run: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Each of the game's examples, played one after the other, with its report or the reason of its refusal."""
    carried = seat.game.carried_as
    for action in seat.game.grammar.examples():
        answer = seat.play({carried: run[carried], "action": action})
        yield action, answer["report"] if answer["ok"] else answer["reason"]
        run = answer if answer["ok"] else run


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=64)
def _coloured(text: str, lexer: type[Lexer]) -> Markup:
    """Code with its words in spans. Most of it is the same on every page, and reading it is what a page costs most."""
    return Markup(highlight(text, lexer(), HtmlFormatter(nowrap=True)).rstrip("\n"))


def _pretty(value: object, indent: str = "") -> str:
    """JSON for reading: what fits on a line stays on it."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) <= LINE or not value or not isinstance(value, Mapping | list | tuple):
        return flat
    inner = indent + "  "
    if isinstance(value, Mapping):
        parts = [f"{json.dumps(key, ensure_ascii=False)}: {_pretty(part, inner)}" for key, part in value.items()]
        opened, closed = "{}"
    else:
        parts = [_pretty(part, inner) for part in value]
        opened, closed = "[]"
    return f"{opened}\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}{closed}"


def _kind(schema: Mapping[str, Any]) -> str:
    """What a JSON Schema allows, in a few words."""
    if "enum" in schema or "const" in schema:
        return ", ".join(map(_compact, schema.get("enum", [schema.get("const")])))
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}"
    if "properties" in schema:
        return f"{{{', '.join(schema['properties'])}}}"
    kinds = schema.get("type", "any value")
    return kinds if isinstance(kinds, str) else " or ".join(kinds)
