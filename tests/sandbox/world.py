"""Becomes one of the places the product runs in, then the program named: container (root without the right to mount) or user.

python -I -S world.py KIND CODE READ,READ... WRITE PROGRAM ARGUMENT...; only for root. Root's home, where interpreters may
be, is replaced by a copy everybody can enter that holds only what is named.
"""

# ruff: noqa: S108, S606, PLC0415 - it becomes another program, in a world with its own /tmp
from __future__ import annotations

import ctypes
import os
import sys

USER = 61100
# Docker's default capabilities; not among them: SYS_ADMIN, SYS_PTRACE, DAC_READ_SEARCH.
CONTAINER = {0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31}


def main() -> None:
    kind, code, read, write = sys.argv[1:5]
    sys.path.append(code)
    from modernizer.sandbox import namespaces

    reads = read.split(",")
    namespaces.enter(user=False, network=True)
    namespaces.cover(["/root"], read=reads, write=[write, "/tmp", "/var/tmp", "/proc"], temporary="/tmp", shared=1 << 30)
    if kind == "container":
        for number in set(range(41)) - CONTAINER:
            ctypes.CDLL(None).prctl(24, number, 0, 0, 0)
    else:
        os.setgroups([])
        os.setresgid(USER, USER, USER)
        os.setresuid(USER, USER, USER)
    os.execv(sys.argv[5], sys.argv[5:])


if __name__ == "__main__":
    main()
