"""The output folder: written file by file so that nothing half-written is ever seen, results.json last."""

from __future__ import annotations

import errno
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from modernizer.discovery import is_output_folder
from modernizer.errors import ModernizerError, UsageError
from modernizer.report.badge import render_badge_json, render_badge_svg
from modernizer.report.html import render_html
from modernizer.report.junit import render_junit
from modernizer.report.markdown import render_markdown
from modernizer.report.paths import (
    BADGE_JSON,
    BADGE_SVG,
    JUNIT,
    LOCKS,
    NOTEBOOKS,
    PATCHES,
    REPORT_HTML,
    REPORT_MD,
    RESULTS,
    lock_path,
    notebook_path,
    patch_path,
)
from modernizer.report.results import RunResult
from modernizer.report.results_json import from_json, to_json

FILES = (REPORT_MD, REPORT_HTML, BADGE_JSON, BADGE_SVG, JUNIT)
FOLDERS = (PATCHES, NOTEBOOKS, LOCKS)
_TEMPORARY = ".modernizer-tmp"
MAX_RESULTS = 500_000_000


def prepare(out: Path) -> None:
    """Make the output folder ready before any work: refuse what is not ours, remove what the run before left.

    Only files that the earlier results.json speaks of are removed; others in the folder stay. Raises UsageError when a
    name we need is taken by something else, ModernizerError when the folder can't be written.
    """
    _refuse_foreign(out)
    with _explained(out):
        out.mkdir(parents=True, exist_ok=True)
        for left in out.glob(f".*{_TEMPORARY}"):
            left.unlink(missing_ok=True)
        _remove_earlier(out)
        probe = out / f".probe{_TEMPORARY}"
        _replace(probe, b"writable")
        probe.unlink()


def write_partial(out: Path, run: RunResult) -> None:
    """Write results.json as far as the run has come, so that a run that is killed leaves a readable one."""
    with _explained(out):
        _write_results(out, run)


def write_all(out: Path, run: RunResult, *, executed: Mapping[str, bytes], locks: Mapping[str, str]) -> None:
    """Write everything. ``executed`` maps notebook paths to the repaired and run files, ``locks`` environment ids to texts."""
    with _explained(out):
        # Named before they exist: a run killed in between must not leave files that no results.json speaks of.
        _write_results(out, replace(run, interrupted=True))
        for result in run.notebooks:
            if result.repair and result.repair.patch:
                _write_below(out, patch_path(result.path), result.repair.patch.encode("utf-8", "surrogateescape"))
        for path, content in executed.items():
            _write_below(out, notebook_path(path), content)
        for environment, text in locks.items():
            _write_below(out, lock_path(environment), text.encode())
        _write_reports(out, run)
        _write_results(out, run)


def render_again(out: Path) -> RunResult:
    """Render the reports of an output folder again from its results.json."""
    run = read_run(out)
    with _explained(out):
        _write_reports(out, run)
    return run


def read_run(out: Path) -> RunResult:
    """Read results.json and the patches of an output folder. Raises UsageError when there is none or it is not valid."""
    path = out / RESULTS
    try:
        if path.stat().st_size > MAX_RESULTS:
            raise UsageError(f"larger than {MAX_RESULTS:,} bytes", where=str(path))
        data = json.loads(path.read_text(encoding="utf-8"), parse_constant=_no_constant)
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError(f"there is no {RESULTS}", where=str(out), hint="name the output folder of a run") from None
    except OSError as error:
        raise UsageError(f"can't be read: {error.strerror}", where=str(path)) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"not valid JSON: {error}", where=str(path)) from error
    return from_json(data, where=str(path), read_patch=lambda name: _read_patch(out, name))


def _read_patch(out: Path, name: str) -> str:
    """Read a patch; a missing one only leaves its diff out, but one that leads elsewhere is refused."""
    path = out / name
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(out)):
        raise UsageError("the patch leads out of the output folder", where=str(path))
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise UsageError(f"can't be read: {error.strerror}", where=str(path)) from error


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


def _write_reports(out: Path, run: RunResult) -> None:
    texts = (render_markdown(run), render_html(run), render_badge_json(run), render_badge_svg(run), render_junit(run))
    for name, text in zip(FILES, texts, strict=True):
        _replace(out / name, text.encode("utf-8", "backslashreplace"))


def _write_results(out: Path, run: RunResult) -> None:
    text = json.dumps(to_json(run), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    _replace(out / RESULTS, text.encode(), durable=True)


def _write_below(out: Path, name: str, content: bytes) -> None:
    """Write a file in a folder of ours; a notebook's path can't lead out of it, nor can a symbolic link."""
    if ".." in PurePosixPath(name).parts or Path(name).is_absolute():
        raise UsageError(f"{name!r} leads out of the output folder", where=str(out))
    target = out / name
    target.parent.mkdir(parents=True, exist_ok=True)
    if not Path(os.path.realpath(target.parent)).is_relative_to(os.path.realpath(out)):
        raise UsageError(f"{name!r} leads out of the output folder through a symbolic link", where=str(out))
    _replace(target, content)


def _replace(path: Path, content: bytes, *, durable: bool = False) -> None:
    """Write beside the target, then put it in its place at once. The mode follows the user's umask."""
    temporary = path.with_name(f".{secrets.token_hex(8)}{_TEMPORARY}")
    try:
        with temporary.open("xb") as file:
            file.write(content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _refuse_foreign(out: Path) -> None:
    """Refuse a folder in which one of our names is a file or folder of somebody else."""
    if out.is_symlink():
        raise UsageError("the output folder is a symbolic link", where=str(out), hint="name the folder itself with --out")
    if not out.exists():
        return
    if not out.is_dir():
        raise UsageError("the output folder is a file", where=str(out), hint="choose another folder with --out")
    links = [name for name in (*FOLDERS, *FILES, RESULTS) if (out / name).is_symlink()]
    taken = [] if is_output_folder(out) else [name for name in (*FOLDERS, *FILES, RESULTS) if (out / name).exists()]
    if links or taken:
        raise UsageError(
            f"the output folder holds {(links or taken)[0]}, which this program did not write",
            where=str(out),
            hint="choose an empty folder with --out",
        )


def _remove_earlier(out: Path) -> None:
    """Remove the files of the earlier run, and the folders that are empty after that."""
    for name in FILES:
        (out / name).unlink(missing_ok=True)
    for name in _earlier_names(out):
        target = out / name
        if Path(os.path.realpath(target.parent)).is_relative_to(os.path.realpath(out)) and (
            target.is_file() or target.is_symlink()
        ):
            target.unlink()
    for name in FOLDERS:
        for folder, _, _ in os.walk(out / name, topdown=False):
            with suppress(OSError):
                Path(folder).rmdir()


def _earlier_names(out: Path) -> Iterator[str]:
    """Name what the earlier results.json speaks of; one that is damaged owns nothing but itself."""
    if not (out / RESULTS).exists():
        return
    try:
        run = read_run(out)
    except UsageError:
        return
    for result in run.notebooks:
        yield from (patch_path(result.path), notebook_path(result.path))
    for environment in run.environments:
        yield lock_path(environment.id)


@contextmanager
def _explained(out: Path) -> Iterator[None]:
    """Turn trouble with the disk into one message that names the folder."""
    hints: dict[Any, str] = {
        errno.ENOSPC: "free some space or choose another folder with --out",
        errno.EDQUOT: "your quota is used up; choose another folder with --out",
        errno.EFBIG: "the limit for file sizes is too low; choose another folder with --out",
        errno.EACCES: "make it writable or choose another folder with --out",
        errno.EROFS: "choose another folder with --out",
    }
    try:
        yield
    except OSError as error:
        what = "the disk is full" if error.errno == errno.ENOSPC else error.strerror or str(error)
        hint = hints.get(error.errno, "choose another folder with --out")
        raise ModernizerError(f"the output folder can't be written: {what}", where=str(out), hint=hint) from error
