"""Checks an output folder that came from somewhere else: everything in it is data, nothing is believed or executed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from modernizer.errors import ExitCode, ModernizerError
from modernizer.git_objects import head_commit
from modernizer.proposal import Proposal, propose
from modernizer.repair.model.files import AUDIT, MEMORY
from modernizer.report.paths import RESULTS, lock_path, notebook_path, patch_path
from modernizer.report.results import RunResult
from modernizer.report.text import plain
from modernizer.report.write import FILES, MAX_RESULTS, read_run

MAX_FILES = 20_000
MAX_BYTES = 2_000_000_000
MAX_PATCH = 20_000_000
MAX_NOTEBOOKS = 5_000


class ArtifactError(ModernizerError):
    """The artifact is not what a run of this program on this commit leaves; nothing of it is used."""

    exit_code = ExitCode.USAGE


@dataclass(frozen=True)
class Checked:
    """An artifact that holds: its run, what it proposes for the commit, and why single patches were held back."""

    run: RunResult
    proposals: tuple[Proposal, ...]
    held_back: tuple[str, ...]


def check_artifact(folder: Path, root: Path) -> Checked:
    """Check an output folder against the commit that is checked out at ``root`` and return what it proposes.

    Raises ArtifactError for a file that no run writes, a symbolic link, too many or too large files, another commit, or a
    patch that reaches beyond its notebook and the modules named with it; UsageError when results.json does not follow its
    schema. A patch that merely doesn't apply is held back.
    """
    sizes = dict(_files(folder))
    run = read_run(folder)
    _check_names(folder, run, sizes)
    _check_commit(folder, run, root)
    return Checked(run, *propose(run, root))


def _files(folder: Path) -> Iterator[tuple[str, int]]:
    """List the files with their sizes, refusing what is no plain file before anything in the folder is opened."""
    total = 0
    for count, (place, status) in enumerate(_walk(folder), start=1):
        name = place.relative_to(folder).as_posix()
        if not stat.S_ISREG(status.st_mode):
            raise ArtifactError(f"{plain(name)!r} is neither a file nor a folder", where=str(folder))
        total += status.st_size
        limit = MAX_RESULTS if name == RESULTS else MAX_PATCH if name.endswith(".patch") else MAX_BYTES
        if status.st_size > limit:
            raise ArtifactError(f"{plain(name)!r} is larger than {limit:,} bytes", where=str(folder))
        if count > MAX_FILES or total > MAX_BYTES:
            raise ArtifactError(f"more than {MAX_FILES:,} files or {MAX_BYTES:,} bytes", where=str(folder))
        yield name, status.st_size


def _walk(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield everything below a folder that is not a folder itself; no symbolic link is followed, not even the first."""
    if folder.is_symlink() or not folder.is_dir():
        raise ArtifactError("is no folder", where=str(folder), hint="name the output folder of a run")
    waiting = [folder]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))
                else:
                    yield Path(entry.path), entry.stat(follow_symlinks=False)


def _check_names(folder: Path, run: RunResult, sizes: dict[str, int]) -> None:
    """Refuse files that results.json does not speak of."""
    if len(run.notebooks) > MAX_NOTEBOOKS:
        raise ArtifactError(f"results of more than {MAX_NOTEBOOKS:,} notebooks", where=str(folder))
    paths = [result.path for result in run.notebooks]
    if len(set(paths)) != len(paths):
        raise ArtifactError("two results for the same notebook", where=str(folder))
    known = {RESULTS, AUDIT, MEMORY, *FILES}
    for environment in run.environments:
        # An id is free text of the artifact until it is seen to be one plain name.
        if PurePosixPath(environment.id).name == environment.id:
            known.add(lock_path(environment.id))
    for path in paths:
        known |= {patch_path(path), notebook_path(path)}
    foreign = sorted(sizes.keys() - known)
    if foreign:
        raise ArtifactError(
            f"holds {plain(foreign[0])!r}, of which {RESULTS} says nothing",
            where=str(folder),
            hint="publish only what a run wrote",
        )


def _check_commit(folder: Path, run: RunResult, root: Path) -> None:
    """Refuse results of another commit than the one that is checked out."""
    here = head_commit(root)
    if not here:
        raise ArtifactError("no commit is checked out here", where=str(root), hint="check out the repository before publishing")
    if run.commit != here:
        there = run.commit or "no commit"
        raise ArtifactError(
            f"results of {there}, but {here} is checked out", where=str(folder), hint="publish on the commit that was run"
        )
