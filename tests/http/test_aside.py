"""What may take long is done aside: others are answered meanwhile."""

import asyncio
from threading import Event, current_thread, main_thread
from typing import Any

import httpx
import pytest

from app import body
from app.main import create_app
from app.settings import Settings
from tests.client import SECRET, client_of
from tests.slow import slow_dial

SECRET_ONLY: dict[str, Any] = {"secret": SECRET}


@pytest.mark.parametrize("route", ["init", "action"])
def test_the_health_check_answers_during_a_search(route: str) -> None:
    """A search that ends only after the health check was answered: without a thread this could not be."""
    go_on = Event()

    async def both() -> tuple[httpx.Response, httpx.Response]:
        transport = httpx.ASGITransport(create_app(Settings(**SECRET_ONLY), [slow_dial(go_on)]))
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
            if route == "init":
                request = client.get("/api/games/slow/init?seed=7")
            else:
                body = {"state": {"mark": 1, "turns": 0}, "action": {"type": "turn", "way": "up"}}
                request = client.post("/api/games/slow/action", json=body)
            slow = asyncio.create_task(request)
            await asyncio.sleep(0.05)
            health = await client.get("/healthz")
            assert not slow.done()
            go_on.set()
            return health, await slow

    health, slow = asyncio.run(both())
    assert health.json()["ok"] is True
    assert slow.json()["ok"] is True


@pytest.mark.parametrize("path", ["/api/games/dewspout/verify", "/api/batch"])
def test_a_large_body_waits_as_bytes(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """It becomes many times as large when it is read, so that is done by the thread that works on it, and no sooner."""
    readers = []

    def parse(sent: bytes) -> Any:
        readers.append(current_thread())
        return {"seed": 7, "actions": [], "items": [{"game": "dewspout"}]}

    monkeypatch.setattr(body, "parse", parse)
    with client_of() as client:
        assert client.post(path, content=b"{}").json()["ok"] is True
    assert readers
    assert main_thread() not in readers
