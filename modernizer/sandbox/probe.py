"""Tries, from inside the sandbox, what must not work, and says what did. Standard library only, run as a script.

Standard input holds a JSON list of attempts [kind, target]; standard output gets the list of those that worked.
"""

from __future__ import annotations

import ctypes
import json
import os
import socket
import sys
from pathlib import Path

_PTRACE_ATTACH, _PTRACE_DETACH = 16, 17
_TIMEOUT = 2.0


def read(target: str) -> bool:
    """Read a byte of a file, or the names in a folder."""
    path = Path(target)
    if path.is_dir():
        return bool(os.listdir(path))  # noqa: PTH208 - one call, one permission
    with path.open("rb") as file:
        return bool(file.read(1))


def write(target: str) -> bool:
    """Open a file for writing, or make one in a folder."""
    path = Path(target)
    if not path.is_dir():
        os.close(os.open(path, os.O_WRONLY | os.O_APPEND))
        return True
    planted = path / f".modernizer-probe-{os.getpid()}"
    os.close(os.open(planted, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
    planted.unlink()
    return True


def connect(target: str) -> bool:
    """Reach a service through its socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(_TIMEOUT)
        client.connect(target)
    return True


def trace(target: str) -> bool:
    """Become the tracer of a process."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(_PTRACE_ATTACH, int(target), None, None) != 0:
        return False
    os.waitpid(int(target), 0)
    libc.ptrace(_PTRACE_DETACH, int(target), None, None)
    return True


def memory(target: str) -> bool:
    """Open a process's memory."""
    os.close(os.open(f"/proc/{target}/mem", os.O_RDONLY))
    return True


def signal(target: str) -> bool:
    """Be allowed to send a process a signal."""
    os.kill(int(target), 0)
    return True


def become(target: str) -> bool:
    """Become another user."""
    if os.getuid() == int(target):
        return False
    os.setuid(int(target))
    return True


def datagram(target: str) -> bool:
    """Send a datagram to an address outside."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.connect((target, 53))
    return True


def stream(target: str) -> bool:
    """Open a connection to an address outside; one that is under way counts."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as client:
        client.settimeout(_TIMEOUT / 10)
        try:
            client.connect((target, 80))
        except (TimeoutError, ConnectionError):
            return True
    return True


_KINDS = {kind.__name__: kind for kind in (read, write, connect, trace, memory, signal, become, datagram, stream)}


def main() -> None:
    """Make every attempt."""
    worked = []
    for kind, target in json.load(sys.stdin):
        try:
            if _KINDS[kind](target):
                worked.append([kind, target])
        except OSError:
            continue
    json.dump(worked, sys.stdout)


if __name__ == "__main__":
    main()
