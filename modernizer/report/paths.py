"""The names in the output folder."""

from __future__ import annotations

import hashlib
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


def patch_path(notebook: str) -> str:
    """Return where the patch of a notebook lies; a name too long for the ending is cut and kept unique by a hash."""
    path = PurePosixPath(PATCHES, notebook)
    name = path.name + ".patch"
    if len(name.encode()) > MAX_NAME:
        digest = hashlib.sha256(notebook.encode()).hexdigest()[:12]
        name = path.name.encode()[:200].decode(errors="ignore") + f"-{digest}.patch"
    return path.with_name(name).as_posix()


def notebook_path(notebook: str) -> str:
    """Return where the repaired and executed notebook lies."""
    return PurePosixPath(NOTEBOOKS, notebook).as_posix()


def lock_path(environment: str) -> str:
    """Return where the lock of an environment lies."""
    return PurePosixPath(LOCKS, f"{environment}.txt").as_posix()
