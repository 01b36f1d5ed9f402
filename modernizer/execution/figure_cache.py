"""Matplotlib's list of fonts, built once for an environment instead of in every kernel's empty home."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import threading
from pathlib import Path

import platformdirs

from modernizer.environment.model import Environment
from modernizer.errors import ModernizerError
from modernizer.execution.child_environment import child_environment
from modernizer.process import run
from modernizer.sandbox.confinement import Sandbox
from modernizer.sandbox.identity import give

_PATTERN = "fontlist-*.json"
_SECONDS = 60.0
_LARGEST = 32 << 20


def seed_font_list(environment: Environment, config: Path, *, sandbox: Sandbox | None = None, cache: Path | None = None) -> None:
    """Copy the font list of an environment with matplotlib into a kernel's matplotlib folder.

    It is made without any notebook's code, so a notebook can't plant one for the next. A failure costs time only.
    """
    version = environment.packages.get("matplotlib")
    if version is None:
        return
    place = cache or Path(platformdirs.user_cache_dir("notebook-modernizer"))
    folder = place / "matplotlib" / f"{environment.id}-{version}"
    with contextlib.suppress(OSError, ModernizerError):
        if not any(folder.glob(_PATTERN)):
            _build(environment, folder, sandbox)
        for file in folder.glob(_PATTERN):
            shutil.copyfile(file, config / file.name)


def _build(environment: Environment, folder: Path, sandbox: Sandbox | None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    command = [str(environment.python), "-c", "import matplotlib.font_manager"]
    with contextlib.ExitStack() as stack:
        if sandbox is None:
            place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            variables = child_environment(environment, place, marker="")
        else:
            room = stack.enter_context(sandbox.room())
            place = room.folder
            variables = child_environment(environment, place, marker="")
            if room.identity is not None:
                give(place, room.identity)
            restrictions = sandbox.restrictions(python=environment.python, temporary=place, identity=room.identity, network=False)
            command = sandbox.command(restrictions, command)
        run(command, timeout=_SECONDS, cwd=place, env=variables)
        for file in Path(variables["MPLCONFIGDIR"]).glob(_PATTERN):
            _take(file, folder / file.name)


def _take(file: Path, target: Path) -> None:
    """Copy a file of foreign making, whole or not at all; a link in its place is an OSError."""
    descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as source:
        content = source.read(_LARGEST)
    part = target.with_name(f".{target.name}.{os.getpid()}-{threading.get_ident()}")
    part.write_bytes(content)
    part.replace(target)
