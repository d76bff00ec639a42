"""schemathesis on the OpenAPI document, in the small: `make attack` does it for long."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attack.document import schemathesis
from tests.server import Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    log: Path = tmp_path_factory.mktemp("attack") / "log"
    with serving(log) as running:
        yield running


@pytest.mark.parametrize(
    "options",
    [
        ("--phases", "coverage", "--include-method", "GET"),
        ("--phases", "examples,fuzzing,stateful", "--max-examples", "2", "--exclude-checks", "EveryGameIsPlayed"),
    ],
    ids=["coverage", "fuzzing and links"],
)
def test_schemathesis_finds_nothing(server: Server, options: tuple[str, ...]) -> None:
    ran = schemathesis(server.url, "--seed", "7", *options)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "Traceback" not in server.log.read_text(encoding="utf-8")
