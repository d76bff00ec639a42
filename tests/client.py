"""A client of an app in this process: requests in, responses out, nothing between."""

import asyncio
from typing import Any, Self

import httpx
from starlette.types import ASGIApp

from app.main import create_app
from app.settings import Settings
from engines.kit.game import AnyGame
from engines.registry import GAMES

SECRET = "a-secret-for-the-tests-of-40-characters-"


class Client:
    """Speaks to an ASGI app. Errors that the app lets through are answered as a server would answer them."""

    def __init__(self, app: ASGIApp, address: tuple[str, int] = ("192.0.2.7", 40_000)) -> None:
        self._loop = asyncio.Runner()
        transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=address)
        self._http = httpx.AsyncClient(transport=transport, base_url="http://testserver")

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        return self._loop.run(self._http.request(method, path, **options))

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.request("GET", path, **options)

    def post(self, path: str, **options: Any) -> httpx.Response:
        return self.request("POST", path, **options)

    def init(self, slug: str, seed: int = 7) -> dict[str, Any]:
        """A new run's answer."""
        answer: dict[str, Any] = self.get(f"/api/games/{slug}/init?seed={seed}").json()
        return answer

    def act(self, slug: str, answer: dict[str, Any], action: object) -> dict[str, Any]:
        """Play an action on an earlier answer, which is sent back whole, as a client may."""
        response = self.post(f"/api/games/{slug}/action", json={**answer, "action": action})
        assert response.status_code == 200, response.text
        played: dict[str, Any] = response.json()
        return played

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.run(self._http.aclose())
        self._loop.close()


def client_of(*games: AnyGame, peer: str = "192.0.2.7", **settings: Any) -> Client:
    """A client of a new app: with the registered games where none are named, and with these settings."""
    return Client(create_app(Settings(**{"secret": SECRET, **settings}), games or GAMES), (peer, 40_000))
