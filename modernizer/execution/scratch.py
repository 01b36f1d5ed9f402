"""A scratch copy of the repository for one run: the notebook may do to it what it likes, the user's files stay untouched."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Self

from modernizer.errors import ModernizerError
from modernizer.execution.big_files import LARGE, Mentions
from modernizer.execution.data_links import DataLinks
from modernizer.execution.file_copy import copy_file
from modernizer.sandbox.identity import give

_SKIPPED_FOLDERS = frozenset(
    {
        ".git",
        ".hg",
        ".svn",
        ".ipynb_checkpoints",
        ".mypy_cache",
        ".nox",
        ".pytest_cache",
        ".ruff_cache",
        ".tox",
        "__pycache__",
        "node_modules",
    }
)
_ENVIRONMENT_MARKS = ("pyvenv.cfg", "conda-meta")


class ScratchCopy:
    """A context manager that copies the repository and removes the copy in the end.

    ``notebook`` is the notebook's path relative to ``root``; ``changed`` maps relative paths to bytes that differ from
    the user's files; ``exclude`` names folders to leave out (the output folder); ``data`` maps absolute places that
    notebooks expect to folders of the repository. Inside: ``root`` and ``folder`` (the notebook's) are in the copy,
    With ``owner``, a user id, the copy belongs to that user and only to it.
    ``notes`` says in plain sentences what was left out, ``skipped`` lists large files that nothing mentions.
    ModernizerError: no space left, or a file can't be read.
    """

    def __init__(
        self,
        root: Path,
        notebook: str | Path,
        changed: Mapping[str, bytes] | None = None,
        *,
        exclude: Iterable[Path] = (),
        data: Mapping[str, str] | None = None,
        place: Path | None = None,
        large: int = LARGE,
        owner: int | None = None,
    ) -> None:
        self.source = root.resolve()
        self.notebook = PurePosixPath(Path(notebook).as_posix())
        self.notes: list[str] = []
        self.skipped: list[str] = []
        self._changed = dict(changed or {})
        self._exclude = {path.resolve() for path in exclude}
        self._place = place
        self.owner = owner
        self._large = large
        self._base: Path | None = None
        self._links = DataLinks(data or {})

    @property
    def root(self) -> Path:
        """Return the copy's root folder."""
        if self._base is None:
            raise RuntimeError("the scratch copy exists only inside its with block")
        return self._base / self.source.name if self.source.name else self._base / "repository"

    @property
    def folder(self) -> Path:
        """Return the notebook's folder in the copy."""
        return self.root / self.notebook.parent

    @property
    def places(self) -> tuple[Path, ...]:
        """Return the absolute places that lead into the copy."""
        return self._links.made

    def __enter__(self) -> Self:
        """Copy the repository."""
        place = self._place or Path(tempfile.gettempdir())
        try:
            self._base = Path(tempfile.mkdtemp(prefix="nm-run-", dir=place)).resolve()
            self.root.mkdir()
            mentions = Mentions(self.source, self.notebook)
            self._copy_folder(self.source, self.root, mentions)
            self.folder.mkdir(parents=True, exist_ok=True)
            self.write(self._changed)
            self.notes += self._links.make(self.root, mentions)
            if self.owner is not None:
                give(self.root, self.owner)
                self._base.chmod(0o711)
        except OSError as error:
            self._remove()
            raise _trouble(error, place) from error
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        """Remove the copy."""
        self._remove()

    def write(self, changed: Mapping[str, bytes]) -> None:
        """Write files of the copy, never through a symbolic link: the notebook may have planted one."""
        for name, content in changed.items():
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts or not path.parts:
                raise ValueError(f"not a path inside the repository: {name!r}")
            _write_inside(self.root, path, content, self.owner)

    def _copy_folder(self, source: Path, target: Path, mentions: Mentions) -> None:
        with os.scandir(source) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                path = Path(entry.path)
                copy = target / entry.name
                if entry.is_symlink():
                    self._copy_link(path, copy)
                elif entry.is_dir():
                    if not self._is_left_out(path):
                        copy.mkdir()
                        self._copy_folder(path, copy, mentions)
                        shutil.copystat(path, copy)
                        copy.chmod(stat.S_IMODE(copy.stat().st_mode) | stat.S_IRWXU)
                elif entry.is_file():
                    self._copy_file(path, copy, entry.stat().st_size, mentions)
                else:
                    self.notes.append(f"{self._relative(path)} is a device or socket and was left out")

    def _copy_file(self, path: Path, copy: Path, size: int, mentions: Mentions) -> None:
        if size > self._large and not mentions.may_need(path):
            self.skipped.append(self._relative(path))
            self.notes.append(f"{self._relative(path)} ({size / 1000**2:.0f} MB) is mentioned nowhere and was not copied")
            return
        try:
            copy_file(path, copy)
        except PermissionError:
            self.notes.append(f"{self._relative(path)} can't be read and was left out")

    def _copy_link(self, path: Path, copy: Path) -> None:
        """Copy a link that stays inside the repository, as a relative one; a link out of it is left out."""
        try:
            target = path.resolve()
        except (OSError, RuntimeError):
            target = None
        if target is None or not target.is_relative_to(self.source):
            self.notes.append(f"{self._relative(path)} links out of the repository and was left out")
            return
        copy.symlink_to(os.path.relpath(target, path.parent.resolve()))

    def _is_left_out(self, path: Path) -> bool:
        if path.name in _SKIPPED_FOLDERS or path in self._exclude:
            return True
        return any((path / mark).exists() for mark in _ENVIRONMENT_MARKS)

    def _relative(self, path: Path) -> str:
        return path.relative_to(self.source).as_posix()

    def _remove(self) -> None:
        self._links.remove()
        if self._base is not None:
            remove_tree(self._base)
            self._base = None


def remove_tree(folder: Path) -> None:
    """Remove a folder whatever permissions a notebook left in it; a file that can't be removed stays behind."""
    for _ in range(3):
        shutil.rmtree(folder, onerror=_open_and_retry)  # onexc is newer than our oldest Python
        if not folder.exists():
            return


def _open_and_retry(action: Callable[[str], object], path: str, _error: object) -> None:
    parent = os.path.dirname(path)  # noqa: PTH120 - rmtree speaks in strings
    with contextlib.suppress(OSError):
        for closed in (parent, path):
            if not os.path.islink(closed):  # noqa: PTH114 - as above
                os.chmod(closed, stat.S_IRWXU)  # noqa: PTH101 - as above
        if action in {os.unlink, os.rmdir}:
            action(path)


def _write_inside(root: Path, path: PurePosixPath, content: bytes, owner: int | None) -> None:
    """Write below ``root`` following no link at any step; an existing file or link at the end is replaced."""
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in path.parts[:-1]:
            made = False
            with contextlib.suppress(FileExistsError):
                os.mkdir(part, dir_fd=folder)
                made = True
            inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
            if made and owner is not None:
                os.fchown(folder, owner, owner)
        before = _modified(path.name, folder)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path.name, dir_fd=folder)
        file = os.open(path.name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644, dir_fd=folder)
        with os.fdopen(file, "wb") as stream:
            if owner is not None:
                os.fchown(file, owner, owner)
            stream.write(content)
            stream.flush()
            if before is not None:
                # Python takes cached bytecode for current when size and second of the change are equal.
                now = max(os.fstat(file).st_mtime, before + 2)
                os.utime(file, (now, now))
    finally:
        os.close(folder)


def _modified(name: str, folder: int) -> float | None:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False).st_mtime
    except FileNotFoundError:
        return None


def _trouble(error: OSError, place: Path) -> ModernizerError:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return ModernizerError(
            "no space left for a scratch copy of the repository", where=str(place), hint="free space there or set TMPDIR"
        )
    return ModernizerError(f"the repository can't be copied: {error.strerror or error}", where=str(error.filename or place))
