"""The README: what it shows is run, what it lists is what there is."""

import re
import subprocess
from pathlib import Path

import pytest

from app.settings import Settings
from engines.registry import GAMES
from tests.server import ROOT, serving

README = (ROOT / "README.md").read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:8000"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def test_it_opens_with_the_two_commands() -> None:
    opening = README.split("##")[0]
    assert "    make run " in opening
    assert "    make test " in opening


def test_its_curls_play_a_game(tmp_path: Path) -> None:
    """The first shell blocks in one shell, one after the other, against a real server."""
    game, mistake, *_ = blocks("sh")
    assert game.count("curl -s") == 3
    with serving(tmp_path / "log") as server:
        script = f"set -eu\n{game}\necho\n{mistake}".replace(ADDRESS, server.url)
        assert server.url in script
        ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=True)
    cleared, refused = ran.stdout.splitlines()
    told = re.search(r'`("cleared":true,"pointsAwarded":270)`', README)
    assert told
    assert told[1] in cleared
    assert '"ok":false' in refused
    assert "Vessel B is full at 5" in refused


def test_its_table_of_settings_is_the_one_of_the_code() -> None:
    rows = dict(re.findall(r"^\| `GAMEBOARD_(\w+)` \| (.*) \|$", README, re.MULTILINE))
    assert rows == {name.upper(): field.description for name, field in Settings.model_fields.items()}


def test_every_game_is_listed() -> None:
    for game in GAMES:
        assert f"| {game.info.name} | {game.info.description}" in README


@pytest.mark.parametrize("document", ["README.md", "engines/README.md"])
def test_its_links_lead_to_files(document: str) -> None:
    path = ROOT / document
    for link in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
        assert (path.parent / link).exists(), link


def test_its_map_names_files_that_exist() -> None:
    house = re.search(r"## The house\n\n(.*?)\n\nArrows", README, re.DOTALL)
    assert house
    folder = ""
    for line in house[1].splitlines():
        names = re.match(r"    (  )?((?:\S+ )+)", line)
        assert names, line
        for name in names[2].split() if names[1] else names[2].split()[:1]:
            if name.endswith("/") and not names[1]:
                folder = name
            if name.endswith(("/", ".py")):
                assert (ROOT / folder / name if names[1] else ROOT / name).exists(), line


def test_no_file_names_a_registry_or_a_machine() -> None:
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    files = listed.stdout.split() or [str(path) for path in ROOT.rglob("*.py")]
    words = (
        "pypi" + ".org",
        "python" + "hosted",
        "npm" + "js.",
        "deb." + "debian",
        "/root" + "/",
        "/work" + "/",
        "file:" + "///",
        "/opt" + "/pypi",
    )
    for name in files:
        text = (ROOT / name).read_text(encoding="utf-8", errors="replace")
        assert not [word for word in words if word in text], name
