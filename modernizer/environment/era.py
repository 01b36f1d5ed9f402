"""Environments of a date: an interpreter of that time where one can be had, and what it takes to install what was current.

Only the notebook's own packages are of the date. The kernel around it may be newer: it belongs to the runner.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from modernizer.environment.build import BuildSettings, build
from modernizer.environment.interpreters import find_python
from modernizer.environment.model import Environment, InstallFailure, Requirements
from modernizer.environment.resolve import name_of
from modernizer.errors import ModernizerError, UsageError

RELEASED = {
    (3, 6): date(2016, 12, 23),
    (3, 7): date(2018, 6, 27),
    (3, 8): date(2019, 10, 14),
    (3, 9): date(2020, 10, 5),
    (3, 10): date(2021, 10, 4),
    (3, 11): date(2022, 10, 24),
    (3, 12): date(2023, 10, 2),
    (3, 13): date(2024, 10, 7),
    (3, 14): date(2025, 10, 7),
}
"""First releases (PEPs 494, 537, 569, 596, 619, 664, 693, 719, 745); uv makes no environments of older ones."""

_SETTLED = timedelta(days=183)
"""Packages have wheels for a new Python about half a year after it."""

KERNEL = (
    "ipykernel", "ipython", "jupyter-client", "jupyter-core", "traitlets", "tornado", "pyzmq", "debugpy",
    "nest-asyncio", "psutil", "matplotlib-inline", "prompt-toolkit", "pygments", "jedi", "parso", "pexpect",
    "ptyprocess", "backcall", "pickleshare", "entrypoints", "wcwidth", "comm", "stack-data", "executing", "asttokens",
    "pure-eval", "zipp", "importlib-metadata", "typing-extensions",
)  # fmt: skip
"""The kernel's distributions, which no notebook is about."""

# Early releases did not declare what they import.
_UNDECLARED = {
    "scikit-learn": ("numpy", "scipy"),
    "seaborn": ("numpy", "scipy", "pandas", "matplotlib"),
    "statsmodels": ("patsy",),
}
_MOST_TRIES = 3
# uv builds sources that name no build tools with setuptools 40.8 or newer.
_FIRST_BUILD_TOOLS = "2019-03-01T00:00:00Z"
_ADVICE = "its releases may have no wheels for the Pythons here: install one of its time, or name it with --python"


@dataclass(frozen=True)
class Era:
    """What ``uv`` is told for a date: ``cutoff`` holds for all but the kernel, which may be as new as ``kernel_cutoff``."""

    cutoff: str
    kernel_cutoff: str

    @property
    def options(self) -> tuple[str, ...]:
        """Return uv's options beside the cut-off."""
        instants = dict.fromkeys(KERNEL, self.kernel_cutoff) | {"setuptools": max(self.cutoff, _FIRST_BUILD_TOOLS)}
        newer = (option for name, instant in instants.items() for option in ("--exclude-newer-package", f"{name}={instant}"))
        return ("--project", str(SETTINGS), *newer)


SETTINGS = Path(__file__).with_name("era_settings")


def build_as_of(
    day: date, requirements: Requirements, settings: BuildSettings, wanted: str | None
) -> Environment | InstallFailure:
    """Return an environment of a date, with ``wanted`` as its Python or one of that time, or why it can't be had.

    UsageError for a date that is not in the past.
    """
    if day >= settings.now().date():
        raise UsageError(f"not a date in the past: {day.isoformat()}", where="--as-of")
    settings = replace(settings, era=_era(day, settings))
    requirements = replace(requirements, specs=with_undeclared(requirements.specs))
    failures: list[InstallFailure] = []
    for python, note in _pythons(day, wanted):
        built = build(requirements, replace(settings, python=python))
        if isinstance(built, Environment):
            return replace(built, notes=(*built.notes, *filter(None, [note])))
        failures.append(built)
    if not failures:
        return InstallFailure("none", f"no Python of {day.isoformat()} or after it is installed here or can be fetched")
    return replace(failures[0], message=f"as of {day.isoformat()}: {failures[0].message} ({_ADVICE})")


def era_minor(day: date) -> tuple[int, int]:
    """Return the newest Python that packages were ready for at a date, the oldest supported one before that."""
    settled = [minor for minor, released in RELEASED.items() if released + _SETTLED <= day]
    return max(settled, default=min(RELEASED))


def with_undeclared(specs: Iterable[str]) -> tuple[str, ...]:
    """Add what early releases import and don't declare."""
    known = {name_of(spec) for spec in specs}
    missing = {needed for name in known for needed in _UNDECLARED.get(name, ())} - known
    return tuple(sorted([*specs, *missing]))


def _pythons(day: date, wanted: str | None) -> Iterator[tuple[Path, str]]:
    """Yield the interpreters to try: the one of the time, then the oldest ones after it, with a note on those."""
    if wanted is not None:
        yield find_python(wanted), ""
        return
    first, found = era_minor(day), 0
    for minor in sorted(minor for minor in RELEASED if minor >= first):
        if found == _MOST_TRIES:
            return
        text = ".".join(map(str, minor))
        try:
            python = find_python(text)
        except ModernizerError:
            continue
        found += 1
        note = f"Python {text}, the oldest that could be had: {'.'.join(map(str, first))} was current in {day.isoformat()}"
        yield python, "" if minor == first else note


def _era(day: date, settings: BuildSettings) -> Era:
    return Era(
        cutoff=f"{(day + timedelta(days=1)).isoformat()}T00:00:00Z",
        kernel_cutoff=f"{(_today(settings) - timedelta(days=max(settings.cooldown_days, 1))).strftime('%Y-%m-%d')}T00:00:00Z",
    )


def _today(settings: BuildSettings) -> datetime:
    return settings.now().astimezone(UTC)
