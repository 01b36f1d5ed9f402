"""All running kernels of this process, so that an interruption can end them at once."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from modernizer.execution.child_environment import MARKER

_SWEEPS = 50


class Live:
    """A registry of launchers (see inside/launcher.py) by process id. Safe to use from threads and signal handlers.

    Once ``kill_all`` was called no new kernel is wanted: ``stopping`` stays set until ``reset``.
    """

    def __init__(self) -> None:
        self.stopping = False
        self._launchers: dict[int, str] = {}

    @property
    def running(self) -> int:
        """Count the kernels that run."""
        return len(self._launchers)

    def add(self, launcher: int, marker: str) -> None:
        """Note a started launcher; end it at once when everything is being stopped."""
        self._launchers[launcher] = marker
        if self.stopping:
            end(launcher)

    def discard(self, launcher: int) -> None:
        """Forget a launcher that has ended."""
        self._launchers.pop(launcher, None)

    def kill_all(self) -> None:
        """Tell every launcher to kill its kernel and all below it; returns without waiting, takes no lock."""
        self.stopping = True
        for launcher in list(self._launchers):
            end(launcher)

    def reset(self) -> None:
        """Allow new kernels again."""
        self.stopping = False


LIVE = Live()


def kill_all() -> None:
    """End every kernel of this process; its sessions return executions that ended ``interrupted``."""
    LIVE.kill_all()


@contextlib.contextmanager
def stopped_by_signals(live: Live = LIVE) -> Iterator[None]:
    """While inside, the first SIGINT or SIGTERM ends all kernels, the second one does what it did before.

    Only for the main thread. Sessions then return by themselves; ask ``live.stopping`` whether that is why.
    """
    before = {signum: signal.getsignal(signum) for signum in (signal.SIGINT, signal.SIGTERM)}

    def stop(_signum: int, _frame: FrameType | None) -> None:
        restore()
        live.kill_all()

    def restore() -> None:
        for signum, handler in before.items():
            signal.signal(signum, handler)

    for signum in before:
        signal.signal(signum, stop)
    try:
        yield
    finally:
        restore()


def end(launcher: int) -> None:
    """Ask one launcher to kill everything below it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(launcher, signal.SIGTERM)


def sweep(marker: str) -> int:
    """Kill what carries a kernel's marker and is still there after its launcher is gone; return how many that were.

    Finds daemons of a launcher that was itself killed. Needs /proc; elsewhere it finds nothing.
    """
    needle = f"{MARKER}={marker}".encode()
    killed: set[int] = set()
    for _ in range(_SWEEPS):
        found = _marked(needle)
        if not found:
            break
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
                killed.add(pid)
        time.sleep(0.002)
    return len(killed)


def _marked(needle: bytes) -> list[int]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            # A zombie's environment reads empty, so it is never found again.
            if needle in (process / "environ").read_bytes().split(b"\0") and process.name != str(os.getpid()):
                found.append(int(process.name))
    return found
