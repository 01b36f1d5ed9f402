"""Landlock: the kernel's own way for an unprivileged process to give up rights. Standard library only.

Rights and versions (ABI) are those of the kernel's user-space API, Documentation/userspace-api/landlock.rst.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable

from modernizer.sandbox.system_calls import (
    LANDLOCK_ADD_RULE,
    LANDLOCK_CREATE_RULESET,
    LANDLOCK_RESTRICT_SELF,
    system_call,
)

TCP_ABI = 4
SCOPE_ABI = 6
UNIX_SOCKET_ABI = 9
_VERSION_FLAG = 1
_PATH_BENEATH = 1
_READ = 1 << 0 | 1 << 2 | 1 << 3  # execute, read files, read folders
_WRITE = 0b1111111110010  # write files, remove and make everything
_REFER, _TRUNCATE, _IOCTL_DEVICE, _RESOLVE_UNIX = 1 << 13, 1 << 14, 1 << 15, 1 << 16
_ON_FILES = 1 << 0 | 1 << 1 | 1 << 2 | _TRUNCATE | _IOCTL_DEVICE | _RESOLVE_UNIX
_MAKE_DEVICES = 1 << 6 | 1 << 11
_TCP = 0b11  # bind, connect
_SCOPES = 0b11  # abstract unix sockets, signals


class _RulesetAttr(ctypes.Structure):
    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def abi() -> int:
    """Return the version of Landlock the running kernel has; 0 without it."""
    try:
        return system_call(LANDLOCK_CREATE_RULESET, None, 0, _VERSION_FLAG)
    except OSError:
        return 0


def handled(version: int) -> int:
    """Return all rights on files that this version knows."""
    rights = _READ | _WRITE
    for since, right in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL_DEVICE), (UNIX_SOCKET_ABI, _RESOLVE_UNIX)):
        if version >= since:
            rights |= right
    return rights


def restrict(*, read: Iterable[str], write: Iterable[str], devices: Iterable[str], tcp: bool) -> None:
    """Give up, for this process and all it starts, what is not named; paths that don't exist are passed over.

    ``read`` may be read and executed, ``write`` all that and changed, ``devices`` read, written and controlled. Without
    ``tcp`` no port can be bound or connected to. Processes outside can't be signalled nor traced. Needs no_new_privs.
    OSError when the kernel refuses.
    """
    version = abi()
    rights = handled(version)
    attr = _RulesetAttr(rights, 0 if tcp or version < TCP_ABI else _TCP, _SCOPES if version >= SCOPE_ABI else 0)
    size = 8 if version < TCP_ABI else 16 if version < SCOPE_ABI else 24
    ruleset = system_call(LANDLOCK_CREATE_RULESET, ctypes.byref(attr), size, 0)
    try:
        for paths, allowed in (
            (read, _READ),
            (write, rights & ~(_IOCTL_DEVICE | _MAKE_DEVICES)),
            (devices, 1 << 1 | 1 << 2 | 1 << 3 | _TRUNCATE | _IOCTL_DEVICE),
        ):
            for path in paths:
                _allow(ruleset, path, allowed & rights)
        system_call(LANDLOCK_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= _ON_FILES
        rule = _PathBeneath(rights, descriptor)
        system_call(LANDLOCK_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(descriptor)
