"""Fetch the Python sources of a release: its wheel is unpacked by uv, never built, imported or run."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from packaging.utils import canonicalize_name

from modernizer.drift.releases import WHEELS_ONLY
from modernizer.environment.uv_command import run_uv

_SECONDS = 300.0
_MOST_BYTES = 300_000_000
"""Text of all packages together; real ones have far less."""
_MOST_FILE = 3_000_000
_TESTS = frozenset({"tests", "test", "testing", "_examples", "examples", "benchmarks"})
_COMPILED = (".so", ".pyd", ".pyx")
COMPILED_LIST = "compiled.txt"


def fetch(versions: Mapping[str, str], *, python: str, cache: Path, env: Mapping[str, str]) -> dict[str, Path]:
    """Return an archive of the sources of each release (``{package: version}``), fetching those that the cache lacks.

    A release without a wheel for this Python is left out. NetworkError when the index can't be reached.
    """
    archives = {name: cache / "sources" / f"{name}-{version}.zip" for name, version in versions.items()}
    missing = {name: versions[name] for name, archive in archives.items() if not archive.is_file()}
    if missing and not _fetch_all(missing, archives, python, env) and len(missing) > 1:
        for name, version in missing.items():
            _fetch_all({name: version}, archives, python, env)
    return {name: archive for name, archive in archives.items() if archive.is_file()}


def _fetch_all(versions: Mapping[str, str], archives: Mapping[str, Path], python: str, env: Mapping[str, str]) -> bool:
    folder = next(iter(archives.values())).parent
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="unpack-", dir=folder) as unpacked:
        target = Path(unpacked)
        specs = [f"{name}=={version}" for name, version in versions.items()]
        args = ["pip", "install", "--quiet", "--target", str(target), *WHEELS_ONLY, "--python-version", python, *specs]
        if run_uv(args, timeout=_SECONDS, env=env).returncode:
            return False
        for info in target.glob("*.dist-info"):
            name = canonicalize_name(info.name.removesuffix(".dist-info").rpartition("-")[0])
            if name in archives and name in versions:
                _pack(target, _recorded(info), archives[name])
    return True


def _recorded(info: Path) -> Iterator[str]:
    """Yield the files that a wheel installed, as its RECORD lists them."""
    for line in (info / "RECORD").read_text(encoding="utf-8", errors="replace").splitlines():
        yield line.rsplit(",", 2)[0].strip('"')


def _pack(target: Path, files: Iterable[str], archive: Path) -> None:
    """Keep the texts of a package in one archive, with the names of what is compiled."""
    root = target.resolve()
    compiled = []
    total = 0
    part = archive.with_name(f"{archive.name}.{target.name}")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=4) as packed:
        for name in sorted(set(files)):
            if name.endswith(_COMPILED):
                compiled.append(name)
            if not name.endswith((".py", ".pyi")) or _TESTS & set(name.split("/")):
                continue
            file = (root / name).resolve()
            # RECORD is the wheel's own word: nothing outside the folder is read.
            if not file.is_relative_to(root) or not file.is_file() or file.stat().st_size > _MOST_FILE:
                continue
            total += file.stat().st_size
            if total > _MOST_BYTES:
                break
            packed.write(file, name)
        packed.writestr(COMPILED_LIST, "\n".join(compiled))
    part.replace(archive)
