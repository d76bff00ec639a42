"""The games over the Model Context Protocol: at ``/mcp`` beside the rest, and on stdio by ``python -m app.mcp``.

The SDK is an optional extra, and slow to import: that is done when the first call comes.
"""

import argparse
import asyncio
import signal
from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import orjson
from fastapi import FastAPI, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from app import __version__, about, body
from app.answers import OPEN_TO_ALL
from app.line import Line
from app.seats import Seat, seats
from app.settings import from_environment, refuse_to_start
from app.tools import HOW_TO_PLAY, Toolbox
from engines.registry import GAMES

if TYPE_CHECKING:
    from mcp.server import Server

NAME = "gameboard"


def installed() -> bool:
    """Whether the SDK is there."""
    return find_spec("mcp") is not None


def install(app: FastAPI, seats: Mapping[str, Seat]) -> None:
    """Add the route."""
    door: list[Server[Any]] = []

    @app.post("/mcp", include_in_schema=False)
    async def mcp(request: Request) -> Response:
        """One message. Without sessions there is no stream to GET and nothing to DELETE, which are a 405."""
        sent = await body.read(request)
        body.parse(sent)
        if not door:
            door.append(await run_in_threadpool(server, seats))
        return _Exchange(door[0], sent)


def server(seats: Mapping[str, Seat]) -> "Server[Any]":
    """A server of these games, for any transport."""
    from mcp import types
    from mcp.server import Server, ServerRequestContext

    box = Toolbox(seats)
    # Every call is a function of its arguments, so a host need not ask before it makes one.
    hints = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
    tools = [
        types.Tool(
            name=tool.name,
            title=tool.title,
            description=tool.description,
            input_schema=tool.takes,
            output_schema=tool.gives,
            annotations=hints,
        )
        for tool in box.tools.values()
    ]

    async def listed(_: ServerRequestContext[Any], __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def called(_: ServerRequestContext[Any], params: types.CallToolRequestParams) -> types.CallToolResult:
        told = await box.call(params.name, params.arguments or {})
        return types.CallToolResult(
            content=[types.TextContent(text=told.text)],
            structured_content=orjson.loads(orjson.dumps(told.data)),
            is_error=told.failed,
        )

    return Server(
        NAME,
        title=about.SERVICE,
        version=__version__,
        instructions=HOW_TO_PLAY,
        on_list_tools=listed,
        on_call_tool=called,
    )


class _Exchange(Response):
    """One message, answered by the SDK."""

    def __init__(self, server: "Server[Any]", sent: bytes) -> None:
        self._server = server
        self._sent = sent

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        unread = True

        async def replayed() -> Message:
            nonlocal unread
            if unread:
                unread = False
                return {"type": "http.request", "body": self._sent, "more_body": False}
            return await receive()

        async def opened(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(raw=message["headers"]).update({"cache-control": "no-store", **OPEN_TO_ALL})
            await send(message)

        # The SDK's manager wants to live as long as the app. Without sessions it holds nothing but a task group, so
        # each message gets one of its own: no lifespan is needed, and any worker answers any message.
        # Its checks of Host and Origin stay off: they would lock out proxies and containers, and guard nothing here,
        # where any page may call everything anyway, there is no login, and no call changes anything.
        manager = StreamableHTTPSessionManager(self._server, json_response=True, stateless=True)
        async with manager.run():
            await manager.handle_request(scope, replayed, opened)


async def _serve(server: "Server[Any]") -> None:
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def main() -> None:
    """Serve one client on stdin and stdout. Warnings go to stderr."""
    argparse.ArgumentParser(
        prog="python -m app.mcp",
        description="Serve the games to one MCP client on stdin and stdout. Settings are environment variables, as for "
        "python -m app.",
    ).parse_args()
    from app import logs  # brings uvicorn along

    logs.configure()
    if not installed():
        refuse_to_start("MCP is an extra: pip install 'gameboard-server[mcp]'.")
    settings = from_environment()
    secrets = [secret.get_secret_value() for secret in settings.secret]
    # The thread that waits for stdin would hold up the usual end by Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    asyncio.run(_serve(server(seats(GAMES, secrets, Line(settings.line)))))


if __name__ == "__main__":
    main()
