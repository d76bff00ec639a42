"""The Dockerfile, as far as reading them goes; `make image-test` goes further."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.server import ROOT, serving

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
FINAL = DOCKERFILE.split("\nFROM ")[-1]


def instruction(word: str) -> str:
    """The argument of the one instruction of its kind in the final stage."""
    (found,) = re.findall(rf"^{word} (.*)$", FINAL, re.MULTILINE)
    return str(found)


def test_the_final_stage_is_slim_and_holds_the_environment_only() -> None:
    assert FINAL.startswith("python:${PYTHON}-slim")
    assert re.findall(r"^(?:COPY|ADD) .*$", FINAL, re.MULTILINE) == ["COPY --from=build /opt/gameboard /opt/gameboard"]
    assert re.split(r" +&& ", instruction("RUN")) == [
        "PYTHONDONTWRITEBYTECODE=1 /usr/local/bin/python -m pip uninstall --yes --root-user-action ignore pip",
        "rm -f /usr/local/bin/pip",
        'python -c "import app.__main__, app.asgi"',
    ]


def test_it_does_not_run_as_root() -> None:
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", instruction("USER"))


def test_the_start_has_the_exec_form() -> None:
    assert json.loads(instruction("ENTRYPOINT"))[:3] == ["python", "-m", "app"]


def test_the_health_check_is_python_and_agrees_with_the_server(tmp_path: Path) -> None:
    python, option, program = json.loads(instruction("HEALTHCHECK").partition("CMD ")[2])
    assert (python, option) == ("python", "-c")
    asked = f"http://127.0.0.1:{json.loads(instruction('ENTRYPOINT'))[-1]}"
    assert program.count(asked) == 1

    def healthy() -> bool:
        command = [sys.executable, "-c", program.replace(asked, server.url)]
        return subprocess.run(command, capture_output=True, timeout=30, check=False).returncode == 0

    with serving(tmp_path / "log") as server:
        assert healthy()
    assert not healthy()


def test_nothing_is_installed_but_by_its_hash() -> None:
    """That goes for what builds the wheel too."""
    commands = re.findall(r"-m pip (?:--python \S+ )?((?:install|wheel) .*?)(?: +&& |\n)", DOCKERFILE)
    assert len(commands) == DOCKERFILE.count("-m pip ") - 2, "all but the one that uninstalls and the one that checks"
    downloads = [command for command in commands if "--no-index" not in command]
    assert downloads == [
        "install --no-deps --require-hashes -r requirements.lock",
        "install --no-deps --require-hashes -r requirements-build.lock",
    ]
    assert all("--no-build-isolation" in command for command in commands if command.startswith("wheel"))


def test_what_builds_the_wheel_is_what_the_tests_build_it_with() -> None:
    locked = {
        lock: set(re.findall(r"^(\S+==\S+) \\$", (ROOT / lock).read_text(encoding="utf-8"), re.MULTILINE))
        for lock in ("requirements-build.lock", "requirements-test.lock")
    }
    assert any(pin.startswith("hatchling==") for pin in locked["requirements-build.lock"])
    assert locked["requirements-build.lock"] <= locked["requirements-test.lock"]


def test_the_image_context_holds_what_the_dockerfile_copies() -> None:
    kept = set(re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(encoding="utf-8"), re.MULTILINE))
    copied = {
        name for line in re.findall(r"^COPY (?!--from)(.*) \S+$", DOCKERFILE, re.MULTILINE) for name in line.split()
    }
    assert copied == kept
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert copied >= set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
