"""System calls that Python has no function for. Standard library only: runs in the launcher, without site-packages."""

from __future__ import annotations

import contextlib
import ctypes
import os

LANDLOCK_CREATE_RULESET = 444
LANDLOCK_ADD_RULE = 445
LANDLOCK_RESTRICT_SELF = 446
MOUNT_SETATTR = 442
# Numbers below 424 differ between architectures; only what is listed here can be used.
NUMBERS = {
    "x86_64": {
        "chmod": 90, "chown": 92, "fchmodat": 268, "fchmodat2": 452, "fchownat": 260, "lchown": 94, "lremovexattr": 198,
        "lsetxattr": 189, "removexattr": 197, "removexattrat": 466, "setxattr": 188, "setxattrat": 463,
        "add_key": 248, "bpf": 321, "clone": 56, "clone3": 435, "fsconfig": 431, "fsmount": 432, "fsopen": 430,
        "init_module": 175, "finit_module": 313, "io_uring_setup": 425, "kcmp": 312, "kexec_load": 246, "keyctl": 250,
        "mount": 165,
        "mount_setattr": 442, "move_mount": 429, "open_by_handle_at": 304, "open_tree": 428, "perf_event_open": 298,
        "pidfd_getfd": 438, "pivot_root": 155, "process_vm_readv": 310, "process_vm_writev": 311, "ptrace": 101,
        "request_key": 249, "setns": 308, "socket": 41, "umount2": 166, "unshare": 272,
        "userfaultfd": 323,
    },
    "aarch64": {
        "fchmodat": 53, "fchmodat2": 452, "fchownat": 54, "lremovexattr": 15, "lsetxattr": 6, "removexattr": 14,
        "removexattrat": 466, "setxattr": 5, "setxattrat": 463,
        "add_key": 217, "bpf": 280, "clone": 220, "clone3": 435, "fsconfig": 431, "fsmount": 432, "fsopen": 430,
        "init_module": 105, "finit_module": 273, "io_uring_setup": 425, "kcmp": 272, "kexec_load": 104, "keyctl": 219,
        "mount": 40,
        "mount_setattr": 442, "move_mount": 429, "open_by_handle_at": 265, "open_tree": 428, "perf_event_open": 241,
        "pidfd_getfd": 438, "pivot_root": 41, "process_vm_readv": 270, "process_vm_writev": 271, "ptrace": 117,
        "request_key": 218, "setns": 268, "socket": 198, "umount2": 39, "unshare": 97,
        "userfaultfd": 282,
    },
}  # fmt: skip

_PR_CAPBSET_DROP = 24
_PR_SET_NO_NEW_PRIVS = 38
_libc = ctypes.CDLL(None, use_errno=True)


def system_call(number: int, *arguments: object) -> int:
    """Make a system call; OSError when it fails."""
    return checked(int(_libc.syscall(ctypes.c_long(number), *(_word(argument) for argument in arguments))))


def library_call(name: str, *arguments: object) -> int:
    """Call a function of the C library that sets errno; OSError when it fails."""
    return checked(int(getattr(_libc, name)(*(_word(argument) for argument in arguments))))


def checked(result: int) -> int:
    """Return a result that is not -1; OSError from errno otherwise."""
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def give_up_new_privileges() -> None:
    """From now on no program started gains rights by its set-user-id bit or file capabilities."""
    library_call("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def give_up_capabilities() -> None:
    """From now on a program started by root has no more rights than the files' owner; without it CAP_PERFMON reads all."""
    with contextlib.suppress(OSError):  # the first number that the kernel doesn't know, or no right to drop any
        for number in range(64):
            library_call("prctl", _PR_CAPBSET_DROP, number, 0, 0, 0)


def machine() -> str:
    """Return the architecture's name as the kernel has it."""
    return os.uname().machine


def _word(argument: object) -> object:
    """Pass integers as full machine words: a vararg function reads eight bytes."""
    return ctypes.c_long(argument) if isinstance(argument, int) else argument
