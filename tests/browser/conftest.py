"""A real browser on a real server; no page may write to the console, fail, or ask another host."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.nginx import ADDRESS
from tests.server import Server, serving

NAMES = ("chromium-headless-shell", "chromium")
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)

_QUIET = ("--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
          "--disable-sync", "--disable-gpu")  # fmt: skip
"""Chromium's own errands are not the page's, and lead nowhere on a machine without a network."""


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        missing = (
            "No Chromium is here: install Debian's package chromium-headless-shell, or set CHROMIUM to where one is."
        )
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(f"THE PAGES ARE NOT TESTED. {missing}")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=list(_QUIET))
        yield launched
        launched.close()


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("site") / "log", GAMEBOARD_TRUSTED_PROXIES=ADDRESS) as server:
        yield server


class Visitor:
    """Opens pages in contexts of its own, and keeps what they should not have done."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.wrong: list[str] = []
        self._browser = browser
        self._url = url
        self._contexts: list[BrowserContext] = []

    def open(self, path: str, url: str | None = None, **options: Any) -> Page:
        """A page, with the options of a Playwright context; at another server where `url` names one."""
        base = url or self._url
        context = self._browser.new_context(**{"base_url": base, "reduced_motion": "reduce", **options})
        context.set_default_timeout(10_000)
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: self.wrong.append(f"console: {said.text}"))
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("request", lambda asked: self._ask(asked.url, base))
        page.goto(path)
        return page

    def _ask(self, asked: str, base: str) -> None:
        if not asked.startswith((f"{base}/", f"blob:{base}/")):
            self.wrong.append(f"asked {asked}")

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture
def visitor(browser: Browser, site: Server) -> Iterator[Visitor]:
    visiting = Visitor(browser, site.url)
    yield visiting
    visiting.close()
    assert visiting.wrong == []


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """Where a transcript can be written."""
    return tmp_path / "transcript.jsonl"
