"""``python -m tests.fuzz``: fuzz every target, guided by what of `app` and `engines` an input reaches.

Each target is a process of its own. It starts from right inputs and from what earlier runs found worth keeping in
``.fuzz/``, where an input that uncovers a mistake is put too; ``python -m tests.fuzz TARGET FILE`` runs that one again.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random

from tests.server import ROOT

KEPT = ROOT / ".fuzz"
LONGEST = 8192
"""Bytes of an input."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz what reads a stranger's input.")
    parser.add_argument("target", nargs="?", help="only this one")
    parser.add_argument("input", nargs="?", type=Path, help="only this input")
    parser.add_argument("--seconds", type=int, default=600, help="in all (default: %(default)s)")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        return _fuzz(options.target, options.seconds)
    from tests.fuzz.targets import TARGETS

    if options.input:
        TARGETS[options.target].run(options.input.read_bytes())
        return 0
    names = [options.target] if options.target else list(TARGETS)
    share = str(max(1, options.seconds // len(names)))
    command = [sys.executable, "-m", "tests.fuzz", "--here", "--seconds", share]
    return max(subprocess.run([*command, name], cwd=ROOT).returncode for name in names)


def _fuzz(name: str, seconds: int) -> int:
    """Fuzz one target in this process, which ends with it."""
    import atheris  # type: ignore[import-not-found, import-untyped, unused-ignore]

    with atheris.instrument_imports(include=["app", "engines"]):
        from tests.fuzz.targets import TARGETS
    target = TARGETS[name]
    corpus = KEPT / name
    corpus.mkdir(parents=True, exist_ok=True)
    _write(corpus, target.seeds())

    def mutated(data: bytes, largest: int, seed: int) -> bytes:
        """Half of the changes know what they change, half are libFuzzer's own."""
        if seed % 2:
            return bytes(atheris.Mutate(data, largest))
        return target.mutate(data, Random(seed))[:largest]

    found = f"-artifact_prefix={KEPT}/{name}-"
    limits = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", "-timeout=30", "-rss_limit_mb=2048"]
    atheris.Setup(["fuzz", str(corpus), found, *limits, "-print_final_stats=1"], target.run, custom_mutator=mutated)
    print(f"\n{name}: {seconds} s", flush=True)  # noqa: T201
    atheris.Fuzz()
    return 0


def _write(corpus: Path, seeds: Iterator[bytes]) -> None:
    for seed in seeds:
        (corpus / sha256(seed).hexdigest()[:16]).write_bytes(seed)


if __name__ == "__main__":
    sys.exit(main())
