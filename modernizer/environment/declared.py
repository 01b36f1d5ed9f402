"""Finds and reads what a repository declares: requirements files, pyproject.toml, conda environment files."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from packaging.requirements import InvalidRequirement, Requirement
from packaging.version import InvalidVersion, Version

from modernizer.environment.import_names import import_names
from modernizer.environment.requirement_file import Line, parse_line, read_requirement_file, read_text, shown_path
from modernizer.errors import UsageError

# Beside each other, the one most likely meant for running the notebooks comes first.
FILE_NAMES = ("requirements.txt", "environment.yml", "environment.yaml", "pyproject.toml")
BINDER_FOLDERS = ("binder", ".binder")
# A list of pins this long was written by a machine (pip freeze, conda export), not by a person who needs each of them.
FREEZE_LENGTH = 25
_CONDA_SPEC = re.compile(r"([\w.-]+)\s*(?:\[version=['\"]?([^'\"\]]+)['\"]?\]|(.*))")


@dataclass(frozen=True)
class Declared:
    """What a file declares: requirements with their pins, the file's name in the repository, lines passed over."""

    requirements: tuple[Requirement, ...]
    origin: str
    notes: tuple[str, ...] = ()

    @property
    def is_freeze(self) -> bool:
        """Whether it is a complete list of pins, most of which no notebook asked for."""
        pins = [req for req in self.requirements if req.url or [spec.operator for spec in req.specifier] == ["=="]]
        return len(pins) == len(self.requirements) >= FREEZE_LENGTH


def find_declared(folder: Path, *, root: Path) -> Declared | None:
    """Read the nearest declaring file: beside a notebook, then in the parents up to ``root``; a binder folder first."""
    root, folder = root.resolve(), folder.resolve()
    parents = [folder, *folder.parents]
    for place in (parent for parent in parents if parent.is_relative_to(root)):
        inner = [place / name for name in BINDER_FOLDERS] if place == root else []
        for path in (where / name for where in (*inner, place) for name in FILE_NAMES):
            if path.is_file() and (declared := read_declared(path, root=root)):
                return declared
    return None


def read_declared(path: Path, *, root: Path) -> Declared | None:
    """Read one declaring file; None when it declares nothing, as a pyproject.toml with settings of tools only.

    UsageError naming file and line when it is malformed.
    """
    shown = shown_path(path, root)
    if path.name == "pyproject.toml":
        lines = _pyproject(path, shown)
    elif path.suffix in {".yml", ".yaml"}:
        lines = _conda(path, shown, root)
    else:
        lines = read_requirement_file(path, root=root)
    if lines is None:
        return None
    requirements = tuple(line.requirement for line in lines if line.requirement is not None)
    return Declared(requirements, shown, tuple(line.note for line in lines if line.note))


def _pyproject(path: Path, shown: str) -> tuple[Line, ...] | None:
    text = read_text(path, shown=shown)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        raise UsageError(f"not valid TOML: {error}", where=f"{shown}:{line[1] if line else 1}", hint="correct it") from error
    listed = _mapping(data.get("project")).get("dependencies")
    poetry = _mapping(_mapping(_mapping(data.get("tool")).get("poetry")).get("dependencies"))
    if isinstance(listed, list):
        found = (parse_line(str(item), where=f"{shown}:{_line_of(text, str(item))}") for item in listed)
        return tuple(line for line in found if line)
    return tuple(_poetry(poetry, shown, text)) if poetry else None


def _poetry(dependencies: Mapping[str, Any], shown: str, text: str) -> Iterator[Line]:
    for name, value in dependencies.items():
        wanted = value if isinstance(value, dict) else {"version": value}
        if name.lower() == "python" or wanted.get("optional"):
            continue
        where = f"{shown}:{_line_of(text, name)}"
        if {"git", "path", "url"} & wanted.keys():
            yield Line(note=f"{where}: not installed from its source: {name}")
            continue
        extras = f"[{','.join(map(str, wanted['extras']))}]" if wanted.get("extras") else ""
        marker = f"; {wanted['markers']}" if wanted.get("markers") else ""
        yield Line(_requirement(f"{name}{extras}{_poetry_version(str(wanted.get('version', '*')))}{marker}", where))


def _poetry_version(text: str) -> str:
    """Write Poetry's ``^`` and ``~`` as PEP 440."""
    return ",".join(filter(None, (_poetry_clause(clause.strip()) for clause in text.split(","))))


def _poetry_clause(clause: str) -> str:
    if clause in {"", "*"}:
        return ""
    if clause[0] in "^~" and not clause.startswith("~="):
        try:
            numbers = list(Version(clause[1:].strip()).release)
        except InvalidVersion:
            return clause
        significant = next((at for at, number in enumerate(numbers) if number), len(numbers) - 1)
        at = significant if clause[0] == "^" else min(1, len(numbers) - 1)
        upper = [*numbers[:at], numbers[at] + 1]
        return f">={clause[1:].strip()},<{'.'.join(map(str, upper))}"
    return f"=={clause}" if clause[0].isdigit() else clause


def _conda(path: Path, shown: str, root: Path) -> tuple[Line, ...] | None:
    text = read_text(path, shown=shown)
    try:
        data = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{shown}:{mark.line + 1 if mark else 1}"
        raise UsageError(f"not valid YAML: {error.problem or error.context}", where=where, hint="correct it") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise UsageError("not valid YAML", where=f"{shown}:1", hint="correct it") from error
    listed = _mapping(data).get("dependencies")
    if listed is None:
        return None
    if not isinstance(listed, list):
        raise UsageError("dependencies must be a list", where=f"{shown}:{_line_of(text, 'dependencies')}", hint="correct it")
    return tuple(_conda_lines(listed, path, shown, text, root))


def _conda_lines(listed: Sequence[object], path: Path, shown: str, text: str, root: Path) -> Iterator[Line]:
    for item in listed:
        if isinstance(item, dict):
            for spec in map(str, item.get("pip") or ()):
                where = f"{shown}:{_line_of(text, spec)}"
                if include := re.fullmatch(r"(?:-r|--requirement)\s+(.+)", spec):
                    yield from read_requirement_file(path.parent / include[1], root=root)
                elif line := parse_line(re.sub(r"(^|\s)#.*$", "", spec), where=where):
                    yield line
        elif isinstance(item, str):
            yield from _conda_requirements(item, f"{shown}:{_line_of(text, item)}")
        elif item is not None:
            raise UsageError(f"not a conda package: {item!r}", where=f"{shown}:{_line_of(text, str(item))}", hint="correct it")


def _conda_requirements(spec: str, where: str) -> Iterator[Line]:
    found = _CONDA_SPEC.fullmatch(spec.rpartition("::")[2].strip())
    if not found:
        raise UsageError(f"not a conda package: {spec[:80]!r}", where=where, hint="correct the line")
    version = (found[2] or found[3] or "").strip()
    if re.match(r"=(?!=)", version):
        number, _, build = version[1:].partition("=")
        version = f"=={number}" if build or number.endswith("*") else f"=={number}.*"
    elif re.match(r"\d", version):
        # "numpy 1.15" and "numpy 1.15 py36_0" are conda's older spellings.
        version = f"=={version.split()[0]}"
    for name in import_names().from_conda(found[1]):
        yield Line(_requirement(name + version.replace(" ", ""), where))


def _requirement(text: str, where: str) -> Requirement:
    try:
        return Requirement(text)
    except InvalidRequirement as error:
        raise UsageError(f"not a requirement: {text[:80]!r}", where=where, hint="correct the line") from error


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _line_of(text: str, piece: str) -> int:
    """Return the line where a piece of text first stands; 1 when the parser has changed its spelling."""
    return text.count("\n", 0, max(text.find(piece), 0)) + 1
