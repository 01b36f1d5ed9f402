"""The date a notebook was written for: configuration, else its first commit, else its metadata, else unknown."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal

from modernizer.errors import ModernizerError
from modernizer.notebook import Notebook
from modernizer.process import run

_SECONDS = 30.0
_METADATA_KEYS = ("date", "created", "last_modified", "modified")


@dataclass(frozen=True)
class NotebookDate:
    """A notebook's date and where it comes from. ``note`` says what makes it unsure."""

    day: date | None
    origin: Literal["command line", "configuration", "first commit", "metadata", "unknown"] = "unknown"
    note: str = ""


def notebook_date(notebook: Notebook, *, root: Path, configured: date | None) -> NotebookDate:
    """Find the date of a notebook; never a guess."""
    if configured is not None:
        return NotebookDate(configured, "configuration")
    committed = _first_commit(notebook.path, root)
    if committed.day is not None:
        return committed
    written = _metadata_date(notebook)
    if written is not None:
        return NotebookDate(written, "metadata", committed.note)
    return NotebookDate(None, "unknown", committed.note)


def _first_commit(path: str, root: Path) -> NotebookDate:
    try:
        shallow = run(["git", "rev-parse", "--is-shallow-repository"], cwd=root, timeout=_SECONDS, check=False)
        if shallow.returncode:
            return NotebookDate(None)
        lines = _additions(path, root)
        if not lines:
            return NotebookDate(None)
        commit, _, instant = lines[-1].partition(" ")
        if shallow.stdout.strip() == "true" and _is_grafted(commit, root):
            # Everything seems to be added in the oldest commit that a shallow clone has.
            return NotebookDate(None, note="a shallow clone: the file's first commit is not in it; fetch the whole history")
        return NotebookDate(datetime.fromisoformat(instant).date(), "first commit")
    except (ModernizerError, ValueError):
        return NotebookDate(None)


def _additions(path: str, root: Path) -> list[str]:
    """List hash and time of the commits that added a file, the first one last, through renames."""
    follow, rest = ["git", "log", "--follow"], ["--diff-filter=A", "--format=%H %aI", "--", path]
    found = run([*follow, *rest], cwd=root, timeout=_SECONDS, check=False)
    if found.returncode:
        # A partial clone may lack the contents that similar files are told by; files moved as they were need none.
        found = run([*follow, "--find-renames=100%", *rest], cwd=root, timeout=_SECONDS)
    return found.stdout.splitlines()


def _is_grafted(commit: str, root: Path) -> bool:
    """Tell whether a commit stands at the edge of a shallow clone, where its parents are cut off."""
    folder = run(["git", "rev-parse", "--git-path", "shallow"], cwd=root, timeout=_SECONDS).stdout.strip()
    edge = root / folder
    return edge.is_file() and commit in edge.read_text(encoding="utf-8").split()


def _metadata_date(notebook: Notebook) -> date | None:
    metadata: Any = notebook.to_node().metadata
    for holder in (metadata, metadata.get("kaggle", {}), metadata.get("colab", {})):
        for key in _METADATA_KEYS:
            value = holder.get(key) if hasattr(holder, "get") else None
            if isinstance(value, str):
                try:
                    return datetime.fromisoformat(value.strip()).date()
                except ValueError:
                    continue
    return None
