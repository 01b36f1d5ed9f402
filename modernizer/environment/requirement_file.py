"""Reads requirements files as pip writes and people edit them: includes, options, hashes, addresses, conda exports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement

from modernizer.environment.import_names import import_names
from modernizer.errors import UsageError

MAX_BYTES = 1_000_000
_BOMS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))
_INCLUDE = re.compile(r"(?:-r|--requirement)[\s=]*(.+)")
_EDITABLE = re.compile(r"(?:-e|--editable)[\s=]*(.+)")
_CONDA_EXPORT = re.compile(r"([\w.-]+)=([\w.!+*]+)(?:=[\w.]+)?")
_LOCAL = re.compile(r"[./~]|[A-Za-z]:[\\/]|.*\.(?:whl|zip|tar\.gz)$")
# Debian's pip 9 wrote pkg-resources==0.0.0 into every freeze; the others are no distributions either.
_NEVER = {"pkg-resources", "python", "pip", "wheel"}


@dataclass(frozen=True)
class Line:
    """A requirement, or a note on a line that asks for something the index doesn't have."""

    requirement: Requirement | None = None
    note: str = ""


def read_requirement_file(path: Path, *, root: Path) -> tuple[Line, ...]:
    """Read a requirements file and those it includes. UsageError naming file and line when a line is malformed."""
    return tuple(_read(path, root=root.resolve(), seen=set()))


def read_text(path: Path, *, shown: str) -> str:
    """Read a declaring file as text; PowerShell writes them as UTF-16. UsageError when it can't be read."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UsageError(f"the file is larger than {MAX_BYTES:,} bytes", where=shown)
        content = path.read_bytes()
        encoding = next((name for bom, name in _BOMS if content.startswith(bom)), "utf-8")
        return content.decode(encoding)
    except OSError as error:
        raise UsageError(f"can't read the file: {error.strerror or error}", where=shown, hint="check the path") from error
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UsageError("the file is not UTF-8 text", where=f"{shown}:{line}", hint="save it as UTF-8") from error


def shown_path(path: Path, root: Path) -> str:
    """Return a path as messages show it: relative to the repository."""
    full, top = path.resolve(), root.resolve()
    return full.relative_to(top).as_posix() if full.is_relative_to(top) else path.name


def parse_line(text: str, *, where: str) -> Line | None:
    """Read one requirement line without comments or continuation; None for an option line. UsageError when malformed."""
    text = re.split(r"\s+--(?:hash|global-option|config-settings?|install-option)\b", text)[0].strip()
    if editable := _EDITABLE.fullmatch(text):
        return Line(note=f"{where}: not installed from its source: {_without_login(editable[1])}")
    if not text or text.startswith("-"):
        return None
    if "://" in text and not re.match(r"[\w.\[\], -]+@", text):
        return Line(note=f"{where}: not installed from its address: {_without_login(text)}")
    if "://" not in text and _LOCAL.match(text):
        return Line(note=f"{where}: not installed from a path: {text}")
    if export := _CONDA_EXPORT.fullmatch(text):
        # `conda list --export` into requirements.txt: name=version=build
        name = next(iter(import_names().from_conda(export[1])), "")
        return Line(Requirement(f"{name}=={export[2]}")) if name else None
    try:
        requirement = Requirement(text)
    except InvalidRequirement as error:
        reason = str(error).partition("\n")[0]
        raise UsageError(f"not a requirement: {text[:80]!r}: {reason}", where=where, hint="correct the line") from error
    return None if requirement.name.lower() in _NEVER else Line(requirement)


def _read(path: Path, *, root: Path, seen: set[Path]) -> Iterator[Line]:
    real = path.resolve()
    if real in seen:
        return
    seen.add(real)
    shown = shown_path(path, root)
    for number, text in _logical_lines(read_text(path, shown=shown)):
        where = f"{shown}:{number}"
        if include := _INCLUDE.fullmatch(text):
            inner = path.parent / include[1].strip().strip("'\"")
            if not inner.resolve().is_relative_to(root):
                yield Line(note=f"{where}: not read, outside the repository: {include[1]}")
            elif not inner.is_file():
                raise UsageError(f"the included file {include[1]} does not exist", where=where, hint="correct the line")
            else:
                yield from _read(inner, root=root, seen=seen)
        elif line := parse_line(text, where=where):
            yield line


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the number of its first line and each line with continuations joined and comments removed."""
    start, joined = 0, ""
    for number, raw in enumerate(text.splitlines(), start=1):
        line = re.sub(r"(^|\s)#.*$", "", raw)
        start = start or number
        if line.endswith("\\"):
            joined += line[:-1] + " "
            continue
        if full := (joined + line).strip():
            yield start, full
        start, joined = 0, ""
    if joined.strip():
        yield start, joined.strip()


def _without_login(address: str) -> str:
    return re.sub(r"(?<=://)[^\s/@]+@", "", address.strip())
