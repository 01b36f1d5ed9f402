"""User ids for confined programs when we are root: one nobody has, without a name, a home or a group."""

from __future__ import annotations

import contextlib
import os
import pwd
import secrets
import stat
import threading
from pathlib import Path

# systemd gives out the same range to services that need a user for as long as they run (DynamicUser); ids above 65535
# don't exist inside a container whose users are mapped.
FIRST, LAST = 61184, 65519
_THREADS = 17  # field 20 of proc(5)'s stat, counted after the program's name
_guard = threading.Lock()
_given: set[int] = set()


def new_identity() -> int:
    """Return a user id that no account and no process has and that was not given out before."""
    with _guard:
        if len(_given) > (LAST - FIRST) // 2:
            _given.clear()
        while True:
            number = FIRST + secrets.randbelow(LAST - FIRST + 1)
            if number not in _given and not _has_account(number) and number not in _running():
                _given.add(number)
                return number


def threads_of_user() -> int:
    """Count the threads of our own user, on which the limit for processes is counted too."""
    total = 0
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError, IndexError):
            if entry.name.isdigit() and entry.stat().st_uid == os.getuid():
                total += int((entry / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[_THREADS])
    return total


def give(folder: Path, identity: int) -> None:
    """Make a folder and all in it this user's own, closed to everybody else but root; links are not followed."""
    os.chown(folder, identity, identity, follow_symlinks=False)
    folder.chmod(stat.S_IRWXU)
    for _path, folders, files, descriptor in os.fwalk(folder):
        for name in (*folders, *files):
            os.chown(name, identity, identity, dir_fd=descriptor, follow_symlinks=False)


def take_back(folder: Path) -> None:
    """Make a folder and all in it ours, without set-user-id and set-group-id bits and not writable for others.

    Nothing of the other user may run any more.
    """
    own = os.getuid(), os.getgid()
    os.chown(folder, *own, follow_symlinks=False)
    folder.chmod(0o755)
    for _path, folders, files, descriptor in os.fwalk(folder):
        for name in (*folders, *files):
            os.chown(name, *own, dir_fd=descriptor, follow_symlinks=False)
            about = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
            if not stat.S_ISLNK(about.st_mode):
                os.chmod(name, stat.S_IMODE(about.st_mode) & 0o755, dir_fd=descriptor)


def first_closed(path: str) -> str | None:
    """Return the outermost folder on the way to a path that a user who is nobody can't enter."""
    for folder in reversed(Path(path).parents):
        try:
            if not folder.stat().st_mode & stat.S_IXOTH:
                return str(folder)
        except OSError:
            return str(folder)
    return None


def _has_account(number: int) -> bool:
    try:
        pwd.getpwuid(number)
    except KeyError:
        return False
    return True


def _running() -> set[int]:
    users = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                users.add(entry.stat().st_uid)
            except OSError:
                continue
    return users
