"""The server's app in this process, spoken to as if it were far away."""

import asyncio
import secrets
import threading

import httpx
from pydantic import SecretStr
from starlette.types import ASGIApp

from app.main import create_app
from app.settings import Settings


def app() -> ASGIApp:
    """An app with a secret of its own: its tokens are good as long as it lives."""
    return create_app(Settings(secret=(SecretStr(secrets.token_urlsafe(32)),)))


class LocalTransport(httpx.BaseTransport):
    """Brings requests to an app whose loop runs in a thread, so that callers may wait and threads may share it."""

    def __init__(self, app: ASGIApp) -> None:
        self._inner = httpx.ASGITransport(app)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="gameboard", daemon=True)
        self._thread.start()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return asyncio.run_coroutine_threadsafe(self._answer(request), self._loop).result()

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        response = await self._inner.handle_async_request(request)
        return httpx.Response(response.status_code, headers=response.headers, content=await response.aread())

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
