"""``make image-test``: builds the Dockerfile without Docker, starts the image as its own configuration says, and plays.

The base image cannot be pulled everywhere, so Debian's Python stands in for it: made once by debootstrap, kept in
`build/`. The container is a root directory with processes, mounts and a network of its own, its program process 1.
"""

import ast
import contextlib
import ctypes
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from math import ceil
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "build" / "image-test"
IMAGE = "localhost/gameboard-server"
RELEASES = {"3.11": "bookworm", "3.13": "trixie"}
"""The Debian that has this Python."""

TOOLS = {"buildah": "buildah", "debootstrap": "debootstrap", "ip": "iproute2"}
"""Commands, and the packages that have them."""

SOURCES = "index-url extra-index-url find-links no-index trusted-host cert client-cert proxy timeout default-timeout"
"""The settings of pip that say where packages come from."""

BUILDAH = ("buildah", "--storage-driver", "vfs", "--root", str(KEPT / "storage"), "--runroot", str(KEPT / "run"))
READY, STOPPED = 30.0, 5.0
"""Seconds within which the server must answer, and be gone."""

MOST = 256
"""Items in a batch."""


class Wrong(Exception):
    """What is not as it should be, as a sentence."""


def check(holds: object, sentence: str) -> None:
    if not holds:
        raise Wrong(f"Not so: {sentence}")
    print(f"ok  {sentence}", flush=True)


def run(*command: str | Path) -> str:
    """What a command prints."""
    ran = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise Wrong(f"{' '.join(map(str, command))} failed:\n{(ran.stdout + ran.stderr)[-4000:]}")
    return ran.stdout


def buildah(*arguments: str | Path) -> str:
    return run(*BUILDAH, *arguments).strip()


# The build


def install_tools() -> None:
    missing = [package for command, package in TOOLS.items() if not shutil.which(command)]
    if os.geteuid():
        raise Wrong(f"This needs root, and the packages {', '.join(TOOLS.values())}.")
    if missing:
        if not shutil.which("apt-get"):
            raise Wrong(f"Missing, with no apt-get to install it: {', '.join(missing)}.")
        run("apt-get", "update", "-qq")
        os.environ["DEBIAN_FRONTEND"] = "noninteractive"
        run("apt-get", "install", "-qq", "-y", "--no-install-recommends", *missing)


def make_base(name: str, release: str) -> None:
    """As the image `name` on Docker Hub: `python` and pip in /usr/local, nothing compiled, no MIME types."""
    run("apt-get", "update", "-qq")
    wanted = ("Created-By: Packages", "Origin: Debian", "Label: Debian")
    mirrors = run("apt-get", "indextargets", "--format", "$(REPO_URI)", *wanted).split()
    if not mirrors:
        raise Wrong("apt has no source of Debian's packages.")
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        root = Path(folder) / "root"
        packages = "--include=ca-certificates,netbase,tzdata,python3-venv"
        # In a namespace of its own, so that no mount outlives it.
        run("unshare", "--mount", "debootstrap", "--variant=minbase", packages, release, root, mirrors[0])
        finish = """
            ln -s /usr/bin/python3 /usr/local/bin/python
            rm -r /usr/lib/python3*/EXTERNALLY-MANAGED /etc/mime.types /var/cache/apt/* /var/lib/apt/lists/*
            wheels=/usr/share/python-wheels
            PYTHONPATH=$(echo $wheels/pip-*.whl) python -m pip install --isolated --no-index --find-links $wheels pip
            ln -sf pip3 /usr/local/bin/pip
            find /usr -name __pycache__ -prune -exec rm -r {} +
        """
        run("chroot", root, "sh", "-ec", finish)
        container = buildah("from", "scratch")
        buildah("add", container, root, "/")
        buildah("commit", "--rm", container, name)


def pip_settings(file: Path) -> list[str]:
    """Write to `file` where this machine's pip finds packages; options that give a build this and what it names."""
    sections: dict[str, dict[str, str]] = {}
    volumes = {f"{file}:/etc/pip.conf:ro"}
    listed = run(sys.executable, "-m", "pip", "config", "list").splitlines()
    for line in sorted(listed, key=lambda line: not line.startswith("global.")):
        key, _, value = line.partition("=")
        section, _, name = key.rpartition(".")
        if name in SOURCES.split():
            told = str(ast.literal_eval(value))
            sections.setdefault("global" if section == ":env:" else section, {})[name] = told.replace("\n", "\n    ")
            for word in told.split():
                path = Path(word.removeprefix("file://"))
                # An index in a folder links to the files beside it.
                path = path.parent if word.startswith("file:") else path
                if path.is_absolute() and path.exists():
                    volumes.add(f"{path}:{path}:ro")
    with file.open("w", encoding="utf-8") as written:
        for section, settings in sections.items():
            written.write(f"[{section}]\n" + "".join(f"{name} = {told}\n" for name, told in settings.items()))
    return [argument for volume in sorted(volumes) for argument in ("--volume", volume)]


def build() -> None:
    """The Dockerfile as it is, on the stand-in for its base."""
    python = re.findall(r"^ARG PYTHON=(.*)$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)[0]
    if python not in RELEASES:
        raise Wrong(f"RELEASES names no Debian that has Python {python}.")
    base = f"docker.io/library/python:{python}-slim"
    if not buildah("images", "--quiet", "--filter", f"reference={base}"):
        print(f"    making a base from Debian {RELEASES[python]}, once", flush=True)
        make_base(base, RELEASES[python])
    began = time.monotonic()
    with tempfile.NamedTemporaryFile() as file:
        options = ("--isolation", "chroot", "--format", "docker", "--pull-never", "--tag", IMAGE)
        buildah("build", *options, *pip_settings(Path(file.name)), ROOT)
    sizes = {name: image["size"] for image in json.loads(buildah("images", "--json")) for name in image["names"] or ()}
    size = f"{sizes[f'{IMAGE}:latest']} on a base of {sizes[base]}"
    check(IMAGE, f"the Dockerfile builds in {time.monotonic() - began:.0f} s, to {size}")


# The container


@dataclass(frozen=True)
class Image:
    """A built image: its files in a folder, and how it says it is started."""

    root: Path
    config: dict[str, Any]

    def inside(self, *command: str) -> list[str]:
        """A command with the image's user, environment and working directory, for unshare or nsenter."""
        user, _, group = self.config["User"].partition(":")
        identity = [f"--setuid={user}", f"--setgid={group or user}", f"--wd={self.config['WorkingDir']}"]
        return [*identity, "env", "--ignore-environment", *self.config["Env"], *command]


@dataclass(frozen=True)
class Container:
    image: Image
    process: "subprocess.Popen[bytes]"
    log: Path

    @property
    def pid(self) -> int:
        """The program: process 1 of the container, seen from outside."""
        return int(Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text())

    def execute(self, *command: str) -> int:
        """The exit code of a command inside."""
        namespaces = ("nsenter", f"--target={self.pid}", "--mount", "--pid", "--root")
        return subprocess.run([*namespaces, *self.image.inside(*command)], timeout=30, check=False).returncode

    def processes(self) -> list[dict[str, str]]:
        """What the kernel says of each process inside."""
        namespace = os.readlink(f"/proc/{self.pid}/ns/pid")
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):  # ended meanwhile, or none of ours
                if os.readlink(entry / "ns" / "pid") == namespace:
                    lines = (entry / "status").read_text().splitlines()
                    found.append({key: value.strip() for key, _, value in (line.partition(":") for line in lines)})
        return found


@contextlib.contextmanager
def started(image: Image, *options: str) -> Iterator[Container]:
    """The image's entrypoint with `options`, ended whatever happens."""
    apart = ("setpriv", "--no-new-privs", "unshare", "--fork", "--pid", "--mount", "--mount-proc", "--root", image.root)
    with tempfile.NamedTemporaryFile() as log:
        command = [*map(str, apart), *image.inside(*image.config["Entrypoint"], *options)]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        container = Container(image, process, Path(log.name))
        try:
            yield container
        except (Wrong, OSError, ValueError, LookupError, http.client.HTTPException) as failed:
            raise Wrong(
                f"{str(failed) or type(failed).__name__}\nThe server printed:\n{container.log.read_text()[-4000:]}"
            ) from failed
        finally:
            if process.poll() is None:
                with contextlib.suppress(ValueError, ProcessLookupError):
                    os.kill(container.pid, signal.SIGKILL)
                process.kill()
                process.wait()


def unpack() -> Image:
    container = buildah("from", "--pull-never", IMAGE)
    inspected = json.loads(buildah("inspect", "--type", "image", IMAGE))
    return Image(Path(buildah("mount", container)), inspected["Docker"]["config"])


def leave_the_network() -> None:
    """From here on this process has a network and mounts of its own, which end with it: the image's port is free."""
    new_mounts, new_network = 0x00020000, 0x40000000
    if ctypes.CDLL(None, use_errno=True).unshare(new_mounts | new_network):
        raise Wrong(f"No namespaces are to be had here: {os.strerror(ctypes.get_errno())}.")
    run("mount", "--make-rprivate", "/")
    run("ip", "link", "set", "lo", "up")


def make_read_only(root: Path) -> None:
    run("mount", "--bind", root, root)
    run("mount", "-o", "remount,bind,ro", root)


# The game


def connection() -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", 8000, timeout=30)


def asked(path: str, body: object = None, on: http.client.HTTPConnection | None = None) -> dict[str, Any]:
    """The answer to a GET, or to a POST of `body`."""
    line = on or connection()
    line.request("POST" if body else "GET", path, json.dumps(body) if body else None)
    response = line.getresponse()
    if response.status != 200:
        raise Wrong(f"{path} was answered with {response.status}.")
    answer: dict[str, Any] = json.loads(response.read())
    return answer


def wait(container: Container) -> None:
    began = time.monotonic()
    while time.monotonic() - began < READY and container.process.poll() is None:
        with contextlib.suppress(ConnectionError):
            check(asked("/healthz")["ok"], f"/healthz answers {time.monotonic() - began:.2f} s after the start")
            return
        time.sleep(0.01)
    raise Wrong(f"The server stopped, or gave no answer within {READY:.0f} s.")


def play() -> None:
    """The first garden of the README, and an action of every game."""
    answer = asked("/api/games/dewspout/init?seed=7")
    actions = ({"type": "fill", "vessel": 1}, {"type": "pour", "from": 1, "to": 2})
    for action in actions:
        answer = asked("/api/games/dewspout/action", {"stateToken": answer["stateToken"], "action": action})
    proved = asked("/api/games/dewspout/verify", {"seed": 7, "actions": actions})
    check(answer["score"] == proved["score"] == 270, "a garden of Dewspout is played and proved: 270 points")
    games = [game["slug"] for game in asked("/api/games")["games"]]
    for slug in games:
        answer = asked(f"/api/games/{slug}/init?seed=7")
        carried = {key: answer[key] for key in ("stateToken",) if key in answer} or {"state": answer["state"]}
        answer = asked(f"/api/games/{slug}/action", {**carried, "action": answer["legalActions"][0]})
        if not answer["ok"]:
            raise Wrong(f"{slug} refused a legal action: {answer['reason']}")
    check(len(games) >= 3, f"an action is played in each of {', '.join(games)}")


seeds = count(1000)


def batch(starts: int) -> dict[str, Any]:
    """Starts of the game that searches longest for them, of seeds that nobody has asked for."""
    return {"items": [{"game": "baskmere", "seed": next(seeds)} for _ in range(starts)]}


def stop(container: Container) -> None:
    """SIGTERM while answers are being made."""
    began = time.monotonic()
    asked("/api/batch", batch(MOST))
    # As many as take some 1.2 s here: the server gives answers under way 3 s.
    starts = MOST * 1.2 / (time.monotonic() - began)
    lines = [connection() for _ in range(max(2, ceil(starts / MOST)))]
    for line in lines:
        asked("/healthz", on=line)  # the server has taken the connection before it is told to stop
    with ThreadPoolExecutor(len(lines)) as pool:
        answers = [pool.submit(asked, "/api/batch", batch(ceil(starts / len(lines))), line) for line in lines]
        time.sleep(0.3)
        waiting = sum(not answer.done() for answer in answers)
        told = time.monotonic()
        os.kill(container.pid, signal.SIGTERM)
        results = [result["status"] for answer in answers for result in answer.result()["results"]]
        answered = time.monotonic() - told
    with contextlib.suppress(subprocess.TimeoutExpired):
        container.process.wait(STOPPED - (time.monotonic() - told))
    gone, code = time.monotonic() - told, container.process.returncode
    check(waiting, f"{waiting} of {len(lines)} large answers were under way at SIGTERM")
    check(set(results) == {200}, f"they were delivered whole, the last {answered:.2f} s after it")
    check(code == 0, f"the server was gone {gone:.2f} s after it, of {STOPPED:.0f} s, with exit code {code}")
    check("Traceback" not in container.log.read_text(), "it printed no traceback")


def contents(image: Image) -> None:
    """What must not be in it: pip, and whoever's tests."""
    pip = [path for path in image.root.rglob("pip*") if re.fullmatch(r"pip[\d.]*", path.name)]
    check(not pip, "the image has no pip" + f": {pip}" * bool(pip))
    tests = [*image.root.glob("opt/**/tests")]
    check(not tests, "nor tests" + f": {tests}" * bool(tests))


def serve(image: Image, *options: str) -> None:
    print(" ".join([*image.config["Entrypoint"], *options]))
    with started(image, *options) as container:
        wait(container)
        processes = container.processes()
        users = {process["Uid"].split()[0] for process in processes}
        check(users and "0" not in users, f"processes inside: {len(processes)}, of user {', '.join(users)}")
        check(not any(int(process["CapEff"], 16) for process in processes), "they have no privileges")
        how, *command = image.config["Healthcheck"]["Test"]
        check(how == "CMD" and container.execute(*command) == 0, "the health check agrees")
        play()
        stop(container)


def clear() -> None:
    """Take away working containers, also those of a run that was killed, and images that a newer one replaced."""
    buildah("rm", "--all")
    buildah("rmi", "--prune")


def main() -> None:
    """Everything in its order; ends with a sentence where something is wrong."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Stopped."))
    try:
        install_tools()
        KEPT.mkdir(parents=True, exist_ok=True)
        clear()
        try:
            build()
            image = unpack()
            contents(image)
            leave_the_network()
            began = time.time()
            serve(image)
            changed = [path for path in image.root.rglob("*") if path.lstat().st_ctime > began]
            check(not changed, "nothing was written inside" + f": {changed}" * bool(changed))
            make_read_only(image.root)
            check(os.statvfs(image.root).f_flag & os.ST_RDONLY, "from here on the image is read-only")
            serve(image, "--workers", "2")
        finally:
            clear()
    except Wrong as wrong:
        sys.exit(str(wrong))


if __name__ == "__main__":
    main()
