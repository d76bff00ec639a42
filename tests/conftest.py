"""Fixtures that all tests share."""

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import coverage
import pytest

from engines.registry import GAMES
from tests.client import Client, client_of
from tests.toy import dial

COVERED = ("conformance", "games", "kit")
"""The folders whose tests must cover the engines."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Trace what must cover the engines and nothing else: tracing makes a long search several times longer."""
    folder = item.path.relative_to(Path(__file__).parent).parts[0]
    stopped = []
    if folder not in COVERED or item.get_closest_marker("untraced"):
        while tracing := coverage.Coverage.current():  # a worker process may have more than one
            tracing.stop()
            stopped.append(tracing)
    try:
        return (yield)
    finally:
        for tracing in reversed(stopped):
            tracing.start()


for name in [name for name in os.environ if name.startswith("GAMEBOARD_")]:
    del os.environ[name]


@pytest.fixture(scope="session")
def client() -> Iterator[Client]:
    """The app as it is deployed: every registered game."""
    with client_of() as open_client:
        yield open_client


@pytest.fixture(scope="session")
def toys() -> Iterator[Client]:
    """The app with two toys beside the registered games: one carried by token and one in the open."""
    games = (*GAMES, dial("sealed-dial", "stateToken"), dial("open-dial", "state"))
    with client_of(*games) as open_client:
        yield open_client
