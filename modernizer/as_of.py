"""Puts a notebook's two worlds together: its date, its packages then and now, and what to do with a drifted score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from platformdirs import user_cache_path

from modernizer.bench import Task, load_program
from modernizer.config import load_config
from modernizer.discovery import TOOL_NAME, find_root
from modernizer.drift.dates import notebook_date
from modernizer.drift.facts import NotebookDrift, facts_for
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

_ORIGIN = "recipe:restore-default"


def calibrated(
    task: Task, environment: Environment, original: Program, repaired: Repaired | None, bench: Bench
) -> tuple[date | None, Repaired | None]:
    """Restore the old meaning of a clean program whose scores are off; return the date used and the repair with it.

    Without a known date, or when the old releases can't be fetched, the program stays as it is.
    """
    when = notebook_date(task.notebook, root=task.root, configured=task.settings.as_of)
    if when.day is None:
        return None, repaired
    program = repaired.program if repaired else original
    state = repaired or Repaired(original, None, None, (), (), "none-applicable", Ledger())
    bench.on_progress(f"releases of {when.day.isoformat()}")
    try:
        worlds = open_worlds(
            packages_of(use.symbol for use in program_uses(program)),
            when.day,
            cache=drift_cache(),
            python=_minor(environment.python_version),
            now=environment.packages,
        )
        found = calibrate(program, worlds, bench)
    except ModernizerError as error:
        attempt = Attempt(
            _ORIGIN, "score-calibration", "failed", f"the releases of {when.day.isoformat()} can't be read: {error}"
        )
        return when.day, replace(state, attempts=(*state.attempts, attempt))
    ledger = replace(
        state.ledger,
        executions=state.ledger.executions + found.executions,
        cell_seconds=state.ledger.cell_seconds + found.cell_seconds,
    )
    state = replace(state, attempts=(*state.attempts, *found.attempts), ledger=ledger)
    if found.program is None or found.fix is None:
        return when.day, state
    return when.day, replace(
        state,
        program=found.program,
        after=found.outcome,
        proof=found.execution,
        fixes=(*state.fixes, found.fix),
        stopped="good",
    )


def find_drift(path: Path, *, config_file: Path | None, as_of: date | None, python: str | None) -> NotebookDrift:
    """Compare the APIs that a notebook uses at its date and today; nothing is run. Without a known date there are no facts."""
    root = find_root([path])
    name = path.resolve().relative_to(root.resolve()).as_posix()
    settings = load_config(config_file, root).for_notebook(name)
    notebook = read_notebook(path, name=name)
    when = notebook_date(notebook, root=root, configured=as_of or settings.as_of)
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
