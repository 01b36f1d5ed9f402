"""What a pull request tells of versions: which ones the repository still asks for, and which ones changed since the last run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion

from modernizer.report.results import EnvironmentRecord, RunResult
from modernizer.report.view import NOTHING


@dataclass(frozen=True)
class PackageChange:
    """A package whose version is another one than in the run before; an empty text where there is none."""

    name: str
    before: str
    now: str


@dataclass(frozen=True)
class OldPin:
    """A line of the repository that asks for another version than the one a repair was proven with."""

    file: str
    asks: str
    proven: str


def package_changes(before: Mapping[str, str], now: Mapping[str, str]) -> list[PackageChange]:
    """Compare the packages of two runs; without an earlier run nothing is said to have changed."""
    if not before:
        return []
    names = sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
    return [PackageChange(name, before.get(name, NOTHING), now.get(name, NOTHING)) for name in names]


def packages_of(environments: Iterable[EnvironmentRecord]) -> dict[str, str]:
    """Return the versions of every package of some environments; several where they differ."""
    found: dict[str, set[str]] = {}
    for environment in environments:
        for name, version in environment.packages.items():
            found.setdefault(name, set()).add(version)
    return {name: ", ".join(sorted(versions)) for name, versions in sorted(found.items())}


def environments_of(run: RunResult, notebooks: Sequence[str]) -> list[EnvironmentRecord]:
    """Return the environments in which some notebooks ran."""
    chosen = set(notebooks)
    used = {result.environment for result in run.notebooks if result.path in chosen}
    return [environment for environment in run.environments if environment.id in used]


def old_pins(run: RunResult, notebooks: Sequence[str]) -> list[OldPin]:
    """Return what the repository asks for and the repairs of some notebooks were not proven with.

    Whoever installs what these lines ask for may find the repaired code broken.
    """
    found = []
    proven = packages_of(environments_of(run, notebooks))
    for lifted in run.lifted:
        versions = proven.get(lifted.package, "")
        if versions and not all(_allowed(version, lifted.pinned) for version in versions.split(", ")):
            found.append(OldPin(lifted.file, f"{lifted.package}{lifted.pinned}", versions))
    return sorted(found, key=lambda pin: (pin.file, pin.asks))


def _allowed(version: str, pinned: str) -> bool:
    try:
        return SpecifierSet(pinned, prereleases=True).contains(version)
    except (InvalidSpecifier, InvalidVersion):
        return False
