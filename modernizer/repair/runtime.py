"""Runtime-reduction: make the slow cells of a timed-out notebook faster by changes that provably give the same results.

Nothing is sampled, shortened or left out, so a proof that ends in time is a proof of the notebook itself. What a frame's
types must prove is looked at in a run that stops just before the statement, or in the kernel of the proof.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import libcst as cst

from modernizer.execution.outcome import Execution
from modernizer.repair.apply import Surroundings, apply_recipes, program_names
from modernizer.repair.loop import Bench, Repaired, Run, repair
from modernizer.repair.merge import merge_fixes
from modernizer.repair.outcome import Attempt, AttemptOutcome, Fix, Ledger
from modernizer.repair.program import Key, Program
from modernizer.repair.recipe import Recipe
from modernizer.repair.speedups.jobs import MoreJobs
from modernizer.repair.speedups.loops import ConcatOnce
from modernizer.repair.speedups.reads import RepeatedReads
from modernizer.repair.speedups.rows import RowApply, RowsToColumns, find_row_applies, stopped_before
from modernizer.repair.speedups.slow import slow_cells
from modernizer.verdict.outcome import Outcome

_MOST_LOOKS = 4
_MOST_PARTS = 5000
_LOOK = "the run ends here to look at {}"
_ORIGIN = "recipe:speed-ups"


@dataclass
class _Trials:
    """The runs of one runtime-reduction and what they cost."""

    bench: Bench
    executions: int = 0
    cell_seconds: float = 0.0
    attempts: list[Attempt] = field(default_factory=list)

    def run(self, run: Run) -> Execution:
        execution = run.run()
        self.executions += 1
        self.cell_seconds += execution.cell_seconds
        return execution

    def attempt(self, fixes: Sequence[Fix], outcome: AttemptOutcome, why: str) -> None:
        self.attempts += [Attempt(fix.origin, "runtime-reduction", outcome, why) for fix in fixes]

    def out_of_time(self) -> bool:
        return time.monotonic() > self.bench.deadline


@dataclass(frozen=True)
class _Sped:
    """The program with speed-ups in it and its clean run, still open."""

    program: Program
    fixes: tuple[Fix, ...]
    run: Run
    execution: Execution


def reduce_runtime(original: Program, repaired: Repaired | None, execution: Execution, bench: Bench) -> Repaired:
    """Speed up the slow cells of a timed-out program; kept when the clean run then gets past the time-out.

    ``execution`` is the one that timed out. An error that shows only now is repaired as any other.
    """
    state = repaired or Repaired(original, None, None, (), (), "none-applicable", Ledger())
    trials = _Trials(bench)
    result = _tried(state, execution, trials)
    spent = state.ledger if result is None else result.ledger
    ledger = replace(
        spent, executions=spent.executions + trials.executions, cell_seconds=spent.cell_seconds + trials.cell_seconds
    )
    kept = result or state
    return replace(kept, attempts=(*kept.attempts, *trials.attempts), ledger=ledger)


def last_execution(repaired: Repaired | None, first: Execution) -> Execution:
    """Return the execution that the present verdict comes from."""
    return repaired.proof if repaired and repaired.proof else first


def _tried(state: Repaired, execution: Execution, trials: _Trials) -> Repaired | None:
    """Return the repair with the speed-ups in it; None when there are none or the time-out stands."""
    bench = trials.bench
    slow: frozenset[Key] = frozenset(cell.index for cell in slow_cells(execution.cells))
    rows = _proven(state.program, slow, trials)
    loops = ConcatOnce(slow)
    recipes: list[Recipe] = [RowsToColumns(rows), RepeatedReads(slow), loops, MoreJobs(slow, _mentioned(state.program, slow))]
    while True:
        loops.parts.clear()
        program, fixes = _applied(state.program, recipes, bench)
        if not fixes:
            if not trials.attempts:
                why = "no change that provably gives the same results applies to the slow cells"
                trials.attempts.append(Attempt(_ORIGIN, "runtime-reduction", "no-effect", why))
            return None
        if trials.out_of_time():
            trials.attempt(fixes, "failed", "no time was left to prove it")
            return None
        bench.on_progress(f"faster: {', '.join(fix.origin.partition(':')[2] for fix in fixes)}")
        run = bench.open_run(program)
        try:
            after = trials.run(run)
            if after.end == "finished" and not all(_alike(run, name) for name in loops.parts):
                trials.attempt(_named(fixes, loops.name), "rejected", "the joined parts differ in their columns or types")
                recipes.remove(loops)
                continue
            return _judged(state, _Sped(program, fixes, run, after), trials)
        finally:
            run.close()


def _judged(state: Repaired, sped: _Sped, trials: _Trials) -> Repaired | None:
    bench, program, fixes, execution = trials.bench, sped.program, sped.fixes, sped.execution
    outcome = bench.judge(program, execution)
    if outcome.verdict in {"timed-out", "crashed"}:
        trials.attempt(fixes, "failed", f"with it {execution.reason or outcome.verdict}")
        return None
    if any(fix.origin == f"recipe:{ConcatOnce.name}" for fix in fixes) and execution.end != "finished":
        # Its parts can be looked at only at the end of a whole run.
        trials.attempt(fixes, "failed", "the run ended before the joined parts could be looked at")
        return None
    trials.attempt(fixes, "accepted", _why(outcome))
    kept = replace(
        state,
        program=program,
        after=outcome,
        proof=execution,
        fixes=tuple(merge_fixes(state.fixes, fixes)),
        stopped="good" if outcome.good else state.stopped,
    )
    if outcome.verdict != "broken":
        return kept
    further = repair(program, sped.run, execution, outcome, bench)
    return replace(
        kept,
        program=further.program,
        after=further.after or outcome,
        proof=further.proof or execution,
        fixes=tuple(merge_fixes(kept.fixes, further.fixes)),
        attempts=(*kept.attempts, *further.attempts),
        stopped=further.stopped,
        ledger=replace(
            further.ledger,
            executions=kept.ledger.executions + further.ledger.executions,
            cell_seconds=kept.ledger.cell_seconds + further.ledger.cell_seconds,
            model_calls=kept.ledger.model_calls + further.ledger.model_calls,
            tokens_in=kept.ledger.tokens_in + further.ledger.tokens_in,
            tokens_out=kept.ledger.tokens_out + further.ledger.tokens_out,
            tokens_cached=kept.ledger.tokens_cached + further.ledger.tokens_cached,
            cost_usd=kept.ledger.cost_usd + further.ledger.cost_usd,
            calls_estimated=kept.ledger.calls_estimated + further.ledger.calls_estimated,
        ),
    )


def _applied(program: Program, recipes: Sequence[Recipe], bench: Bench) -> tuple[Program, tuple[Fix, ...]]:
    program, fixes = apply_recipes(program, recipes, Surroundings(bench.installed))
    return program, tuple(replace(fix, kind="runtime-reduction") for fix in fixes)


def _proven(program: Program, slow: frozenset[Key], trials: _Trials) -> tuple[RowApply, ...]:
    """Select the row-wise applies whose frames have the types that make the vector form equal."""
    proven = []
    for apply in list(find_row_applies(program, slow))[:_MOST_LOOKS]:
        if trials.out_of_time():
            break
        message = _LOOK.format(apply.frame)
        run = trials.bench.open_run(stopped_before(program, apply, message))
        try:
            execution = trials.run(run)
            stopped = execution.error is not None and execution.error.message == message
            frame = run.describe(apply.frame) if stopped else None
        finally:
            run.close()
        if frame is not None and apply.proven(frame):
            proven.append(apply)
        else:
            why = f"cell {apply.unit}: the types of {apply.frame}'s columns don't prove the vector form equal"
            trials.attempts.append(Attempt(f"recipe:{RowsToColumns.name}", "runtime-reduction", "rejected", why))
    return tuple(proven)


def _alike(run: Run, parts: str) -> bool:
    """Tell whether all collected parts have the same columns and types; the first is the empty frame they are joined to."""
    whole = run.describe(parts)
    if whole is None or whole.length is None or whole.length > _MOST_PARTS:
        return False
    seen = {
        tuple(found.column_dtypes.items()) if (found := run.describe(f"{parts}[{place}]")) and found.column_dtypes else None
        for place in range(1, whole.length)
    }
    types = next(iter(seen), ())
    return len(seen) <= 1 and types is not None and not any(dtype == "category" for _, dtype in types)


def _mentioned(program: Program, slow: frozenset[Key]) -> frozenset[str]:
    """Return the names that the slow cells mention."""
    trees, _ = program_names(program)
    found = _Mentions()
    for key in slow & set(trees):
        trees[key].visit(found)
    return frozenset(found.names)


class _Mentions(cst.CSTVisitor):
    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_Name(self, node: cst.Name) -> None:  # noqa: N802 (LibCST's visitor protocol)
        self.names.add(node.value)


def _named(fixes: Sequence[Fix], name: str) -> list[Fix]:
    return [fix for fix in fixes if fix.origin == f"recipe:{name}"]


def _why(outcome: Outcome) -> str:
    return outcome.verdict if outcome.error is None else f"then cell {outcome.error.cell}: {outcome.error.name}"
