"""A client's end of a connection, as thin as can be: what presses a server must not be what is slow."""

import asyncio


def request_of(path: str, body: bytes = b"") -> bytes:
    """A request as it goes over the wire: a POST where it has a body."""
    first = f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n"
    length = f"content-type: application/json\r\ncontent-length: {len(body)}\r\n" if body else ""
    return f"{first}{length}\r\n".encode() + body


class Wire:
    """A connection that is kept. Asks one thing after the other."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def to(cls, port: int) -> "Wire":
        return cls(*await asyncio.open_connection("127.0.0.1", port, limit=1 << 20))

    async def ask(self, request: bytes) -> tuple[int, bytes, float]:
        """The status of the answer, its body, and the seconds that a refused client is asked to wait."""
        self._writer.write(request)
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        fields = dict(line.split(b": ", 1) for line in head.split(b"\r\n")[1:] if line)
        body = await self._reader.readexactly(int(fields[b"content-length"]))
        return int(head.split()[1]), body, float(fields.get(b"retry-after", b"0"))

    def close(self) -> None:
        self._writer.close()
