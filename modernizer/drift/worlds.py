"""The two worlds of a notebook, then and now: the releases of its packages at its date and today, read side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from modernizer.drift.compare import Comparison, compare
from modernizer.drift.fetch import fetch
from modernizer.drift.known import is_large
from modernizer.drift.releases import Releases, releases_at
from modernizer.drift.surface import Surface
from modernizer.environment.import_names import import_names
from modernizer.environment.uv_command import uv_environment


@dataclass
class Worlds:
    """The releases then and now by distribution, with their surfaces; ``notes`` say which package could not be compared."""

    as_of: date
    then: Mapping[str, Surface] = field(default_factory=dict)
    now: Mapping[str, Surface] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    _compared: dict[str, Comparison | None] = field(default_factory=dict)

    def compare(self, symbol: str) -> Comparison | None:
        """Compare a dotted name in both worlds; None when its package was not read in both."""
        if symbol not in self._compared:
            self._compared[symbol] = self._compare(symbol)
        return self._compared[symbol]

    def package_of(self, symbol: str) -> str | None:
        """Return the distribution of a dotted name that was read in both worlds."""
        return next((name for name in import_names().distributions(symbol) if name in self.then and name in self.now), None)

    def releases_of(self, *symbols: str) -> str:
        """Name the releases that facts about these symbols come from."""
        packages = sorted({name for symbol in symbols if (name := self.package_of(symbol))})
        pairs = (f"{name} {self.then[name].version} and {self.now[name].version}" for name in packages)
        return f"sources of {', '.join(pairs)}"

    def save(self) -> None:
        """Keep what was read for the next run."""
        for surface in (*self.then.values(), *self.now.values()):
            surface.save()

    def _compare(self, symbol: str) -> Comparison | None:
        package = self.package_of(symbol)
        return compare(symbol, self.then[package], self.now[package]) if package else None


def open_worlds(
    packages: Iterable[str], as_of: date, *, cache: Path, python: str, now: Mapping[str, str] | None = None
) -> Worlds:
    """Find and fetch the releases of packages at a date and today; ``now`` gives today's versions, else the newest are taken.

    ``python`` is the version (such as 3.13) that today's releases are for. NetworkError when the index can't be reached.
    """
    env = uv_environment()
    names = sorted(set(packages))
    small = [name for name in names if not is_large(name)]
    notes = [f"{name}: too large to be fetched for its signatures" for name in names if is_large(name)]
    with ThreadPoolExecutor(max_workers=2) as pool:
        past = pool.submit(_fetched, lambda: releases_at(small, as_of, cache=cache, env=env), cache, env)
        present = pool.submit(_fetched, lambda: _present(small, now, python, cache, env), cache, env)
        then, now_found = past.result(), present.result()
    notes.extend(note for side in (then, now_found) for note in side.notes)
    return Worlds(as_of, then.surfaces, now_found.surfaces, tuple(dict.fromkeys(notes)))


@dataclass(frozen=True)
class _Fetched:
    surfaces: Mapping[str, Surface]
    notes: tuple[str, ...]


def _present(names: list[str], now: Mapping[str, str] | None, python: str, cache: Path, env: Mapping[str, str]) -> Releases:
    if now is None:
        return releases_at(names, None, cache=cache, env=env, python=python)
    return Releases({name: now[name] for name in names if name in now}, (), python)


def _fetched(find: Callable[[], Releases], cache: Path, env: Mapping[str, str]) -> _Fetched:
    releases = find()
    archives = fetch(releases.versions, python=releases.python, cache=cache, env=env)
    absent = [name for name in releases.versions if name not in archives]
    notes = [*releases.notes, *(f"{name} {releases.versions[name]}: there is no wheel to read" for name in absent)]
    return _Fetched({name: Surface(name, releases.versions[name], archive) for name, archive in archives.items()}, tuple(notes))


def packages_of(symbols: Iterable[str]) -> tuple[str, ...]:
    """Return the distributions that dotted names belong to, the one to install first where several provide a module."""
    found = (import_names().distributions(symbol)[:1] for symbol in symbols)
    return tuple(sorted({name for names in found for name in names}))
