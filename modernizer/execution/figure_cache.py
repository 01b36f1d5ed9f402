"""Matplotlib's list of fonts, built once for an environment instead of in every kernel's empty home."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

import platformdirs

from modernizer.environment.model import Environment
from modernizer.errors import ModernizerError
from modernizer.execution.child_environment import child_environment
from modernizer.process import run

_PATTERN = "fontlist-*.json"
_SECONDS = 60.0


def seed_font_list(environment: Environment, config: Path, *, cache: Path | None = None) -> None:
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
            _build(environment, folder)
        for file in folder.glob(_PATTERN):
            shutil.copyfile(file, config / file.name)


def _build(environment: Environment, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        variables = child_environment(environment, Path(temporary), marker="")
        command = [str(environment.python), "-c", "import matplotlib.font_manager"]
        run(command, timeout=_SECONDS, cwd=Path(temporary), env=variables)
        for file in Path(variables["MPLCONFIGDIR"]).glob(_PATTERN):
            os.replace(file, folder / file.name)  # noqa: PTH105 - atomic, another run may be building it too
