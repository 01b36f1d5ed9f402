"""Looks whether everything that runs need is there, and what of the sandbox holds on this machine."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psutil

from modernizer.environment.interpreters import ask, find_python
from modernizer.environment.uv_command import run_uv, uv_environment
from modernizer.errors import ModernizerError
from modernizer.sandbox.check import examine
from modernizer.sandbox.confinement import Sandbox, find_means

_ENOUGH_MEMORY = 2 * 1000**3
_ENOUGH_DISK = 5 * 1000**3
_INDEX_SECONDS = 60.0


@dataclass(frozen=True)
class Finding:
    """One thing looked at. ``needed`` says whether runs fail without it."""

    name: str
    good: bool
    detail: str
    needed: bool = True


def examine_machine(*, root: Path, cache: Path, python: str | None, variables: Mapping[str, str] = os.environ) -> list[Finding]:
    """Look at everything; nothing is raised for what is missing."""
    return [
        *_sandbox(root, cache, variables),
        _tried("uv", _uv),
        _tried("python", partial(_python, python)),
        _tried("cache", partial(_writable, cache)),
        _tried("package index", _index),
        _space("memory", psutil.virtual_memory().available, _ENOUGH_MEMORY),
        _space("disk", min(shutil.disk_usage(place).free for place in (cache, Path(tempfile.gettempdir()))), _ENOUGH_DISK),
    ]


def _sandbox(root: Path, cache: Path, variables: Mapping[str, str]) -> list[Finding]:
    try:
        report = examine(Sandbox(find_means(), dict(variables)), root=root, cache=cache)
    except ModernizerError as error:
        return [Finding("sandbox", good=False, detail=str(error))]
    held = Finding("sandbox", good=not report.failures, detail="notebook code could " + "; ".join(report.failures))
    if held.good:
        held = Finding("sandbox", good=True, detail="everything the probe tried from inside failed")
    return [held, *(Finding(f"sandbox: {item.name}", item.holds, item.detail, needed=False) for item in report.properties)]


def _tried(name: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(name, good=True, detail=look())
    except (ModernizerError, OSError) as error:
        return Finding(name, good=False, detail=str(error))


def _uv() -> str:
    return run_uv(["--version"], timeout=_INDEX_SECONDS, env=uv_environment()).stdout.strip()


def _python(wanted: str | None) -> str:
    path = find_python(wanted)
    found = ask(path)
    if found is None:
        raise ModernizerError("does not run", where=str(path))
    return f"{found.text}, {path}"


def _writable(cache: Path) -> str:
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=cache):
        return f"{cache} can be written"


def _index() -> str:
    """Resolve a package that every environment needs, without what is cached about it."""
    args = ["pip", "compile", "-", "--no-deps", "--quiet", "--python", str(find_python(None)), "--refresh-package", "ipykernel"]
    done = run_uv(args, timeout=_INDEX_SECONDS, env=uv_environment(), text="ipykernel")
    if done.returncode:
        raise ModernizerError("does not have ipykernel")
    return "answers"


def _space(name: str, free: int, enough: int) -> Finding:
    return Finding(name, free >= enough, f"{free / 1000**3:.1f} GB free, {enough / 1000**3:.0f} GB are advisable", needed=False)
