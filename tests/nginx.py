"""Debian's nginx with the configuration that is shipped, in front of servers of the tests."""

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.server import READY, ROOT, Server, free_port

NGINX = os.environ.get("NGINX") or shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
TEMPLATE = (ROOT / "deploy" / "nginx.conf.template").read_text(encoding="utf-8")
ADDRESS = "127.0.0.1"
"""Where nginx comes from: whom a server must trust."""


@dataclass(frozen=True)
class Proxy:
    url: str
    log: Path

    def answered(self) -> list[tuple[int, list[str]]]:
        """The status of each request so far, and the servers that were asked, the last of which answered."""
        lines = re.findall(r'^\S+ \S+ ".*" (\d+) (.*) [\d.]+$', self.log.read_text(), re.MULTILINE)
        return [(int(status), servers.split(", ")) for status, servers in lines]


@contextmanager
def proxying(folder: Path, *servers: Server, tls: str = "", **values: str) -> Iterator[Proxy]:
    """A proxy on a free port, stopped at the end. `tls` adds to ``listen``; `values` replace variables."""
    port = free_port()
    listen = f"{ADDRESS}:{port}"
    addresses = [httpx.URL(server.url).netloc.decode() for server in servers]
    variables = {
        "LISTEN": f"{listen}{tls}",
        "SERVERS": " ".join(f"server {address} max_fails=3 fail_timeout=1s;" for address in addresses),
        "PREFIX": "",
        "RATE": "10000r/s",
        "BURST": "10000",
        "LOG": "access.log",
        **values,
    }
    folder.mkdir()
    configuration = re.sub(r"\$\{(\w+)\}", lambda found: variables[found[1]], TEMPLATE)
    (folder / "nginx.conf").write_text(configuration, encoding="utf-8")
    proxy = Proxy(f"{'https' if tls else 'http'}://{listen}{variables['PREFIX']}", folder / "access.log")
    user = "user root;" if os.geteuid() == 0 else ""  # whose folders the tests' are
    command = [_program(), "-p", str(folder), "-c", "nginx.conf", "-e", "stderr", "-g", f"daemon off; {user}"]
    with (folder / "errors").open("wb") as printed:
        process = subprocess.Popen(command, stderr=printed, stdin=subprocess.DEVNULL)
    try:
        _wait(port, process, folder / "errors")
        yield proxy
    finally:
        process.terminate()
        process.wait(timeout=15)


def _program() -> str:
    """Where nginx is. Without it the tests that need it are skipped, or fail where the variable `CI` is set."""
    if NGINX is not None:
        return NGINX
    missing = "No nginx is here: install Debian's package nginx, or set NGINX to where one is."
    if os.environ.get("CI"):
        pytest.fail(missing)
    pytest.skip(f"THE PROXY IS NOT TESTED. {missing}")


def _wait(port: int, process: "subprocess.Popen[bytes]", errors: Path) -> None:
    deadline = time.monotonic() + READY
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            socket.create_connection((ADDRESS, port)).close()
        except ConnectionRefusedError:
            time.sleep(0.02)
        else:
            return
    raise AssertionError(f"nginx does not answer: {errors.read_text()}")
