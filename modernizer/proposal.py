"""What the patches of a run would change in a commit: each one parsed, applied to stored files and compared."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchedFile, PatchSet

from modernizer.discovery import SUFFIX
from modernizer.errors import ExitCode, ModernizerError
from modernizer.git_objects import Entry, contents, entries, run_git
from modernizer.repair.patch import quoted_path, unified_patch
from modernizer.report.results import NotebookResult, RunResult
from modernizer.report.text import plain

MAX_FILES_OF_A_PATCH = 50


class PatchRefusedError(ModernizerError):
    """A patch reaches beyond what a repair may touch; the whole artifact is refused."""

    exit_code = ExitCode.USAGE


@dataclass(frozen=True)
class Proposal:
    """The proven repair of one notebook: by repo-relative path, what the commit holds there and the new content."""

    notebook: str
    files: Mapping[str, bytes]
    stored: Mapping[str, Entry] = field(default_factory=dict)


class _HeldBackError(Exception):
    """A patch can't be proposed, though nothing is wrong with where it reaches."""


def propose(run: RunResult, root: Path) -> tuple[tuple[Proposal, ...], tuple[str, ...]]:
    """Return what the run's proven repairs change in its commit, and why the others are held back.

    Raises PatchRefusedError for a patch that renames, creates, deletes, changes modes, is binary, or touches anything but the
    notebook's code cells and the modules that its fixes name.
    """
    proposals: list[Proposal] = []
    held_back: list[str] = []
    claimed: dict[str, bytes] = {}
    touched = {result.path: touched_files(result) for result in run.notebooks if result.repair and result.repair.patch}
    stored = entries(root, run.commit, [name for names in touched.values() for name in names])
    with tempfile.TemporaryDirectory(prefix="modernizer-") as place:
        folder = Path(os.path.realpath(place))
        # A folder of git's own, so that no repository above the temporary folder is taken for the one to change.
        run_git(["init", "--quiet", "--template="], folder, check=True)
        for result in run.notebooks:
            if result.path not in touched:
                continue
            try:
                found = _stored(result, touched[result.path], stored)
                before = dict(zip(found, contents(root, list(found.values())), strict=True))
                files = _applied(result, before, folder)
                _check_claims(result, files, claimed)
            except _HeldBackError as reason:
                held_back.append(f"{plain(result.path)}: {reason}")
                continue
            claimed |= files
            proposals.append(Proposal(result.path, files, found))
    return tuple(proposals), tuple(held_back)


def _check_claims(result: NotebookResult, files: Mapping[str, bytes], claimed: Mapping[str, bytes]) -> None:
    if not result.final.good:
        raise _HeldBackError("the repair is not proven")
    if any(claimed.get(name, data) != data for name, data in files.items()):
        raise _HeldBackError("another notebook repairs the same module differently")


def touched_files(result: NotebookResult) -> tuple[str, ...]:
    """Return the files that the patch of a notebook touches; raise PatchRefusedError when it may not."""
    assert result.repair is not None  # noqa: S101 - the caller's condition, this tells the type checker
    allowed = {result.path, *(name for fix in result.repair.fixes for name in fix.files)}
    headers = {_header(name): name for name in allowed if _may_be_touched(name, result.path)}
    try:
        patches = PatchSet(result.repair.patch)
    except UnidiffParseError as error:
        raise _refused(result, f"is no unified diff: {plain(str(error))[:200]}") from None
    if not 0 < len(patches) <= MAX_FILES_OF_A_PATCH:
        raise _refused(result, f"touches {len(patches)} files")
    names = []
    for patch in patches:
        name = headers.get(str(patch.patch_info))
        if name is None or name in names or not _plainly_names(patch, name):
            shown = plain(patch.path or "")[:200]
            raise _refused(result, f"touches {shown!r} in a way that no repair does")
        names.append(name)
    return tuple(names)


def _may_be_touched(name: str, notebook: str) -> bool:
    """Tell whether a repair may change a file: the notebook, or a Python module that no tool of the platform looks for."""
    path = PurePosixPath(name)
    if not path.parts or path.is_absolute() or path.as_posix() != name or "\\" in name or "\0" in name:
        return False
    if any(part == ".." or part.startswith(".") for part in path.parts):
        return False
    return name == notebook if path.suffix == SUFFIX else path.suffix == ".py"


def _header(name: str) -> str:
    """Return the only header that a repair's patch has for a file: no modes, no rename, no similarity, nothing binary."""
    return f"diff --git {quoted_path(f'a/{name}')} {quoted_path(f'b/{name}')}\n"


def _plainly_names(patch: PatchedFile, name: str) -> bool:
    sides = (patch.source_file, patch.target_file)
    return sides == (quoted_path(f"a/{name}"), quoted_path(f"b/{name}")) or sides == (f"a/{name}", f"b/{name}")


def _stored(result: NotebookResult, names: tuple[str, ...], stored: Mapping[str, Entry]) -> dict[str, Entry]:
    """Return what the commit holds at the names that a patch touches."""
    for name in names:
        if name not in stored:
            raise _HeldBackError(f"{plain(name)} is not in the commit, such as a file of a submodule")
        if not stored[name].regular:
            raise _refused(result, f"touches {plain(name)!r}, which is no regular file")
    return {name: stored[name] for name in names}


def _applied(result: NotebookResult, before: Mapping[str, bytes], folder: Path) -> dict[str, bytes]:
    """Apply a patch to stored files in a folder of git's that holds nothing else, and return them."""
    assert result.repair is not None  # noqa: S101 - the caller's condition
    for name, data in before.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    patch = result.repair.patch.encode("utf-8", "surrogateescape")
    # Without --reject git applies all of a patch or nothing.
    done = run_git(["apply", "--whitespace=nowarn", "-"], folder, text=patch)
    if done.returncode:
        raise _HeldBackError(f"its patch does not apply to the commit: {plain(done.stderr.strip())[:300]}")
    after = {name: (folder / name).read_bytes() for name in before}
    # A parser is lenient, git is lenient in other places: only the very bytes that our own writer writes are taken.
    if unified_patch({name: (before[name], after[name]) for name in before}) != patch:
        raise _refused(result, "holds more than its changes")
    for name in before:
        if name.endswith(SUFFIX) and not only_code_changed(before[name], after[name]):
            raise _refused(result, f"changes more than the code of {plain(name)!r}")
    return after


def only_code_changed(before: bytes, after: bytes) -> bool:
    """Tell whether two notebooks differ in the source of code cells at most: same cells, outputs and metadata."""
    try:
        return _without_code(json.loads(before)) == _without_code(json.loads(after))
    except (ValueError, RecursionError, AttributeError, TypeError):
        return False


def _without_code(notebook: dict[str, Any]) -> dict[str, Any]:
    """Blank the source of every code cell, in format 4 and in the worksheets of format 3."""
    sheets = [notebook, *notebook.get("worksheets", ())]
    for sheet in sheets:
        for cell in sheet.get("cells", ()):
            if cell.get("cell_type") == "code":
                for key in ("source", "input"):
                    if isinstance(cell.get(key), str | list):
                        cell[key] = ""
    return notebook


def _refused(result: NotebookResult, what: str) -> PatchRefusedError:
    return PatchRefusedError(f"the patch {what}", where=plain(result.path), hint="the artifact was not written by this program")
