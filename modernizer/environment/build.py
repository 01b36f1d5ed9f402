"""Builds the fresh environment for a requirement set, or takes it from the cache when it is complete there."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from packaging.utils import canonicalize_name

from modernizer.environment.bytecode import compile_modules
from modernizer.environment.interpreters import Interpreter, ask
from modernizer.environment.model import Environment, InstallFailure, Requirements
from modernizer.environment.resolve import Resolution, cutoff_instant, is_droppable, name_of, resolve, source_options
from modernizer.environment.uv_command import run_uv, said, uv_environment, uv_program
from modernizer.environment.workshop import Workshop
from modernizer.errors import ModernizerError
from modernizer.sandbox.confinement import Sandbox

_VENV_SECONDS = 120.0
_INSTALL_SECONDS = 1800.0
_MARKER = "modernizer-complete.json"
# compileall writes what bytecode.py asks for from here on (PEP 552).
_COMPILES = (3, 7)
KEPT_DAYS = 30.0


def _now() -> datetime:
    return datetime.now(UTC)


class Cutoffs(Protocol):
    """The cut-off of another time, and uv's options that go with it; ``modernizer.environment.era.Era`` is one."""

    @property
    def cutoff(self) -> str:
        """The instant after which releases are left out of account."""

    @property
    def options(self) -> tuple[str, ...]:
        """What uv is told besides."""


@dataclass(frozen=True)
class BuildSettings:
    """Where environments are kept, what they are made from and how old a release must be to be used.

    Without ``sandbox`` source distributions are built with all our rights. ``era`` asks for what was current at another time.
    """

    cache_dir: Path
    python: Path
    cooldown_days: float = 3
    env: Mapping[str, str] = field(default_factory=uv_environment)
    now: Callable[[], datetime] = _now
    sandbox: Sandbox | None = None
    era: Cutoffs | None = None


def build(requirements: Requirements, settings: BuildSettings) -> Environment | InstallFailure:
    """Return a ready environment for a requirement set, or why it can't be had.

    Safe to call at the same time from several threads and processes; a build that fails or is interrupted leaves nothing.
    """
    began = time.monotonic()
    python = ask(settings.python)
    failed = _digest(*requirements.specs, str(settings.python))[:12]
    if python is None:
        return InstallFailure(failed, f"{settings.python.name} does not run")
    try:
        _prune(settings)
        with contextlib.closing(Workshop(settings.sandbox, python.path, settings.env)) as workshop:
            return _built(requirements.specs, python, settings, workshop, began)
    except ModernizerError as error:
        return InstallFailure(failed, str(error))
    except OSError as error:
        return InstallFailure(failed, f"the environment can't be written: {error.strerror or error}")


def _built(specs: tuple[str, ...], python: Interpreter, settings: BuildSettings, workshop: Workshop, began: float) -> Environment:
    notes: tuple[str, ...] = ()
    while True:
        resolution = _resolved(specs, python, settings, workshop)
        lock_sha256 = _digest(resolution.lock)
        key = _digest(lock_sha256, python.text, str(python.path))[:12]
        folder = settings.cache_dir / "environments" / key
        with _locked(folder.with_suffix(".lock")):
            try:
                packages = _complete(folder) or _installed(folder, resolution, python, settings, workshop)
                break
            except _SourceFailedError as error:
                # Metadata could be had from the source, the build itself failed: go on without what needed it.
                gone = [spec for spec in specs if name_of(spec) in error.names and is_droppable(spec)]
                if not gone:
                    raise
                specs = tuple(spec for spec in specs if spec not in gone)
                notes += tuple(f"left out: {name_of(spec)}: its source could not be built" for spec in gone)
    return Environment(
        id=key,
        python=folder / "bin" / "python",
        python_version=python.text,
        packages=packages,
        lock=resolution.lock,
        lock_sha256=lock_sha256,
        resolved_on=resolution.cutoff or settings.now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        install_seconds=round(time.monotonic() - began, 3),
        notes=(*resolution.notes, *notes),
    )


class _SourceFailedError(ModernizerError):
    """The build of a source distribution failed."""

    def __init__(self, names: tuple[str, ...], what: str) -> None:
        super().__init__(what, hint="use 'packages: latest', or a Python of its time with 'python:'")
        self.names = names


def _resolved(specs: tuple[str, ...], python: Interpreter, settings: BuildSettings, workshop: Workshop) -> Resolution:
    """Resolve, or take the resolution of an earlier run of the same day: up to its cut-off an index doesn't change."""
    era = settings.era
    cutoff = era.cutoff if era else cutoff_instant(settings.now(), settings.cooldown_days)
    options = era.options if era else ()
    index = sorted(f"{name}={value}" for name, value in settings.env.items() if name.startswith("UV_"))
    key = _digest(*specs, str(python.path), python.text, str(cutoff), sys.platform, uv_program(), *index, *options)[:24]
    kept = settings.cache_dir / "locks" / f"{key}.json"
    with _locked(kept.with_suffix(".lock")):
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            known = json.loads(kept.read_text(encoding="utf-8"))
            return Resolution(known["lock"], known["cutoff"], tuple(known["sources"]), tuple(known["notes"]))
        resolution = resolve(specs, python=python.path, cutoff=cutoff, workshop=workshop, options=options)
        if resolution.cutoff:
            _write(kept, json.dumps(asdict(resolution)))
        return resolution


def _complete(folder: Path) -> Mapping[str, str] | None:
    """Return the packages of a complete environment in the cache, and note that it was used."""
    marker = folder / _MARKER
    try:
        packages: dict[str, str] = json.loads(marker.read_text(encoding="utf-8"))
        os.utime(marker)
    except (OSError, ValueError):
        return None
    return packages if (folder / "bin" / "python").exists() else None


def _installed(
    folder: Path, resolution: Resolution, python: Interpreter, settings: BuildSettings, workshop: Workshop
) -> Mapping[str, str]:
    """Make the environment; the marker comes last, so a half-built one is never taken for complete."""
    shutil.rmtree(folder, ignore_errors=True)
    try:
        _make(folder, python, settings)
        _install(folder, resolution, workshop, settings.era)
        site_packages = next((folder / "lib").glob("python*/site-packages"))
        tag = f"cpython-{python.version[0]}{python.version[1]}"
        if python.version >= _COMPILES:
            compile_modules(
                site_packages,
                python=python.path,
                store=settings.cache_dir / "bytecode" / python.text,
                tag=tag,
                env=settings.env,
            )
        packages = _packages(site_packages)
        _write(folder / _MARKER, json.dumps(packages))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return packages


def _make(folder: Path, python: Interpreter, settings: BuildSettings) -> None:
    args = ["venv", "--quiet", "--no-project", "--python", str(python.path), str(folder)]
    done = run_uv(args, timeout=_VENV_SECONDS, env=settings.env)
    if done.returncode:
        raise ModernizerError(f"the environment can't be made: {said(done)[-400:]}")


def _install(folder: Path, resolution: Resolution, workshop: Workshop, era: Cutoffs | None) -> None:
    args = ["pip", "install", "--python", str(folder / "bin" / "python"), "--no-deps", *source_options(resolution.sources)]
    if era and resolution.sources:
        # Sources of that time are built with the build tools of that time.
        args += ["--exclude-newer", era.cutoff, *era.options]
    # A repository's own address (git+https) has no hash; all else must match.
    args += [] if re.search(r"^\S+ @ git\+", resolution.lock, re.MULTILINE) else ["--require-hashes"]
    done = workshop.uv(
        [*args, "-r", "-"], timeout=_INSTALL_SECONDS, text=resolution.lock, builds=bool(resolution.sources), folder=folder
    )
    if done.returncode == 0:
        return
    if resolution.sources and "Failed to build" in done.stderr:
        named = tuple(name for name in resolution.sources if name in canonicalize_name(done.stderr)) or resolution.sources
        raise _SourceFailedError(named, f"a source distribution could not be built: {', '.join(named)}")
    raise ModernizerError(f"the packages can't be installed: {said(done)[-400:]}")


def _packages(site_packages: Path) -> dict[str, str]:
    """Read names and versions of what is installed."""
    found = (folder.name.removesuffix(".dist-info").rpartition("-") for folder in site_packages.glob("*.dist-info"))
    return dict(sorted((canonicalize_name(name), version) for name, _, version in found))


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a file lock; the system lets go of it when the process ends, however it ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _prune(settings: BuildSettings) -> None:
    """Remove what has not been used for a month."""
    oldest = settings.now().timestamp() - KEPT_DAYS * 86400
    for folder in (settings.cache_dir / "environments").glob("*/"):
        marker = folder / _MARKER
        if marker.exists() and marker.stat().st_mtime < oldest:
            with _locked(folder.with_suffix(".lock")):
                shutil.rmtree(folder, ignore_errors=True)
    for path in (*(settings.cache_dir / "locks").glob("*"), *(settings.cache_dir / "bytecode").glob("*/*/*")):
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_mtime < oldest:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}-{time.monotonic_ns()}")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()
