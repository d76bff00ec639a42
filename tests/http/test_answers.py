"""How an answer goes over the connection: in one piece where it can, and never later than it is sent."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.__main__ import SERVED_BY
from app.connection import Connection

HEAD: Message = {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]}
BODY: Message = {"type": "http.response.body", "body": b"water"}

Client = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Counted(Connection):
    """Notes each piece that is written."""

    pieces: list[bytes]

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        pieces = self.pieces

        class Noting:
            def write(self, data: bytes) -> None:
                pieces.append(data)
                transport.write(data)

            def __getattr__(self, name: str) -> Any:
                return getattr(transport, name)

        self.transport = Noting()  # type: ignore[assignment]


def talk(app: ASGIApp, client: Client) -> list[bytes]:
    """Serve the app to one client, and return the pieces in which the server wrote."""
    pieces: list[bytes] = []

    async def both() -> None:
        config = uvicorn.Config(
            app, **{**SERVED_BY, "http": type("Noting", (Counted,), {"pieces": pieces}), "log_config": None}
        )
        config.load()
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            listening.listen()
            server = uvicorn.Server(config)
            server.lifespan = config.lifespan_class(config)
            await server.startup(sockets=[listening])
            reader, writer = await asyncio.open_connection(*listening.getsockname())
            try:
                async with asyncio.timeout(10):
                    await client(reader, writer)
            finally:
                writer.close()
                with suppress(ConnectionError):
                    await writer.wait_closed()
            server.should_exit = True
            await server.shutdown(sockets=[listening])

    asyncio.run(both())
    return pieces


async def at_once(scope: Scope, receive: Receive, send: Send) -> None:
    await send(HEAD)
    await send(BODY)


@pytest.mark.parametrize(("method", "body"), [(b"GET", b"water"), (b"HEAD", b"")])
def test_head_and_body_leave_in_one_piece(method: bytes, body: bytes) -> None:
    async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(3):
            writer.write(method + b" / HTTP/1.1\r\nhost: x\r\n\r\n")
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 OK\r\n")
            assert await reader.readexactly(len(body)) == body

    pieces = talk(at_once, client)
    assert len(pieces) == 3
    assert all(piece.endswith(b"\r\n\r\n" + body) for piece in pieces)


@pytest.mark.parametrize(("method", "body"), [(b"GET", b"water"), (b"HEAD", b"")])
def test_who_says_no_more_is_answered(method: bytes, body: bytes) -> None:
    async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(method + b" / HTTP/1.1\r\nhost: x\r\n\r\n")
        writer.write_eof()
        head, _, rest = (await reader.read()).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 OK\r\n")
        assert rest == body

    for _ in range(5):
        assert len(talk(at_once, client)) == 1


@pytest.mark.parametrize(("method", "body"), [(b"GET", b"water"), (b"HEAD", b"")])
def test_an_answer_comes_before_the_complaint_about_what_follows(method: bytes, body: bytes) -> None:
    complaints = 0
    for tenths in range(6):

        async def client(
            reader: asyncio.StreamReader, writer: asyncio.StreamWriter, wait: float = tenths / 1e4
        ) -> None:
            nonlocal complaints
            writer.write(method + b" / HTTP/1.1\r\nhost: x\r\n\r\n")
            await asyncio.sleep(wait)
            writer.write(b"?\r\n\r\n")
            head, _, rest = (await reader.read()).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200 OK\r\n")
            assert rest.startswith(body)
            complaint = rest.removeprefix(body)
            assert complaint.startswith(b"HTTP/1.1 400 ") or not complaint
            complaints += bool(complaint)

        talk(at_once, client)
    assert complaints


def test_the_last_answer_is_whole_before_the_connection_closes() -> None:
    async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HEAD / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        assert (await reader.read()).endswith(b"connection: close\r\n\r\n")

    assert len(talk(at_once, client)) == 1


def test_a_body_that_is_not_ready_holds_no_head_back() -> None:
    go_on = asyncio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send(HEAD)
        await go_on.wait()
        await send(BODY)

    async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
        await reader.readuntil(b"\r\n\r\n")
        go_on.set()
        assert await reader.readexactly(5) == b"water"

    assert len(talk(app, client)) == 2


def test_a_head_whose_body_never_comes_is_sent_and_the_connection_closed() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send(HEAD)
        raise ValueError("no body")

    async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
        assert (await reader.read()).startswith(b"HTTP/1.1 200 OK\r\n")

    assert len(talk(app, client)) == 1


def test_a_continue_does_not_wait_for_the_answer() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        assert (await receive())["body"] == b"ink"
        await at_once(scope, receive, send)

    async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\nexpect: 100-continue\r\n\r\n")
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 100 ")
        writer.write(b"ink")
        await reader.readuntil(b"\r\n\r\n")
        assert await reader.readexactly(5) == b"water"

    assert len(talk(app, client)) == 2
