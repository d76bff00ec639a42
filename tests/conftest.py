"""Fixtures that all tests share."""

import os
from collections.abc import Iterator

import pytest

from engines.registry import GAMES
from tests.client import Client, client_of
from tests.toy import dial

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
