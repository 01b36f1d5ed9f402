"""Namespaces of their own for confined programs: no network, other people's folders out of sight. Standard library only.

As root with the right to mount, or as a user where the kernel lets users have user namespaces.
"""

from __future__ import annotations

import _socket  # socket takes twice as long to import as everything here together
import contextlib
import ctypes
import errno
import fcntl
import os
import stat
import struct
from collections.abc import Iterable

from modernizer.sandbox.system_calls import MOUNT_SETATTR, library_call, system_call

_NEW_MOUNTS, _NEW_IPC, _NEW_USER, _NEW_NETWORK = 0x00020000, 0x08000000, 0x10000000, 0x40000000
_NO_SUID, _NO_DEVICES, _BIND, _RECURSIVE, _PRIVATE = 2, 4, 4096, 16384, 1 << 18
_AT_RECURSIVE, _AT_EMPTY_PATH = 0x8000, 0x1000
_ATTR_READ_ONLY, _ATTR_NO_SUID = 1, 2
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 1


class _MountAttr(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "user_namespace"))


def enter(*, user: bool, network: bool) -> None:
    """Move this process into new mount and ipc namespaces and, without ``network``, one with only a loopback device.

    ``user`` makes a user namespace first, in which it stays the user it was. OSError when the kernel refuses.
    """
    ids = os.getuid(), os.getgid()
    flags = _NEW_MOUNTS | _NEW_IPC | (_NEW_USER if user else 0) | (0 if network else _NEW_NETWORK)
    library_call("unshare", flags)
    if user:
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{ids[0]} {ids[0]} 1")
        _write("/proc/self/gid_map", f"{ids[1]} {ids[1]} 1")
    _mount("none", "/", None, _RECURSIVE | _PRIVATE)
    if not network:
        _loopback_up()


def cover(folders: Iterable[str], *, read: Iterable[str], write: Iterable[str], temporary: str, shared: int) -> None:
    """Make everything read-only but ``write``, and hide folders behind empty ones with only the given paths in them.

    ``temporary`` is the private folder that becomes /tmp; ``shared`` the size in bytes of a new /dev/shm. Terminals are
    new as well. Links on the way to a path stay.
    """
    kept = dict.fromkeys(read, False) | dict.fromkeys(write, True)
    covered = _outermost(path for path in folders if os.path.isdir(path) and not os.path.islink(path))
    open_ones = [path for path in write if not any(path.startswith(f"{folder}/") for folder in covered)]
    places = {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for path in _outermost(open_ones)}
    # Landlock does not keep a user from changing the permissions of his own files; a read-only mount does.
    _set_attributes("/", on=_ATTR_READ_ONLY)
    for folder in covered:
        _cover(folder, kept, temporary if folder == "/tmp" else None)  # noqa: S108
    for path, place in places.items():
        _bind(place, path, writable=True)
        os.close(place)
    _mount("tmpfs", "/dev/shm", "tmpfs", _NO_SUID | _NO_DEVICES, f"mode=1777,size={shared}")  # noqa: S108
    # Where new terminals can't be had the old ones stay; Landlock and their owners' permissions guard those.
    with contextlib.suppress(OSError):
        _mount("devpts", "/dev/pts", "devpts", _NO_SUID, "newinstance,ptmxmode=0666,mode=0600")
        if not os.path.islink("/dev/ptmx"):
            _mount("/dev/pts/ptmx", "/dev/ptmx", None, _BIND)


def _cover(folder: str, kept: dict[str, bool], source: str | None) -> None:
    links, places = {}, {}
    for path in kept:
        for step in _steps(path):
            if not step.startswith(f"{folder}/"):
                continue
            if os.path.islink(step):
                links[step] = os.readlink(step)
            elif step == path:
                places[path] = os.open(path, os.O_PATH | os.O_CLOEXEC)
    if source is None:
        _mount("tmpfs", folder, "tmpfs", _NO_SUID | _NO_DEVICES, "mode=0755,size=1m")
    else:
        _mount(source, folder, None, _BIND)
        _set_attributes(folder, off=_ATTR_READ_ONLY)
    for link, target in links.items():
        os.makedirs(os.path.dirname(link), exist_ok=True)
        if not os.path.islink(link):
            os.symlink(target, link)
    bound: list[str] = []
    for path in sorted(places):
        if not any(path.startswith(f"{other}/") for other in bound):
            _bind(places[path], path, writable=kept[path])
            bound.append(path)
        os.close(places[path])


def _bind(descriptor: int, path: str, *, writable: bool) -> None:
    """Mount what a descriptor stands for at its path, which may have been covered."""
    os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
    if os.path.realpath(path) != path:
        raise OSError(errno.ELOOP, "a link was planted", path)
    if stat.S_ISDIR(os.fstat(descriptor).st_mode):
        os.makedirs(path, mode=0o755, exist_ok=True)
    elif not os.path.exists(path):
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o644))
    _mount(f"/proc/self/fd/{descriptor}", path, None, _BIND | _RECURSIVE)
    if writable:
        _set_attributes(path, on=_ATTR_NO_SUID, off=_ATTR_READ_ONLY)
    else:
        _set_attributes(path, on=_ATTR_NO_SUID | _ATTR_READ_ONLY)


def _set_attributes(path: str, *, on: int = 0, off: int = 0) -> None:
    """Change a mount and all below it."""
    attributes = _MountAttr(on, off, 0, 0)
    system_call(MOUNT_SETATTR, -100, path.encode(), _AT_RECURSIVE, ctypes.byref(attributes), ctypes.sizeof(attributes))


def _steps(path: str) -> list[str]:
    """Return every name a path leads over: links are not followed in it but listed with the path they lead to."""
    steps: list[str] = []
    done, pending = "", [part for part in path.split("/") if part]
    while pending and len(steps) < 200:  # noqa: PLR2004 - links in a circle lead nowhere
        part = pending.pop(0)
        if part == "..":
            done = os.path.dirname(done)
            continue
        step = f"{done}/{part}"
        steps.append(step)
        if os.path.islink(step):
            target = os.readlink(step)
            done = "" if target.startswith("/") else done
            pending = [*(piece for piece in target.split("/") if piece not in {"", "."}), *pending]
        else:
            done = step
    return steps


def _outermost(folders: Iterable[str]) -> list[str]:
    """Drop folders that lie in another one of the list."""
    chosen: list[str] = []
    for folder in sorted(set(folders)):
        if not any(folder.startswith(f"{other}/") for other in chosen):
            chosen.append(folder)
    return chosen


def _mount(source: str, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    words = [None if word is None else word.encode() for word in (source, target, kind)]
    library_call("mount", *words, flags, None if options is None else options.encode())


def _loopback_up() -> None:
    device = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)
    request = struct.pack("16sH22x", b"lo", 0)
    (flags,) = struct.unpack_from("H", fcntl.ioctl(device.fileno(), _GET_FLAGS, request), 16)
    fcntl.ioctl(device.fileno(), _SET_FLAGS, struct.pack("16sH22x", b"lo", flags | _UP))
    device.close()


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
