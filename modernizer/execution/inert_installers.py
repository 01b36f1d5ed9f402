"""Stand-ins for pip and conda on a kernel's PATH: a shell cell or a script that installs goes on without harm."""

from __future__ import annotations

from pathlib import Path

_NAMES = ("pip", "pip3", "conda", "mamba", "micromamba", "easy_install")
_SCRIPT = """#!/bin/sh
echo "[modernizer] not run, the environment is already built: $(basename "$0") $*"
"""


def write_inert_installers(folder: Path) -> None:
    """Write one script for each installer; all of them only say that they were called."""
    for name in _NAMES:
        script = folder / name
        script.write_text(_SCRIPT, encoding="utf-8")
        script.chmod(0o755)
