"""Make a proven patch small: drop each hunk without which the proof still holds.

Changes of symbols and arguments that the installed packages no longer know are needed wherever they stand, run or not, and
so are the hunks on lines that were seen to fail. What remains are the places that a recipe changed by proof of type only;
they are dropped in ever smaller groups, each tried in a clean run, within a budget of executions and time.
"""

from __future__ import annotations

import difflib
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from modernizer.execution.outcome import Execution
from modernizer.repair.apply import Surroundings, apply_recipes, lines_changed
from modernizer.repair.outcome import Attempt, Fix
from modernizer.repair.program import Key, Program
from modernizer.repair.recipe import WholeProgramRecipe
from modernizer.verdict.outcome import Outcome

if TYPE_CHECKING:
    from modernizer.repair.loop import Bench

_MOST_TRIALS = 8
_LEAST_SECONDS = 60.0
_NEAR = 2
"""Lines between a failing line and a hunk that still belong together: a statement may start lines before it fails."""


@dataclass(frozen=True)
class Hunk:
    """One changed block of lines of a unit: ``before`` of the confirmed program, ``after`` of the repaired one."""

    unit: Key
    before: tuple[int, int]
    after: tuple[int, int]


@dataclass(frozen=True)
class Minimised:
    """The smaller program with its proof; ``outcome`` is None when nothing was dropped."""

    program: Program
    fixes: tuple[Fix, ...]
    outcome: Outcome | None = None
    execution: Execution | None = None
    attempts: tuple[Attempt, ...] = ()
    executions: int = 0
    cell_seconds: float = 0.0


def minimise(
    original: Program,
    repaired: Program,
    fixes: tuple[Fix, ...],
    proof: Outcome,
    bench: Bench,
    *,
    failed_at: Sequence[tuple[Key, int]] = (),
) -> Minimised:
    """Drop needless hunks of ``repaired``; each kept drop was proven by a clean run as good as ``proof``."""
    confirmed = [recipe for recipe in bench.recipes if recipe.confirmed]
    base, _ = apply_recipes(original, confirmed, Surroundings(bench.installed))
    settled = _settled(fixes, bench)
    candidates = [hunk for hunk in hunks(base, repaired) if hunk.unit not in settled and not _seen_to_fail(hunk, failed_at)]
    result = Minimised(repaired, fixes)
    end = min(bench.deadline, time.monotonic() + max(_LEAST_SECONDS, 3 * proof.seconds))
    pending = [candidates] if candidates else []
    dropped: list[Hunk] = []
    while pending and result.executions < _MOST_TRIALS and time.monotonic() < end:
        group = pending.pop(0)
        program = without(base, repaired, [*dropped, *group])
        execution, outcome = _try(program, bench)
        holds = _as_good(outcome, proof)
        places = ", ".join(
            f"cell {unit}" if isinstance(unit, int) else unit for unit in dict.fromkeys(hunk.unit for hunk in group)
        )
        why = f"without the changes in {places} the proof {'holds as well' if holds else 'fails'}"
        attempt = Attempt("minimise", "error-repair", "accepted" if holds else "failed", why)
        result = replace(
            result,
            attempts=(*result.attempts, attempt),
            executions=result.executions + 1,
            cell_seconds=result.cell_seconds + execution.cell_seconds,
        )
        if holds:
            dropped.extend(group)
            kept = _fixes_of(original, program, fixes)
            result = replace(result, program=program, fixes=kept, outcome=outcome, execution=execution)
        elif len(group) > 1:
            middle = len(group) // 2
            pending[:0] = [group[:middle], group[middle:]]
    return result


def hunks(base: Program, repaired: Program) -> list[Hunk]:
    """List the changed blocks between two states of a program."""
    found = []
    for key, (before, after) in repaired.changes_since(base).items():
        matcher = difflib.SequenceMatcher(None, before.split("\n"), after.split("\n"), autojunk=False)
        for tag, i1, i2, j1, j2 in matcher.get_opcodes():
            if tag != "equal":
                found.append(Hunk(key, (i1, i2), (j1, j2)))
    return found


def without(base: Program, repaired: Program, dropped: Sequence[Hunk]) -> Program:
    """Return ``repaired`` with the dropped hunks' lines as they stand in ``base``."""
    sources, old = repaired.sources(), base.sources()
    changes: dict[Key, str] = {}
    for key in {hunk.unit for hunk in dropped}:
        lines, old_lines = sources[key].split("\n"), old[key].split("\n")
        for hunk in sorted((hunk for hunk in dropped if hunk.unit == key), key=lambda hunk: hunk.after, reverse=True):
            lines[slice(*hunk.after)] = old_lines[slice(*hunk.before)]
        changes[key] = "\n".join(lines)
    return repaired.replaced(changes)


def _settled(fixes: Sequence[Fix], bench: Bench) -> frozenset[Key]:
    """Return the units whose changes belong together: a meaning kept there (Python 2's) need not show in any score.

    A whole run settled them, or a recipe that sees the whole program changed them in one piece.
    """
    whole = {f"recipe:{recipe.name}" for recipe in bench.recipes if recipe.at_end or isinstance(recipe, WholeProgramRecipe)}
    settled: set[Key] = set()
    for fix in fixes:
        if fix.origin in whole:
            settled.update(fix.cells, fix.files)
    return frozenset(settled)


def _seen_to_fail(hunk: Hunk, failed_at: Sequence[tuple[Key, int]]) -> bool:
    first, last = hunk.after[0] + 1, max(hunk.after[1], hunk.after[0] + 1)
    return any(unit == hunk.unit and first - _NEAR <= line <= last + _NEAR for unit, line in failed_at)


def _try(program: Program, bench: Bench) -> tuple[Execution, Outcome]:
    run = bench.open_run(program)
    try:
        execution = run.run()
    finally:
        run.close()
    return execution, bench.judge(program, execution)


def _as_good(outcome: Outcome, proof: Outcome) -> bool:
    """Tell whether a run is as good as the proof: same verdict and every score that agreed still agrees."""
    if outcome.verdict != proof.verdict:
        return False
    agreeing = {(score.cell, score.name, score.source) for score in outcome.scores if score.agrees}
    return agreeing >= {(score.cell, score.name, score.source) for score in proof.scores if score.agrees}


def _fixes_of(original: Program, program: Program, fixes: tuple[Fix, ...]) -> tuple[Fix, ...]:
    """Keep the fixes that still have a place in the program, with the cells and files they are left with."""
    changed = program.changes_since(original)
    total = {key: lines_changed(before, after) for key, (before, after) in changed.items()}
    kept = []
    for fix in fixes:
        cells = tuple(cell for cell in fix.cells if cell in changed)
        files = tuple(file for file in fix.files if file in changed)
        if cells or files:
            places: list[Key] = [*cells, *files]
            most = sum(total[key] for key in places)
            kept.append(replace(fix, cells=cells, files=files, lines_changed=min(fix.lines_changed, most)))
    return tuple(kept)
