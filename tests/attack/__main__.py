"""``python -m tests.attack SECONDS``: schemathesis for long, half of the time every phase, half along the links."""

import sys
import tempfile
from pathlib import Path

from tests.attack.document import schemathesis
from tests.server import serving


def main(seconds: int) -> int:
    half = ("--max-time", str(max(1, seconds // 2)))
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "log") as server:
        found = 0
        for phases in ("examples,coverage,fuzzing,stateful", "stateful"):
            ran = schemathesis(server.url, "--phases", phases, *half)
            sys.stdout.write(ran.stdout + ran.stderr)
            found |= ran.returncode
        log = server.log.read_text(encoding="utf-8")
    sys.stdout.write(f"The server's log:\n{log}")
    return found or "Traceback" in log


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
