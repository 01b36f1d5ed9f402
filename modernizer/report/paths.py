"""The names in the output folder."""

from __future__ import annotations

import hashlib
import re
from pathlib import PurePosixPath

RESULTS = "results.json"
REPORT_MD = "report.md"
REPORT_HTML = "report.html"
BADGE_JSON = "badge.json"
BADGE_SVG = "badge.svg"
JUNIT = "junit.xml"
PATCHES = "patches"
NOTEBOOKS = "notebooks"
LOCKS = "locks"
# What most file systems allow for one name, in bytes.
MAX_NAME = 255
# What actions/upload-artifact refuses, as Windows has no such names; and the separator of Windows.
_NOT_STORABLE = re.compile(r'["*:<>?|\\\x00-\x1f]')


def patch_path(notebook: str) -> str:
    """Return where the patch of a notebook lies; a name too long for the ending is cut and kept unique by a hash."""
    path = PurePosixPath(PATCHES, _storable(notebook))
    name = path.name + ".patch"
    if len(name.encode()) > MAX_NAME:
        name = path.name.encode()[:200].decode(errors="ignore") + f"-{_digest(notebook)}.patch"
    return path.with_name(name).as_posix()


def notebook_path(notebook: str) -> str:
    """Return where the repaired and executed notebook lies."""
    return PurePosixPath(NOTEBOOKS, _storable(notebook)).as_posix()


def _storable(notebook: str) -> str:
    """Replace what no artifact takes in a path and keep the path unique by a hash; other paths stay as they are."""
    plain = _NOT_STORABLE.sub("_", notebook)
    if plain == notebook:
        return notebook
    path = PurePosixPath(plain)
    stem = path.stem.encode()[:200].decode(errors="ignore")
    return path.with_name(f"{stem}-{_digest(notebook)}{path.suffix}").as_posix()


def _digest(notebook: str) -> str:
    return hashlib.sha256(notebook.encode("utf-8", "surrogateescape")).hexdigest()[:12]


def lock_path(environment: str) -> str:
    """Return where the lock of an environment lies."""
    return PurePosixPath(LOCKS, f"{environment}.txt").as_posix()
