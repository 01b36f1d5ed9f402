"""Closes the folders of a continuous-integration runner to other users before the first notebook runs.

Only as root on a runner, where the machine or container is gone after the job: nothing is opened again.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from modernizer.sandbox.attempts import COMMAND_FILES

_FILES = (*COMMAND_FILES, "GITHUB_EVENT_PATH", "ACTIONS_ORCHESTRATION_FILE")
_FOLDERS = ("RUNNER_TEMP", "HOME")


def close_runner_folders(variables: Mapping[str, str], *, root: Path, needed: Iterable[Path] = ()) -> tuple[Path, ...]:
    """Take away everybody else's rights on the runner's folders and the repository's git folder; return what was closed.

    Does nothing elsewhere than as root with GITHUB_ACTIONS set. Folders that the repository or what is
    ``needed`` by notebooks lies in are passed over.
    """
    if os.getuid() != 0 or variables.get("GITHUB_ACTIONS") != "true":
        return ()
    wanted = [Path(variables[name]).parent for name in _FILES if variables.get(name)]
    wanted += [Path(variables[name]) for name in _FOLDERS if variables.get(name)]
    wanted.append(root / ".git")
    inside = [path.resolve() for path in (root, *needed)]
    closed = []
    for folder in dict.fromkeys(path.resolve() for path in wanted):
        if any(path.is_relative_to(folder) for path in inside) or folder == Path(folder.anchor):
            continue
        with contextlib.suppress(OSError):
            mode = stat.S_IMODE(folder.stat().st_mode)
            if mode & 0o077:
                folder.chmod(mode & 0o700)
                closed.append(folder)
    return tuple(closed)
