"""The wheel: built, installed into a clean environment outside the checkout, and served from there."""

import subprocess
import sys
import zipfile
from pathlib import Path

from tests.server import HTTP, ROOT, serving


def run(*command: str | Path) -> None:
    ran = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_wheel_serves_outside_the_checkout(tmp_path: Path) -> None:
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, ROOT)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"app", "engines"}
    assert "engines/dewspout/texts/rules.md" in names
    assert "app/pages/templates/overview.html" in names
    assert "app/pages/assets/boards/dewspout.js" in names

    python = tmp_path / "clean" / "bin" / "python"
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "clean")
    pip = (sys.executable, "-m", "pip", "--python", python, "--quiet", "--disable-pip-version-check")
    run(*pip, "install", "--no-compile", "--require-hashes", "-r", ROOT / "requirements.lock")
    run(*pip, "install", "--no-compile", "--no-deps", "--no-index", wheel)
    run(*pip, "check")

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
