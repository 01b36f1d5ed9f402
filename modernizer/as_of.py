"""Puts a notebook's two worlds together: its date, its packages then and now, and what to do with a drifted score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property
from pathlib import Path

from platformdirs import user_cache_path

from modernizer.bench import Task, load_program
from modernizer.config import load_config
from modernizer.discovery import TOOL_NAME, find_root
from modernizer.drift.dates import NotebookDate, notebook_date
from modernizer.drift.facts import NotebookDrift, PlacedFact, facts_for
from modernizer.drift.uses import Use, uses
from modernizer.drift.worlds import Worlds, open_worlds, packages_of
from modernizer.environment.interpreters import ask, find_python
from modernizer.environment.model import Environment
from modernizer.errors import ModernizerError
from modernizer.notebook import read_notebook
from modernizer.repair.apply import program_names
from modernizer.repair.calibration import calibrate
from modernizer.repair.loop import Bench, Repaired
from modernizer.repair.outcome import Attempt, Ledger
from modernizer.repair.program import Program
from modernizer.repair.restore_default import RestoreDefaults


class Past:
    """One notebook's past: its date and, fetched when first asked for, its packages then and now."""

    def __init__(self, task: Task, environment: Environment, on_progress: Callable[[str], object] = str) -> None:
        self.trouble = ""
        self.used = False
        self._task = task
        self._environment = environment
        self._on_progress = on_progress
        self._opened: dict[tuple[str, ...], Worlds | None] = {}

    @cached_property
    def day(self) -> date | None:
        """Return the notebook's date, None when it is not known."""
        return notebook_date(self._task.notebook, root=self._task.root, configured=self._task.settings.as_of).day

    def worlds(self, program: Program) -> Worlds | None:
        """Return the two worlds of what a program uses; None without a date, or with ``trouble`` when they can't be had."""
        if self.day is None:
            return None
        packages = packages_of(use.symbol for use in program_uses(program))
        if packages not in self._opened:
            self._opened[packages] = self._open(packages, self.day)
        return self._opened[packages]

    def _open(self, packages: tuple[str, ...], day: date) -> Worlds | None:
        self.used = True
        self._on_progress(f"releases of {day.isoformat()}")
        python, now = _minor(self._environment.python_version), self._environment.packages
        try:
            return open_worlds(packages, day, cache=drift_cache(), python=python, now=now)
        except ModernizerError as error:
            self.trouble = f"the releases of {day.isoformat()} can't be read: {error}"
            return None


def calibrated(original: Program, repaired: Repaired | None, bench: Bench, past: Past) -> Repaired | None:
    """Restore the old meaning of a clean program whose scores are off, and return the repair with what came of it.

    Without a known date, or when the old releases can't be fetched, the program stays as it is.
    """
    program = repaired.program if repaired else original
    state = repaired or Repaired(original, None, None, (), (), "none-applicable", Ledger())
    worlds = past.worlds(program)
    if worlds is None:
        if not past.trouble:
            return repaired
        attempt = Attempt(f"recipe:{RestoreDefaults.name}", "score-calibration", "failed", past.trouble)
        return replace(state, attempts=(*state.attempts, attempt))
    found = calibrate(program, worlds, bench)
    ledger = replace(
        state.ledger,
        executions=state.ledger.executions + found.executions,
        cell_seconds=state.ledger.cell_seconds + found.cell_seconds,
    )
    state = replace(state, attempts=(*state.attempts, *found.attempts), ledger=ledger)
    if found.program is None or found.fix is None:
        return state
    return replace(
        state,
        program=found.program,
        after=found.outcome,
        proof=found.execution,
        fixes=(*state.fixes, found.fix),
        stopped="good",
    )


def drift_facts(program: Program, past: Past) -> Sequence[PlacedFact]:
    """Return what changed in what a program uses since its date; nothing when that is not known or can't be fetched."""
    worlds = past.worlds(program)
    return facts_for(program_uses(program), worlds) if worlds else ()


def find_drift(path: Path, *, config_file: Path | None, as_of: date | None, python: str | None) -> NotebookDrift:
    """Compare the APIs that a notebook uses at its date and today; nothing is run. Without a known date there are no facts."""
    root = find_root([path])
    name = path.resolve().relative_to(root.resolve()).as_posix()
    settings = load_config(config_file, root).for_notebook(name)
    notebook = read_notebook(path, name=name)
    when = NotebookDate(as_of, "command line") if as_of else notebook_date(notebook, root=root, configured=settings.as_of)
    if when.day is None:
        return NotebookDrift(name, when, {}, (), tuple(filter(None, [when.note])))
    interpreter = ask(find_python(python or settings.python))
    found = program_uses(load_program(notebook, root))
    packages = packages_of(use.symbol for use in found)
    worlds = open_worlds(packages, when.day, cache=drift_cache(), python=_minor(interpreter.text if interpreter else ""))
    facts = facts_for(found, worlds)
    worlds.save()
    return NotebookDrift(name, when, _releases(worlds), facts, tuple(filter(None, [when.note, *worlds.notes])))


def program_uses(program: Program) -> Sequence[Use]:
    """List what a notebook and its local modules use of the packages."""
    trees, names = program_names(program)
    return uses(trees.items(), names)


def drift_cache() -> Path:
    """Return the folder that keeps the sources and surfaces of releases."""
    return user_cache_path(TOOL_NAME) / "drift"


def _releases(worlds: Worlds) -> dict[str, tuple[str, str]]:
    both = sorted(set(worlds.then) & set(worlds.now))
    return {name: (worlds.then[name].version, worlds.now[name].version) for name in both}


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])
