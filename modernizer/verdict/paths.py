"""Paths as old notebooks write them: Kaggle, Colab, Windows drives and other people's home folders."""

from __future__ import annotations

import re
from pathlib import Path

_FOREIGN = re.compile(
    r"^(?:[A-Za-z]:[\\/]|\\\\|~|/kaggle\b|/content\b|/home/|/Users/|/root/|/mnt/|/data/|/gdrive\b|(?:\.\./)+input\b|dbfs:|/dbfs|/tmp/)"
)
# What the letter or digit behind a backslash was read as, by the two of them.
_ESCAPED = str.maketrans({"\a": "/a", "\b": "/b", "\f": "/f", "\n": "/n", "\r": "/r", "\t": "/t", "\v": "/v"}) | {
    number: f"/{number}" for number in range(1, 7)
}
_POINTER = b"version https://git-lfs.github.com/spec/"


def normal(path: str) -> str:
    """Write a path with slashes and without a leading ``./``; a backslash that made an escape of the next letter is one too."""
    slashed = path.translate(_ESCAPED).replace("\\", "/")
    while slashed.startswith("./"):
        slashed = slashed[2:]
    return slashed


def is_foreign(path: str) -> bool:
    """Tell whether a path names a place on the author's machine or on a hosted service, ``../input`` of Kaggle included."""
    return bool(_FOREIGN.match(path))


def is_pointer(path: Path) -> bool:
    """Tell whether a file is a git-lfs pointer instead of the data it stands for."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(len(_POINTER)) == _POINTER
    except OSError:
        return False
