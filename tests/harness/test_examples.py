"""The examples of the page for harnesses and of the README: one text in both, and it runs."""

import html
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.pages.docs import LOCAL, SHELL
from tests.client import Client
from tests.server import ROOT, serving

FOLDER = ROOT / "app" / "pages" / "templates" / "examples"
EXAMPLES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.iterdir())}
PRINTS = {
    "client": r"(?s)^Vessel A .*270 True\n$",
    "together": r"^27000\n$",
    "evaluate": r"agent:First[^$]*?\n([^\n]*: proved, \d+ points in \d+ actions\.\n){20}$",
    "gym": r"^\d+\n$",
    "mcp": r"(?s)^list_games, .*270\n$",
}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("server") / "log") as server:
        yield server.url


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name != "agent"])
def test_an_example_runs(url: str, tmp_path: Path, name: str) -> None:
    (tmp_path / "agent.py").write_text(EXAMPLES["agent"])
    program = EXAMPLES[name].replace(LOCAL, url)
    if name in SHELL:
        program = re.sub(r"^gameboard ", f"{sys.executable} -m gameboard ", program, flags=re.MULTILINE)
    ran = subprocess.run(
        ["bash", "-euc", program] if name in SHELL else [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert re.search(PRINTS[name], ran.stdout), ran.stdout


def test_the_page_shows_each_with_its_own_address(client: Client) -> None:
    text = client.get("/docs/harness").text
    blocks = [
        html.unescape(re.sub(r"<[^>]+>", "", block))
        for block in re.findall(r"(?s)<pre[^>]*><code>(.*?)</code></pre>", text)
    ]
    assert sorted(blocks) == sorted(
        example.replace(LOCAL, "http://testserver").rstrip("\n") for example in EXAMPLES.values()
    )


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_readme_has_the_same(name: str) -> None:
    language = "sh" if name in SHELL else "python"
    assert f"```{language}\n{EXAMPLES[name]}```\n" in (ROOT / "README.md").read_text(encoding="utf-8")
