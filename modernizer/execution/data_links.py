"""Make absolute places that old notebooks read from (such as /kaggle/input) lead into the scratch copy for a while."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from modernizer.execution.big_files import Mentions


class DataLinks:
    """Links from absolute places to folders of a scratch copy; only for places that some text mentions and that don't exist.

    A place is one for the whole machine, so runs that need the same one wait for each other.
    """

    def __init__(self, data: Mapping[str, str]) -> None:
        self._data = dict(data)
        self._made: list[Path] = []
        self._locks: list[IO[bytes]] = []

    @property
    def made(self) -> tuple[Path, ...]:
        """Return the links that were made."""
        return tuple(path for path in self._made if path.is_symlink())

    def make(self, root: Path, mentions: Mentions) -> list[str]:
        """Make the links into the copy at ``root``; return a note for each that can't be made."""
        notes = []
        # Always in the same order, so that two runs can't wait for each other in a circle.
        for place, target in sorted(self._data.items()):
            link, folder = Path(place), root / target
            if not mentions.name(place.rstrip("/")):
                continue
            if not link.is_absolute() or not folder.resolve().is_relative_to(root):
                notes.append(f"data: {place}: {target} is not an absolute place and a folder of the repository")
                continue
            self._lock(place)
            if link.exists():
                continue
            try:
                self._link(link, folder)
            except OSError as error:
                notes.append(f"data: {place} can't be made here: {error.strerror or error}")
        return notes

    def remove(self) -> None:
        """Remove what was made and let the next run in."""
        for path in reversed(self._made):
            with contextlib.suppress(OSError):
                path.unlink() if path.is_symlink() else path.rmdir()
        self._made = []
        for lock in self._locks:
            lock.close()
        self._locks = []

    def _link(self, link: Path, folder: Path) -> None:
        for parent in reversed(link.parents):
            if not parent.exists():
                parent.mkdir()
                self._made.append(parent)
        if link.is_symlink():
            link.unlink()  # left by a run that was killed: it leads nowhere
        link.symlink_to(folder, target_is_directory=True)
        self._made.append(link)

    def _lock(self, place: str) -> None:
        name = f"nm-data-{os.getuid()}-{hashlib.sha256(place.encode()).hexdigest()[:16]}.lock"
        lock = Path(tempfile.gettempdir(), name).open("wb")  # noqa: SIM115 - held until remove
        self._locks.append(lock)
        fcntl.flock(lock, fcntl.LOCK_EX)
