"""schemathesis against a server, by its OpenAPI document, with the settings and checks that lie beside this file."""

import subprocess
import sys
from pathlib import Path

from tests.server import ROOT

SETTINGS = Path(__file__).with_name("schemathesis.toml")


def schemathesis(url: str, *options: str) -> "subprocess.CompletedProcess[str]":
    """One run against a server; what it printed and whether it found something."""
    return subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", "--config-file", str(SETTINGS), "run", f"{url}/openapi.json",
         "--no-color", *options],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
