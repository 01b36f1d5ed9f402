"""Which notebooks a pull request concerns: those it changes, and those that import modules it changes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from modernizer.config import CONFIG_NAMES
from modernizer.discovery import Found
from modernizer.environment.local_modules import local_modules
from modernizer.errors import NotebookError
from modernizer.git_objects import is_commit_id, run_git
from modernizer.notebook import read_notebook

# What says which packages every notebook gets, wherever it lies.
_DECLARES = ("pyproject.toml", "environment.yml", "environment.yaml", "setup.py", "setup.cfg", "Pipfile", *CONFIG_NAMES)


def changed_files(root: Path, base: str) -> frozenset[str] | None:
    """Return the files that differ between the checked out commit and where it left the base; None when git can't tell.

    It can't when the base is not in the checkout: actions/checkout brings it with ``fetch-depth: 0``.
    """
    if not is_commit_id(base):
        return None
    done = run_git(["diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", f"{base}...HEAD"], root)
    return frozenset(filter(None, done.stdout.split("\0"))) if done.returncode == 0 else None


def concerned(found: Sequence[Found], changed: frozenset[str], root: Path) -> list[str]:
    """Return the notebooks that are changed or import, directly or not, a changed module; all when packages change."""
    if any(_declares(PurePosixPath(name)) for name in changed):
        return [item.path for item in found]
    modules = any(name.endswith((".py", ".ipynb")) for name in changed)
    return [item.path for item in found if item.path in changed or (modules and _imports(item.path, changed, root))]


def _declares(path: PurePosixPath) -> bool:
    return path.name in _DECLARES or ("requirements" in path.name and path.suffix in {".txt", ".in"})


def _imports(path: str, changed: frozenset[str], root: Path) -> bool:
    try:
        notebook = read_notebook(root / path, name=path)
    except NotebookError:
        return False
    return not changed.isdisjoint(local_modules(notebook, root=Path(os.path.realpath(root))))
