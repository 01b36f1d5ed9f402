"""A filter of system calls that no notebook needs and that lead around the other walls. Standard library only."""

from __future__ import annotations

import ctypes
import errno
import struct

from modernizer.sandbox.system_calls import NUMBERS, library_call, machine

_PR_SET_SECCOMP = 22
_MODE_FILTER = 2
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000
_CLONE_NEW = 0x7E020000  # every flag of clone that makes a namespace, CLONE_NEWTIME aside, which clone doesn't take
_UNIX, _NETLINK = 1, 16
# seccomp_data: number, architecture, instruction pointer, then six arguments of eight bytes.
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_REFUSED = (
    "add_key", "bpf", "finit_module", "fsconfig", "fsmount", "fsopen", "init_module", "io_uring_setup", "kcmp", "kexec_load",
    "keyctl", "mount", "mount_setattr", "move_mount", "open_by_handle_at", "open_tree", "perf_event_open", "pidfd_getfd",
    "pivot_root", "process_vm_readv", "process_vm_writev", "ptrace", "request_key", "setns", "umount2", "unshare",
    "userfaultfd",
)  # fmt: skip

_OF_OWNERS = (
    "chmod", "chown", "fchmodat", "fchmodat2", "fchownat", "lchown", "lremovexattr", "lsetxattr", "removexattr",
    "removexattrat", "setxattr", "setxattrat",
)  # fmt: skip


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def is_known_machine() -> bool:
    """Tell whether the filter can be written for this architecture."""
    return machine() in _ARCHITECTURES


def restrict(*, internet: bool, permissions: bool) -> None:
    """Refuse the calls above with EPERM; without ``internet`` also sockets that are not local. Needs no_new_privs.

    Without ``permissions`` changes of owners, permissions and attributes by path come to nothing and say they did not
    fail: Landlock doesn't know them, and copying a file must go on. OSError when the kernel refuses. Does nothing on an
    architecture whose numbers we don't know.
    """
    if not is_known_machine():
        return
    code = b"".join(_instructions(internet=internet, permissions=permissions))
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.addressof(buffer))
    library_call("prctl", _PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program), 0, 0)


def _instructions(*, internet: bool, permissions: bool) -> list[bytes]:
    numbers = NUMBERS[machine()]
    refuse = _op(_RETURN, _ERRNO | errno.EPERM)
    code = [
        _op(_LOAD, _ARCHITECTURE),
        _op(_EQUAL, _ARCHITECTURES[machine()], yes=1),
        refuse,
        _op(_LOAD, _NUMBER),
    ]
    if machine() == "x86_64":
        code += [_op(_AT_LEAST, _X32, no=1), refuse]
    for name in _REFUSED:
        code += [_op(_EQUAL, numbers[name], no=1), refuse]
    for name in () if permissions else _OF_OWNERS:
        if name in numbers:
            code += [_op(_EQUAL, numbers[name], no=1), _op(_RETURN, _ERRNO)]
    # The C library falls back to clone, whose flags can be looked at.
    code += [_op(_EQUAL, numbers["clone3"], no=1), _op(_RETURN, _ERRNO | errno.ENOSYS)]
    code += [_op(_EQUAL, numbers["clone"], no=4), _op(_LOAD, _FIRST_ARGUMENT), _op(_ANY_BIT, _CLONE_NEW, no=1), refuse]
    code += [_op(_RETURN, _ALLOW)]
    if not internet:
        code += [_op(_EQUAL, numbers["socket"], no=4), _op(_LOAD, _FIRST_ARGUMENT)]
        code += [_op(_EQUAL, _UNIX, yes=2), _op(_EQUAL, _NETLINK, yes=1), _op(_RETURN, _ERRNO | errno.EACCES)]
    return [*code, _op(_RETURN, _ALLOW)]


def _op(code: int, value: int, *, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)
