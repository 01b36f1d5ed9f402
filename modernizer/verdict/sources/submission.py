"""Files that a notebook wrote in its scratch copy: read as data, never through a link, never more than a limit."""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePosixPath

from modernizer.verdict.sources.table import MOST_BYTES, NotGradedError

Stamp = tuple[int, int, int]


def stamp(root: Path, names: tuple[str, ...]) -> Stamp | None:
    """Return what tells whether a file is written anew: inode, size and the instant of its last change."""
    try:
        file = _open(root, names)
    except OSError:
        return None
    try:
        status = os.fstat(file)
        return status.st_ino, status.st_size, status.st_ctime_ns
    finally:
        os.close(file)


def read_written(root: Path, places: tuple[PurePosixPath, ...], before: dict[PurePosixPath, Stamp | None]) -> bytes:
    """Return the content of the first of these files that is there and was written since ``before``.

    NotGradedError: none is there, it is the repository's own still, or it is no plain file of a fair size.
    """
    name = places[0].name
    stale = False
    for place in places:
        found = stamp(root, place.parts)
        if found is None:
            continue
        if found == before.get(place):
            stale = True
            continue
        return _content(root, place)
    if stale:
        raise NotGradedError(f"the notebook did not write {name}; the one that is there is the repository's")
    raise NotGradedError(f"the notebook did not write {name}")


def _content(root: Path, place: PurePosixPath) -> bytes:
    try:
        file = _open(root, place.parts)
    except OSError as error:
        raise NotGradedError(f"{place.name} can't be read: {error.strerror}") from None
    with os.fdopen(file, "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise NotGradedError(f"{place.name} is no plain file")
        content = stream.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise NotGradedError(f"{place.name} is larger than {MOST_BYTES // 1000**2} MB")
    return content


def _open(root: Path, names: tuple[str, ...]) -> int:
    """Open a file below ``root`` following no link at any step: the notebook may have planted one."""
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for name in names[:-1]:
            inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
        # A pipe without a writer must not hold us up.
        return os.open(names[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    finally:
        os.close(folder)
