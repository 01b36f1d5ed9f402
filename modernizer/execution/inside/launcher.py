"""Start a kernel with its limits, watch over everything it starts, and end all of it with the kernel.

Run by the runner's own interpreter (``-I -S``): an environment that a notebook's packages were installed into is not
trusted before the limits hold. Orphans come back to this process (it is their subreaper), so none is out of reach.
Standard input is the life line: when the runner dies, however it dies, it closes and everything here ends.
SIGTERM ends everything at once, SIGINT goes to the kernel. The exit status is the kernel's.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import select
import signal
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

_PR_SET_CHILD_SUBREAPER = 36
_KILL_SECONDS = 10.0
_OOM_PREFERENCE = "500"  # when the machine runs out of memory the notebook goes first, not the runner


def main() -> NoReturn:
    """Launch what the JSON file named on the command line says, and leave as the kernel left."""
    spec = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    _adopt_orphans()
    wake, signalled = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(signalled, False)
    signal.set_wakeup_fd(signalled, warn_on_full_buffer=False)
    for signum in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
        signal.signal(signum, _woken)
    kernel = os.fork()
    if kernel == 0:
        _become_kernel(spec)
    status = _watch(kernel, wake)
    _end_everything((spec.get("restrictions") or {}).get("uid"))
    _leave(status)


def _woken(_signum: int, _frame: object) -> None:
    """Do nothing: the wake-up descriptor carries the signal's number."""


def _adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends (Linux; elsewhere only groups are killed)."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _become_kernel(spec: dict[str, Any]) -> NoReturn:
    """Apply the limits in the child and replace it with the kernel's interpreter."""
    try:
        # The runner's Popen gave this process the kernel's environment; the parent poller must watch the launcher.
        environment = {**os.environ, "JPY_PARENT_PID": str(os.getppid())}
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        for name, value in spec["limits"].items():
            _limit(getattr(resource, name), value)
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text(_OOM_PREFERENCE, encoding="ascii")
        signal.set_wakeup_fd(-1)
        for signum in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGPIPE):
            signal.signal(signum, signal.SIG_DFL)
        if spec.get("restrictions"):
            _confine(spec["restrictions"])
        os.execve(spec["argv"][0], spec["argv"], environment)  # noqa: S606 - an argument list, no shell
    except OSError as error:
        sys.stderr.write(f"the kernel can't be started: {spec['argv'][0]}: {error.strerror or error}\n")
        sys.stderr.flush()
    finally:
        os._exit(127)


def _confine(restrictions: dict[str, Any]) -> None:
    """Give up every right the notebook doesn't need."""
    sys.path.append(restrictions["code"])
    from modernizer.sandbox.enter import confine  # noqa: PLC0415 - found only now, and without the site's packages

    confine(restrictions)


def _limit(kind: int, value: int) -> None:
    """Lower a limit; one that is already tighter stays."""
    _soft, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(kind, (value, value))


def _watch(kernel: int, wake: int) -> int | None:
    """Wait for the kernel's end and return its status; None when the runner wants, or needs, the end."""
    poller = select.poll()
    poller.register(wake, select.POLLIN)
    poller.register(0, select.POLLIN | select.POLLHUP)
    while True:
        ready = {descriptor for descriptor, _events in poller.poll()}
        signals: bytes = b""
        if wake in ready:
            with contextlib.suppress(BlockingIOError):
                signals = os.read(wake, 4096)
        if 0 in ready or signal.SIGTERM in signals:
            return None
        if signal.SIGINT in signals:
            with contextlib.suppress(ProcessLookupError):
                os.kill(kernel, signal.SIGINT)
        for pid, status in _reaped():
            if pid == kernel:
                return status


def _reaped() -> list[tuple[int, int]]:
    """Collect every child that has ended: kernel and adopted orphans alike."""
    ended: list[tuple[int, int]] = []
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == 0:
            return ended
        ended.append((pid, status))


def _end_everything(user: int | None) -> None:
    """Kill all descendants, group by group so that a fork bomb can't outrun it, until none is left.

    Where the kernel has a user of its own all that user's processes are killed at one blow.
    """
    if user:  # never root's
        _kill_all_of(user)
    deadline = time.monotonic() + _KILL_SECONDS
    while time.monotonic() < deadline:
        _reaped()
        alive = _descendants()
        if not alive:
            return
        own = os.getpgrp()
        for group in {group for _pid, group in alive if group > 1 and group != own}:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
        for pid, _group in alive:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.002)


def _kill_all_of(user: int) -> None:
    killer = os.fork()
    if killer == 0:
        try:
            os.setresuid(user, user, user)
            if os.getuid() == os.geteuid() == user:
                os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)
    os.waitpid(killer, 0)


def _descendants() -> list[tuple[int, int]]:
    """Return (pid, process group) of every living process below this one."""
    children: dict[int, list[tuple[int, int]]] = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            line = (process / "stat").read_text(encoding="ascii", errors="replace")
        except OSError:
            continue
        state, parent, group = line.rpartition(")")[2].split()[:3]
        if state not in "ZX":
            children.setdefault(int(parent), []).append((int(process.name), int(group)))
    found: list[tuple[int, int]] = []
    pending = [os.getpid()]
    while pending:
        below = children.get(pending.pop(), [])
        found += below
        pending += [pid for pid, _group in below]
    return found


def _leave(status: int | None) -> NoReturn:
    """Exit with the kernel's code or die of its signal."""
    if status is None:
        os._exit(0)
    if os.WIFSIGNALED(status):
        signum = os.WTERMSIG(status)
        if signum != signal.SIGKILL:
            signal.signal(signum, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.kill(os.getpid(), signum)
        time.sleep(1)
    os._exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 1)


if __name__ == "__main__":
    main()
