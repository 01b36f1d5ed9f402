"""Finds the notebooks to work on, and the root of the repository they are in."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from modernizer.config import Config
from modernizer.errors import UsageError
from modernizer.globs import first_cover, matches

SUFFIX = ".ipynb"
# Folders of tools hold copies of notebooks or other people's; those starting with a dot are skipped as well.
IGNORED_FOLDERS = frozenset({"node_modules", "__pycache__", "site-packages", "__pypackages__"})
# A file that only this kind of folder has.
FOLDER_MARKS = ("pyvenv.cfg", "conda-meta")
RESULTS = "results.json"
TOOL_NAME = "notebook-modernizer"

ProblemReporter = Callable[[str], None]
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Found:
    """One notebook: its repo-relative posix path and whether it was named itself on the command line."""

    path: str
    named: bool = False


@dataclass
class _Search:
    """What one search has seen so far. ``found`` maps real repo-relative paths to whether they were named."""

    root: Path
    config: Config
    out: Path | None
    report_problem: ProblemReporter
    found: dict[str, bool] = field(default_factory=dict)
    folders: set[Path] = field(default_factory=set)
    excluded: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def problem(self, text: str) -> None:
        self.problems.append(text)
        self.report_problem(text)


def find_root(paths: Sequence[Path]) -> Path:
    """Return the top of the git work tree around the paths, else the folder they share. Raises UsageError if none."""
    places = [_folder_of(path) for path in paths] or [Path.cwd()]
    try:
        common = Path(os.path.commonpath(places))
    except ValueError:
        common = Path(places[0].anchor)
    for folder in (common, *common.parents):
        if (folder / ".git").exists():
            return folder
    if common == Path(common.anchor):
        raise UsageError("the paths share no folder", hint="run once for each repository")
    return common


def _folder_of(path: Path) -> Path:
    real = Path(os.path.realpath(path))
    return real if real.is_dir() else real.parent


def discover(
    root: Path,
    paths: Sequence[Path],
    config: Config,
    *,
    out: Path | None = None,
    report_problem: ProblemReporter = _LOG.warning,
) -> list[Found]:
    """Return the notebooks under the given files and folders (the whole root if none), sorted, each real file once.

    Folders are searched with the configuration's globs and excludes; a file that is named itself is always taken.
    ``out`` is the output folder, which is never searched. A folder that can't be read is told to ``report_problem``
    and the search goes on. Raises UsageError for a path that is missing, outside the root or no notebook, and when
    nothing is found.
    """
    root = Path(os.path.realpath(root))
    search = _Search(root, config, Path(os.path.realpath(out)) if out else None, report_problem)
    for path in paths or [root]:
        _take(search, path)
    if not search.found:
        raise _nothing_found(search, paths)
    return [Found(path, named) for path, named in sorted(search.found.items())]


def _take(search: _Search, path: Path) -> None:
    """Take one path of the command line."""
    real = Path(os.path.realpath(path))
    try:
        exists = real.exists()
    except OSError as error:
        raise UsageError(f"the path can't be read: {error.strerror}", where=str(path)) from error
    if not exists:
        raise UsageError("the path does not exist", where=str(path))
    if not real.is_relative_to(search.root):
        raise UsageError(
            f"the path is outside the repository {search.root}", where=str(path), hint="run from inside its repository"
        )
    if real.is_dir():
        _walk(search, real)
    elif real.suffix != SUFFIX or not real.is_file():
        raise UsageError("the file is not a notebook (.ipynb)", where=str(path))
    elif name := _relative(search, real):
        search.found[name] = True


def _walk(search: _Search, start: Path) -> None:
    """Search one folder and those below it; a symbolic link is followed to what it means if that is in the repository."""
    waiting = [start]
    while waiting:
        folder = waiting.pop()
        if folder in search.folders:
            continue
        search.folders.add(folder)
        for entry in _entries(search, folder):
            try:
                real = Path(os.path.realpath(entry.path)) if entry.is_symlink() else Path(entry.path)
                if not real.is_relative_to(search.root):
                    continue
                if _ignored(search, real, start):
                    continue
                if real.is_dir():
                    waiting.append(real)
                elif real.suffix == SUFFIX and real.is_file():
                    _consider(search, real)
            except OSError as error:
                search.problem(f"{entry.path}: the path can't be read: {error.strerror}")


def _entries(search: _Search, folder: Path) -> Iterator[os.DirEntry[str]]:
    """List a folder; virtual environments and output folders of this program count as empty."""
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError as error:
        shown = "." if folder == search.root else folder.relative_to(search.root).as_posix()
        search.problem(f"{shown}: the folder can't be read: {error.strerror}")
        return
    names = {entry.name for entry in entries}
    if names.isdisjoint(FOLDER_MARKS) and not (RESULTS in names and is_output_folder(folder)):
        yield from entries


def is_output_folder(folder: Path) -> bool:
    """Tell whether a folder holds the results of an earlier run of this program."""
    try:
        with (folder / RESULTS).open("rb") as file:
            return f'"{TOOL_NAME}"'.encode() in file.read(4096)
    except OSError:
        return False


def _ignored(search: _Search, real: Path, start: Path) -> bool:
    """Tell whether a path is, or lies in, a folder of a tool; the folder the search started from is always meant."""
    if search.out is not None and real.is_relative_to(search.out) and not start.is_relative_to(search.out):
        return True
    below = real.relative_to(start if real.is_relative_to(start) else search.root)
    folders = below.parts if real.is_dir() else below.parts[:-1]
    return any(part.startswith(".") or part in IGNORED_FOLDERS for part in folders)


def _consider(search: _Search, real: Path) -> None:
    """Take a file of a searched folder if the configuration wants it."""
    name = _relative(search, real)
    if name is None or not any(matches(name, pattern) for pattern in search.config.notebooks):
        return
    pattern = first_cover(name, search.config.exclude)
    if pattern is None:
        search.found.setdefault(name, False)
    else:
        search.excluded[pattern] = search.excluded.get(pattern, 0) + 1


def _relative(search: _Search, real: Path) -> str | None:
    """Return the repo-relative posix path, or None (and a problem) for a name that no report could hold."""
    name = real.relative_to(search.root).as_posix()
    try:
        name.encode()
    except UnicodeEncodeError:
        search.problem(f"{name.encode(errors='backslashreplace').decode()}: the file name is not valid UTF-8")
        return None
    if "\\" in name:
        search.problem(f"{name}: the file name holds a backslash, which other systems take for a folder")
        return None
    return name


def _nothing_found(search: _Search, paths: Sequence[Path]) -> UsageError:
    places = ", ".join(map(str, paths)) or str(search.root)
    tried = ", ".join(search.config.notebooks)
    hints = [f"{count} excluded by {pattern!r}" for pattern, count in sorted(search.excluded.items())]
    hints += search.problems
    if search.out is not None and search.out.is_dir() and search.out.is_relative_to(search.root):
        hints.append(f"the output folder {search.out.relative_to(search.root)} is not searched")
    return UsageError(f"no notebooks found; looked for {tried}", where=places, hint="; ".join(hints))
