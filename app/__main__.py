"""``python -m app``: check the settings, draw the secret that all workers share, and serve."""

import argparse
import os
import resource
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import uvicorn

from app import logs, scratch
from app.connection import Connection
from app.settings import Settings, from_environment, variable

SERVED_BY: Mapping[str, Any] = {
    "http": Connection,
    "access_log": False,
    "date_header": True,
    "server_header": False,
    "proxy_headers": False,
    "ws": "none",
    "lifespan": "off",
    "timeout_keep_alive": 75,
    "timeout_graceful_shutdown": 3,
}
"""How uvicorn serves, whatever the app."""


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return int(text)


def _workers(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 256:
        raise argparse.ArgumentTypeError("workers are a number from 1 to 256")
    return int(text)


def open_as_many_as_allowed() -> None:
    """Let this process and its workers hold as many connections as the system allows, often 1,024 at first."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # some systems name a limit here that they do not take
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m app",
        description="Serve the games over HTTP. GET /healthz answers when the server is ready.",
        epilog="Settings are environment variables: "
        + ", ".join(map(variable, Settings.model_fields))
        + ". The README says what they mean.",
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=_port, default=8000, help="port to listen on (default: %(default)s)")
    parser.add_argument("--workers", type=_workers, default=1, help="processes that serve (default: %(default)s)")
    arguments = parser.parse_args()
    logs.configure()
    settings = from_environment()
    if settings.metrics:
        scratch.prepare()
    # The workers are processes of their own and read the environment again: this is how they share a random secret.
    os.environ[variable("secret")] = ",".join(secret.get_secret_value() for secret in settings.secret)
    open_as_many_as_allowed()
    uvicorn.run(
        "app.asgi:app",
        host=arguments.host,
        port=arguments.port,
        workers=arguments.workers,
        log_config=logs.config(settings.log),
        **SERVED_BY,
    )


if __name__ == "__main__":
    main()
