"""The source of this server, as a file to take away."""

import io
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

PACKAGES = ("app", "engines")
KINDS = (".py", ".md", ".html", ".txt", ".css", ".js", ".svg")
"""Endings of what belongs to the source. Whatever else lies in the folders stays here."""

_DATE = (1980, 1, 1, 0, 0, 0)  # none, so that the same source gives the same bytes


@cache
def zipped() -> bytes:
    """The packages as they run here, zipped."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for package in PACKAGES:
            for path, content in _files(files(package), package):
                archive.writestr(zipfile.ZipInfo(path, _DATE), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _files(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _files(entry, f"{path}/{entry.name}")
        elif entry.name.endswith(KINDS):
            yield f"{path}/{entry.name}", entry.read_bytes()
