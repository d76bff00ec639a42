"""The wheel: built, installed into a clean environment outside the checkout, and served from there."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

from tests.server import HTTP, ROOT, serving


def run(*command: str | Path) -> None:
    ran = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def locked() -> list[tuple[str, str]]:
    """What the lock file installs in this environment."""
    return re.findall(r"^([\w.-]+)==(\S+) \\$", (ROOT / "requirements.lock").read_text(), re.MULTILINE)


def install(name: str, version: str, packages: Path) -> None:
    """Link a distribution of this environment, which was installed by its hashes, as it is: what its wheel holds."""
    distribution = metadata.distribution(name)
    assert distribution.version == version
    for file in distribution.files or ():
        here = Path(str(distribution.locate_file(file)))
        if ".." not in file.parts and here.exists():
            (packages / file).parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(here, packages / file)
            except OSError:  # another file system
                shutil.copy2(here, packages / file)


def test_the_wheel_serves_outside_the_checkout(tmp_path: Path) -> None:
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, ROOT)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"app", "engines", "gameboard"}
    assert "engines/dewspout/texts/rules.md" in names
    assert "app/pages/templates/overview.html" in names
    assert "app/pages/assets/boards/dewspout.js" in names

    python = tmp_path / "clean" / "bin" / "python"
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "clean")
    pip = (sys.executable, "-m", "pip", "--python", python, "--quiet", "--disable-pip-version-check")
    packages = tmp_path / "clean" / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
    for name, version in locked():
        install(name, version, packages)
    run(*pip, "install", "--no-compile", "--no-deps", "--no-index", wheel)
    run(*pip, "check")
    run(tmp_path / "clean" / "bin" / "gameboard", "--help")

    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with serving(tmp_path / "log", "--workers", "2", python=str(python), cwd=elsewhere) as server:
        started = HTTP.get(f"{server.url}/api/games/dewspout/init?seed=7").json()
        assert (
            started["spec"]["rules"] == (ROOT / "engines/dewspout/texts/rules.md").read_text(encoding="utf-8").strip()
        )
        body = {"stateToken": started["stateToken"], "action": {"type": "fill", "vessel": 1}}
        assert HTTP.post(f"{server.url}/api/games/dewspout/action", json=body).json()["ok"] is True
        for path in ("/", "/play/dewspout", "/docs/api", "/docs/api/dewspout", "/llms.txt", "/swagger", "/source.zip",
                     "/openapi.json", "/assets/site.css", "/assets/swagger/swagger-ui-bundle.js"):  # fmt: skip
            assert HTTP.get(f"{server.url}{path}").status_code == 200, path
