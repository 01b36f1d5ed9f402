"""Changes of the packages that raise nothing and change results: repaired when a score shows that they matter, else reported.

pandas 3 lets ``df['c'].fillna(0, inplace=True)`` and ``df['c'][rows] = v`` pass without any effect on the frame,
``str.replace`` takes its pattern literally, text is no ``object`` and times count microseconds. A notebook may run to its end
and be wrong.
"""

from __future__ import annotations

from dataclasses import replace

from modernizer.repair.apply import Surroundings, apply_recipes
from modernizer.repair.loop import Bench, Repaired
from modernizer.repair.merge import merge_fixes
from modernizer.repair.outcome import Attempt, Fix, Ledger
from modernizer.repair.program import Program
from modernizer.verdict.outcome import Outcome

_LINTED = frozenset({"pandas-object-dtype", "pandas-nanoseconds"})
"""What ``silent_lint`` tells of where it is left."""
SILENT = _LINTED | {"pandas-column-in-place", "pandas-position-write", "pandas-text-and-dates", "pandas-missing-values"}


def find_silent(program: Program, bench: Bench, names: frozenset[str] = SILENT) -> tuple[Program, tuple[Fix, ...]]:
    """Return the program with its silent changes undone, and what that would be."""
    recipes = [recipe for recipe in bench.recipes if recipe.name in names]
    return apply_recipes(program, recipes, Surroundings(bench.installed))


def left_silent(program: Program, bench: Bench) -> tuple[str, ...]:
    """Say which silent changes a program keeps, except those that the lint tells."""
    return tuple(described(fix) for fix in find_silent(program, bench, SILENT - _LINTED)[1])


def undo_silent(original: Program, repaired: Repaired | None, before: Outcome, bench: Bench) -> Repaired | None:
    """Undo the silent changes of a drifted notebook when a clean run then has more scores that agree and loses none.

    All at once first; when that does no good, each kind by itself, as one that does harm would hide another's good.
    """
    state = repaired or Repaired(original, None, None, (), (), "none-applicable", Ledger())
    _, fixes = find_silent(state.program, bench)
    if not fixes:
        return repaired
    state, better = _undone(state, before, bench, SILENT)
    if better or len(fixes) == 1:
        return state
    for fix in fixes:
        state, _ = _undone(state, before, bench, frozenset({fix.origin.removeprefix("recipe:")}))
    return state


def _undone(state: Repaired, before: Outcome, bench: Bench, names: frozenset[str]) -> tuple[Repaired, bool]:
    """Undo some kinds of silent changes and run; the state holds them when that is better."""
    program, fixes = find_silent(state.program, bench, names)
    bench.on_progress("changes of pandas that raise no error")
    run = bench.open_run(program)
    try:
        execution = run.run()
    finally:
        run.close()
    outcome = bench.judge(program, execution)
    ledger = replace(
        state.ledger,
        executions=state.ledger.executions + 1,
        cell_seconds=state.ledger.cell_seconds + execution.cell_seconds,
    )
    better = execution.end == "finished" and _agreeing(outcome) > _agreeing(state.after or before)
    attempts = tuple(
        Attempt(fix.origin, "score-calibration", "accepted" if better else "no-effect", "" if better else described(fix))
        for fix in fixes
    )
    state = replace(state, ledger=ledger, attempts=(*state.attempts, *attempts))
    if not better:
        return state, False
    kept = merge_fixes(state.fixes, [replace(fix, kind="score-calibration") for fix in fixes])
    stopped = "good" if outcome.good else state.stopped
    return replace(state, program=program, after=outcome, proof=execution, fixes=tuple(kept), stopped=stopped), True


def described(fix: Fix) -> str:
    """Say where a silent change stands and that nothing recorded shows its effect."""
    places = ", ".join([*(f"cell {cell}" for cell in fix.cells), *fix.files])
    return f"{places}: {fix.explanation} Left as it is: no recorded score shows that it matters."


def _agreeing(outcome: Outcome) -> frozenset[tuple[int | None, str, str]]:
    return frozenset((score.cell, score.name, score.source) for score in outcome.scores if score.agrees)
