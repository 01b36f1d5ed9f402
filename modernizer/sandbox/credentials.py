"""Keys and tokens are read once and then gone from our own environment, also from where /proc shows it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path

from modernizer.sandbox.system_calls import library_call

_SECRET = re.compile(r"TOKEN|SECRET|PASSW(?:OR)?D|(?:API|ACCESS|PRIVATE|MODEL)[_-]?KEY", re.IGNORECASE)
# uv reads its own credentials from the environment that it is given, and nothing else is given that.
_KEPT_PREFIXES = ("UV_",)
_ENV_START, _ENV_END = 47, 48  # fields 50 and 51 of proc(5)'s stat, counted after the program's name
_PR_SET_DUMPABLE = 4


class Secrets(Mapping[str, str]):
    """Secret values by the variable that held them. Never shown: text made of it holds names only."""

    def __init__(self, values: Mapping[str, str]) -> None:
        """Keep a copy of the values."""
        self._values = dict(values)

    def __getitem__(self, name: str) -> str:
        """Return the value of a variable."""
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._values)

    def __len__(self) -> int:
        """Count them."""
        return len(self._values)

    def __repr__(self) -> str:
        """Return the names."""
        return f"Secrets({', '.join(sorted(self._values))})"


def take_secrets(environ: MutableMapping[str, str] = os.environ) -> Secrets:
    """Take keys, tokens and passwords out of an environment; of our own they are also wiped from the block /proc shows."""
    names = [name for name, value in environ.items() if value and _SECRET.search(name) and not name.startswith(_KEPT_PREFIXES)]
    taken = Secrets({name: environ.pop(name) for name in names})
    if environ is os.environ and taken:
        _wipe({os.fsencode(name) for name in taken})
    return taken


def hide_process() -> None:
    """Close this process's memory and /proc entries to other processes of the same user; what it starts is not closed."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            library_call("prctl", _PR_SET_DUMPABLE, 0, 0, 0, 0)


def _wipe(names: set[bytes]) -> None:
    """Overwrite values in the block of variables this process was started with. They must be unset by now."""
    try:
        fields = Path("/proc/self/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return
    start, end = int(fields[_ENV_START]), int(fields[_ENV_END])
    if not 0 < start < end:
        return
    offset = start
    for entry in ctypes.string_at(start, end - start).split(b"\0"):
        name, equals, value = entry.partition(b"=")
        if equals and name in names:
            ctypes.memset(offset + len(name) + 1, 0, len(value))
        offset += len(entry) + 1
