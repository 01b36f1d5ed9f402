"""Measure and limit the memory of a kernel and everything it started."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

import psutil

INTERVAL = 0.2


class MemoryWatch:
    """Samples a process tree about five times a second; ``peak`` is the largest sample since ``begin``, in bytes.

    The sum counts pages that forked workers share once per worker, so before anything is killed the exact
    proportional sizes are asked for.
    """

    def __init__(self, launcher: int, *, memory: int, processes: int) -> None:
        self.peak = 0
        self._root = psutil.Process(launcher)
        self._memory = memory
        self._processes = processes
        self._kernel: psutil.Process | None = None

    def begin(self) -> None:
        """Start a new peak, at what the kernel itself takes now."""
        self.peak = 0
        self.note()

    def note(self) -> None:
        """Take the kernel's own size into the peak; costs microseconds."""
        with contextlib.suppress(psutil.Error):
            if self._kernel is None:
                self._kernel = next(iter(self._root.children()), None)
            if self._kernel is not None:
                self.peak = max(self.peak, self._kernel.memory_info().rss)

    async def watch(self, exceeded: Callable[[str], None]) -> None:
        """Sample until cancelled; call ``exceeded`` with the reason when a limit is passed."""
        while True:
            await asyncio.sleep(INTERVAL)
            reason = self.sample()
            if reason:
                exceeded(reason)
                return

    def sample(self) -> str:
        """Measure the tree once; return why it must end, or nothing."""
        try:
            tree = self._root.children(recursive=True)
        except psutil.Error:
            return ""
        if len(tree) > self._processes:
            return f"processes: more than {self._processes} at once"
        used = sum(_resident(process) for process in tree)
        if used > self._memory and len(tree) > 1:
            used = sum(_proportional(process) for process in tree)
        self.peak = max(self.peak, used)
        if used > self._memory:
            return f"memory: {_gigabytes(used)} used, the limit is {_gigabytes(self._memory)}"
        return ""


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0


def _proportional(process: psutil.Process) -> int:
    try:
        full = process.memory_full_info()
    except psutil.Error:
        return _resident(process)
    return int(getattr(full, "pss", full.rss))


def _gigabytes(size: int) -> str:
    return f"{size / 1000**3:.2f} GB"
