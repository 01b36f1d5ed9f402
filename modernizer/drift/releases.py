"""Which release of a package was current at a date, by the upload times of the configured index."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from packaging.utils import canonicalize_name

from modernizer.environment.uv_command import run_uv, said

# The sources of a release are the same in the wheels of all platforms; Linux has had wheels the longest.
# Naming an interpreter spares uv the search for one; which it is does not matter, nothing is built.
WHEELS_ONLY = ("--no-deps", "--only-binary", ":all:", "--python-platform", "linux", "--python", sys.executable)
_SECONDS = 60.0
_AT_ONCE = 8
_NO_UPLOAD_TIME = "is missing an upload date"
_NO_WHEEL = "usable wheels"
_NONE = "!the index has no release of that time"
_UNDATED = "!the index has no upload times"
_SOURCE_ONLY = "!the release of that time was published as source only"
_PYTHONS = (
    (date(2014, 3, 16), "3.4"),
    (date(2015, 9, 13), "3.5"),
    (date(2016, 12, 23), "3.6"),
    (date(2018, 6, 27), "3.7"),
    (date(2019, 10, 14), "3.8"),
    (date(2020, 10, 5), "3.9"),
    (date(2021, 10, 4), "3.10"),
    (date(2022, 10, 24), "3.11"),
    (date(2023, 10, 2), "3.12"),
    (date(2024, 10, 7), "3.13"),
    (date(2025, 10, 7), "3.14"),
)
"""First releases of Python, from the release schedules (PEP 429, 478, 494, 537, 569, 596, 619, 664, 693, 719, 745)."""
_SETTLED = timedelta(days=365)


@dataclass(frozen=True)
class Releases:
    """Versions by canonical distribution name; ``notes`` say why a package has none. ``python`` is the one they are for."""

    versions: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    python: str = ""


def python_at(day: date) -> str:
    """Return the Python that every package had wheels for at a date: the newest that was a year old by then."""
    settled = [version for released, version in _PYTHONS if released + _SETTLED <= day]
    return settled[-1] if settled else _PYTHONS[0][1]


def releases_at(
    packages: Iterable[str],
    day: date | None,
    *,
    cache: Path,
    env: Mapping[str, str],
    python: str | None = None,
    today: date | None = None,
) -> Releases:
    """Find the newest release of each package at the end of a day (UTC); with None, the newest there is.

    A package whose release then was published as source only has none: reading it would take a build. The answer for a
    past day is kept in ``cache``, that for now until the end of ``today``. NetworkError when the index can't be reached.
    """
    python = python or python_at(day or date.max)
    names: list[str] = sorted({canonicalize_name(name) for name in packages})
    today = today or datetime.now(UTC).date()
    # A day that isn't over may see more releases.
    asked = day.isoformat() if day and day < today else f"{day.isoformat() if day else 'newest'}-on-{today.isoformat()}"
    store = cache / "releases" / f"{asked}-{python}.json"
    known = _read(store)
    missing = [name for name in names if name not in known]
    if missing:
        known |= _ask(missing, day, python, env)
        # Only what will stay true is kept: an index may get upload times.
        kept = {name: answer for name, answer in known.items() if not answer.startswith(_NONE) and answer != _UNDATED}
        write_atomically(store, json.dumps(kept, indent=0, sort_keys=True).encode())
    found: dict[str, str] = {name: known[name] for name in names if not known[name].startswith("!")}
    notes = tuple(f"{name}: {known[name].removeprefix('!')}" for name in names if known[name].startswith("!"))
    return Releases(found, notes, python)


def _ask(names: list[str], day: date | None, python: str, env: Mapping[str, str]) -> dict[str, str]:
    """Ask for each package; an answer with ``!`` says why there is none."""
    if day is None:
        args, text = _question(names, day, python)
        done = run_uv(args, timeout=_SECONDS, env=env, text=text)
        if done.returncode == 0:
            return dict.fromkeys(names, _NONE) | _versions(done.stdout)
    with ThreadPoolExecutor(max_workers=_AT_ONCE) as pool:
        return dict(zip(names, pool.map(lambda name: _single(name, day, python, env), names), strict=True))


def _single(name: str, day: date | None, python: str, env: Mapping[str, str]) -> str:
    args, text = _question([name], day, python)
    done = run_uv(args, timeout=_SECONDS, env=env, text=text)
    if done.returncode == 0:
        version = _versions(done.stdout).get(name)
        if version and day is not None and _newer_source(name, version, day, python, env):
            return f"!the release of that time was published as source only (the newest wheel was {version})"
        return version or _NONE
    if _NO_UPLOAD_TIME in done.stderr:
        return _UNDATED
    return _SOURCE_ONLY if _NO_WHEEL in done.stderr else f"{_NONE}: {said(done)[:200]}"


def _newer_source(name: str, version: str, day: date, python: str, env: Mapping[str, str]) -> bool:
    """Tell whether a release newer than the newest wheel existed that has only source."""
    args, text = _question([f"{name}>{version}"], day, python)
    done = run_uv(args, timeout=_SECONDS, env=env, text=text)
    return done.returncode != 0 and _NO_WHEEL in done.stderr


def _question(specs: list[str], day: date | None, python: str) -> tuple[list[str], str]:
    args = [
        "pip",
        "compile",
        "-",
        "--no-header",
        "--no-annotate",
        "--no-emit-index-url",
        *WHEELS_ONLY,
        "--python-version",
        python,
    ]
    return ([*args, "--exclude-newer", day.isoformat()] if day else args), "\n".join(specs)


def _versions(lock: str) -> dict[str, str]:
    pairs = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;]+)", lock, re.MULTILINE)
    return {canonicalize_name(name): version for name, version in pairs}


def _read(store: Path) -> dict[str, str]:
    try:
        known = json.loads(store.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(name): str(answer) for name, answer in known.items()} if isinstance(known, dict) else {}


def write_atomically(path: Path, content: bytes) -> None:
    """Write a cache file so that another process sees it whole or not at all; a cache that can't be written costs time only."""
    part = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}")
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        part.replace(path)
