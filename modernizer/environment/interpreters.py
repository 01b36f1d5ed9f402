"""Finds the interpreter that environments are made from, or lets uv fetch one."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from modernizer.environment.uv_command import run_uv, said, uv_environment
from modernizer.errors import ModernizerError, UsageError
from modernizer.process import run

# Newest first. The newest release of all waits until the scientific packages have wheels for it, which takes most of
# its first year; below 3.11 today's numpy and pandas no longer install.
PREFERRED = ((3, 14), (3, 13), (3, 12), (3, 11))
_QUERY = (
    "import json,sys,platform;"
    "print(json.dumps([list(sys.version_info), platform.python_implementation(), sys.executable, sys.prefix != sys.base_prefix]))"
)
_WANTED = re.compile(r"(?:python)?\s*(3(?:\.\d+){0,2})")
_QUERY_SECONDS = 20.0
_FETCH_SECONDS = 600.0


@dataclass(frozen=True)
class Interpreter:
    """A Python that answered: its file, its version with the release level, and whether it is a virtual environment's."""

    path: Path
    version: tuple[int, int, int]
    is_stable: bool
    is_virtual: bool

    @property
    def text(self) -> str:
        """The version as people write it, such as 3.13.0."""
        return ".".join(map(str, self.version))


def find_python(wanted: str | None) -> Path:
    """Find the interpreter for a configured version such as "3.12", or the newest suitable one when nothing is asked for.

    Looked for on the PATH, among pyenv's and uv's versions, then fetched by uv. ModernizerError when there is none.
    """
    if wanted is None:
        return _newest()
    version = _WANTED.fullmatch(wanted.strip())
    if not version:
        raise UsageError(f"not a Python version: {wanted!r}", where="python", hint='write it as "3.13" or "3.13.2"')
    parts = tuple(map(int, version[1].split(".")))
    found = next((python for path in _candidates(parts) if (python := ask(path)) and python.version[: len(parts)] == parts), None)
    return found.path if found else _fetched(version[1])


@cache
def ask(path: Path) -> Interpreter | None:
    """Ask an interpreter what it is; None when it doesn't run (as a pyenv shim without its version) or isn't CPython."""
    try:
        done = run([str(path), "-I", "-c", _QUERY], timeout=_QUERY_SECONDS, env=uv_environment(), check=False)
        version, implementation, executable, is_virtual = json.loads(done.stdout)
    except (ModernizerError, ValueError):
        return None
    if done.returncode or implementation != "CPython":
        return None
    return Interpreter(Path(executable or path), (version[0], version[1], version[2]), version[3] == "final", is_virtual)


def _newest() -> Path:
    for parts in PREFERRED:
        for path in _candidates(parts):
            if (python := ask(path)) and python.version[:2] == parts and python.is_stable and not python.is_virtual:
                return python.path
    return Path(sys.executable)


def _candidates(parts: tuple[int, ...]) -> Iterator[Path]:
    """Yield files that may be the interpreter of a version, the likeliest first."""
    names = [f"python{'.'.join(map(str, parts[:count]))}" for count in (2, 1) if len(parts) >= count]
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    folders = [folder for folder in os.get_exec_path() if Path(folder) != pyenv / "shims"]
    yield from (Path(found) for name in names if (found := shutil.which(name, path=os.pathsep.join(folders))))
    if sys.version_info[: len(parts)] == parts:
        yield Path(getattr(sys, "_base_executable", sys.executable))
    yield from _pyenv(pyenv / "versions", parts)
    done = run_uv(["python", "find", "--managed-python", ".".join(map(str, parts))], timeout=_QUERY_SECONDS, env=uv_environment())
    if done.returncode == 0 and done.stdout.strip():
        yield Path(done.stdout.strip())


def _pyenv(versions: Path, parts: tuple[int, ...]) -> list[Path]:
    """List pyenv's interpreters of a version, the newest first."""
    found = []
    with suppress(OSError):  # no pyenv, or one of another user
        for folder in versions.iterdir():
            numbers = re.fullmatch(r"(\d+)\.(\d+)\.(\d+)", folder.name)
            version = tuple(map(int, numbers.groups())) if numbers else ()
            if version[: len(parts)] == parts and (folder / "bin" / "python").is_file():
                found.append((version, folder / "bin" / "python"))
    return [path for _, path in sorted(found, reverse=True)]


def _fetched(version: str) -> Path:
    hint = f"install Python {version}, put it on the PATH, or choose another version with 'python:'"
    # One attempt: a host that refuses the download refuses it again, and uv's own retries take half a minute.
    env = uv_environment() | {"UV_PYTHON_DOWNLOADS": "manual", "UV_HTTP_RETRIES": os.environ.get("UV_HTTP_RETRIES", "1")}
    try:
        fetched = run_uv(["python", "install", "--no-bin", version], timeout=_FETCH_SECONDS, env=env)
    except ModernizerError as error:
        raise ModernizerError(f"Python {version} is not installed here and could not be fetched", hint=hint) from error
    found = run_uv(["python", "find", "--managed-python", version], timeout=_QUERY_SECONDS, env=env)
    path = Path(found.stdout.strip())
    if fetched.returncode or found.returncode or ask(path) is None:
        what = f"Python {version} is not installed here and could not be fetched: {said(fetched)[-300:]}"
        raise ModernizerError(what, hint=hint)
    return path
