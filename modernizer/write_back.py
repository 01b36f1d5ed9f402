"""Write proven repairs into the repository (``fix --write``): whole files, each replaced at once."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from modernizer.errors import ModernizerError
from modernizer.report.results import NotebookResult

_CLEAN = frozenset({"reproduced", "ran", "drifted"})


def write_back(
    root: Path,
    results: Mapping[str, NotebookResult],
    changed: Mapping[str, tuple[tuple[str, bytes], ...]],
    notes: list[str],
) -> bool:
    """Replace the files of every notebook whose proof ran clean; tell whether any was.

    Two notebooks may repair the same module; when they disagree about it neither is written, which is said in ``notes``.
    Raises ModernizerError when a file can't be written; it then still has its old content.
    """
    wanted: dict[str, bytes] = {}
    conflicts: set[str] = set()
    clean = {path: files for path, files in changed.items() if results[path].final.verdict in _CLEAN}
    for files in clean.values():
        for name, content in files:
            if wanted.setdefault(name, content) != content:
                conflicts.add(name)
    left_out = {path for path, files in clean.items() if any(name in conflicts for name, _ in files)}
    notes.extend(f"{path}: not written, another notebook repairs the same module differently" for path in sorted(left_out))
    written = False
    for path, files in sorted(clean.items()):
        if path in left_out:
            continue
        for name, content in files:
            replace_file(root / name, content)
            written = True
    return written


def replace_file(path: Path, content: bytes) -> None:
    """Replace a file's content at once, keeping its mode. ModernizerError when it can't be written; it is then as before."""
    try:
        mode = path.stat().st_mode
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            Path(temporary).chmod(mode & 0o7777)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        hint = "its patch is in the output folder"
        raise ModernizerError(f"can't be written: {error.strerror}", where=str(path), hint=hint) from error
