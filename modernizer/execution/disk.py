"""Limit what a notebook may put on the disk, all files together."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path

_BLOCK = 512  # bytes, whatever the file system's own are
_INTERVAL = 0.5
_RESERVE = 512 << 20
_MUCH = 256 << 20


class DiskWatch:
    """Watches folders that grow; ``limit`` is how much, in bytes.

    Asking how much space is free costs nothing, so folders are measured only once that much of it is gone. Files that
    were deleted and are still open can't be measured: when the disk is nearly full what has written much is ended.
    """

    def __init__(self, folders: Sequence[Path], *, limit: int) -> None:
        self._folders = folders
        self._limit = limit
        self._free = _free(folders[0])
        self._before: int | None = None

    async def watch(self, exceeded: Callable[[str], None]) -> None:
        """Look until cancelled; call ``exceeded`` with the reason when the limit is passed."""
        self._before = self._before if self._before is not None else await asyncio.to_thread(self._size)
        while True:
            await asyncio.sleep(_INTERVAL)
            free = _free(self._folders[0])
            gone = self._free - free
            if gone <= min(self._limit, _MUCH):
                continue
            grown = await asyncio.to_thread(self._size) - self._before
            if grown > self._limit:
                exceeded(f"disk: {grown / 1000**3:.2f} GB written, the limit is {self._limit / 1000**3:.2f} GB")
                return
            if free < _RESERVE:
                exceeded("disk: nearly full")
                return

    def _size(self) -> int:
        return sum(_below(folder) for folder in self._folders)


def _free(folder: Path) -> int:
    about = os.statvfs(folder)
    return about.f_bavail * about.f_frsize


def _below(folder: Path) -> int:
    """Return the bytes a folder takes on the disk; what vanishes meanwhile counts nothing."""
    total, pending = 0, [str(folder)]
    while pending:
        with contextlib.suppress(OSError), os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                with contextlib.suppress(OSError):
                    total += entry.stat(follow_symlinks=False).st_blocks * _BLOCK
    return total
