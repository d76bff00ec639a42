"""Real servers in processes of their own."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import httpx

ROOT = Path(__file__).parent.parent
READY = 30
"""Seconds within which a server must answer."""


HTTP = httpx.Client(headers={"connection": "close"})
"""A client whose every call is a connection of its own, for many threads: what makes one dear, TLS, is made once."""


@dataclass(frozen=True)
class Server:
    url: str
    process: "subprocess.Popen[bytes]"
    log: Path


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


@contextmanager
def serving(
    log: Path,
    *options: str,
    port: int | None = None,
    secret: str | None = None,
    python: str = sys.executable,
    cwd: Path = ROOT,
    module: str = "app",
    **env: str,
) -> Iterator[Server]:
    """A server, on a free port where none is given, stopped at the end. `env` adds variables; `log` receives what it
    prints.
    """
    port = port or free_port()
    variables = {**os.environ, **env, **({"GAMEBOARD_SECRET": secret} if secret else {})}
    with log.open("ab") as printed:
        process = _start([python, "-m", module, "--port", str(port), *options], cwd, variables, printed)
        try:
            server = Server(f"http://127.0.0.1:{port}", process, log)
            _wait(server)
            yield server
        finally:
            process.terminate()
            process.wait(timeout=15)


def workers(server: Server) -> dict[int, float]:
    """The processes that serve, and the processor time that each has used."""
    used = {}
    for pid in Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split():
        if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text():
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            used[int(pid)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return used


def _start(command: list[str], cwd: Path, env: dict[str, str], printed: IO[bytes]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(command, cwd=cwd, env=env, stdout=printed, stderr=printed, stdin=subprocess.DEVNULL)


def _wait(server: Server) -> None:
    deadline = time.monotonic() + READY
    while time.monotonic() < deadline:
        if server.process.poll() is not None:
            raise AssertionError(f"The server stopped: {server.log.read_text()}")
        try:
            if HTTP.get(f"{server.url}/healthz").json()["ok"]:
                return
        except httpx.TransportError:
            time.sleep(0.05)
    raise AssertionError(f"No answer within {READY} s: {server.log.read_text()}")
