"""The repair loop: find a fix for the first fatal error, go on in the live kernel, prove the result in a clean run."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from modernizer.drift.worlds import Worlds
from modernizer.execution.outcome import Execution
from modernizer.repair.apply import Surroundings, apply_recipes
from modernizer.repair.edits import Desk, Gate, Kept, Trial, further, recorded_scores, try_proposals
from modernizer.repair.failure import place
from modernizer.repair.merge import merge_fixes
from modernizer.repair.minimise import hunks, minimise
from modernizer.repair.outcome import Attempt, Fix, Ledger, Stopped
from modernizer.repair.policy import check
from modernizer.repair.program import Key, Program
from modernizer.repair.proposer import Edit, Proposer, Situation
from modernizer.repair.recipe import Failure, FetchingRecipe, Live, Packages, Recipe
from modernizer.verdict.outcome import Outcome

PYTHON2 = "python-2"
_API_ERRORS = frozenset({"ImportError", "ModuleNotFoundError", "AttributeError", "TypeError", "NameError"})
MAX_ROUNDS = 60
"""More than twice the longest chain of distinct errors met in real notebooks (22); a guard, not a budget."""


class Run(Live, Protocol):
    """A live kernel in a scratch copy of the repository, as the loop needs it."""

    def run(self, from_cell: int = 0) -> Execution:
        """Run the code cells from this one on, to the end or the first fatal error."""

    def change(self, program: Program) -> None:
        """Take over edited cells and modules; edited modules are forgotten by the kernel."""

    def restart(self) -> None:
        """Start a new kernel in the same scratch copy."""

    def observe_divisions(self) -> None:
        """From now on divide as Python 2 did and note what is divided where."""

    def close(self) -> None:
        """Kill the kernel and remove the scratch copy."""


@dataclass(frozen=True)
class Bench:
    """What the loop works with: how to open a run and to judge one, the recipes and what is installed.

    ``drift`` gives a program's two worlds, then and now, or None when its date or its releases are not known.
    ``proposers`` are asked, one after the other, for what no recipe repairs; ``renames`` are those that drift facts allow their
    edits, as the policy takes them. ``on_proven`` is told the proposed edits that were kept, and the program that was proven.
    """

    open_run: Callable[[Program], Run]
    judge: Callable[[Program, Execution], Outcome]
    installed: Packages
    recipes: Sequence[Recipe]
    deadline: float = float("inf")
    on_progress: Callable[[str], object] = str
    drift: Callable[[Program], Worlds | None] = lambda _: None
    proposers: Sequence[Proposer] = ()
    renames: Callable[[Program], Mapping[str, str]] = lambda _: {}
    on_proven: Callable[[Sequence[Edit], Program], object] = lambda _edits, _program: None


@dataclass(frozen=True)
class Repaired:
    """The loop's result: the best program, its proof, and how it came about."""

    program: Program
    after: Outcome | None
    proof: Execution | None
    fixes: tuple[Fix, ...]
    attempts: tuple[Attempt, ...]
    stopped: Stopped
    ledger: Ledger


@dataclass
class _State:
    """The program as repaired so far with the fixes in it, and what it cost."""

    program: Program
    fixes: list[Fix] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    ledger: Ledger = field(default_factory=Ledger)
    barred: set[str] = field(default_factory=set)
    failed_at: list[tuple[Key, int]] = field(default_factory=list)
    desk: Desk = field(default_factory=Desk)

    def count(self, execution: Execution, before: float = 0.0) -> None:
        self.ledger = replace(
            self.ledger,
            executions=self.ledger.executions + 1,
            cell_seconds=self.ledger.cell_seconds + max(0.0, execution.cell_seconds - before),
        )

    @property
    def cost(self) -> Ledger:
        """Join what runs and what proposals cost."""
        spent = self.desk.spent
        return replace(spent, executions=self.ledger.executions, cell_seconds=self.ledger.cell_seconds)


def repair(original: Program, run: Run, first: Execution, outcome: Outcome, bench: Bench) -> Repaired:
    """Repair a broken program, going on in the kernel that stopped at its first fatal error.

    ``run`` is closed at the end. The result's ``after`` comes from a clean run only; it is None when nothing was changed.
    """
    state = _State(original)
    try:
        stopped, execution, outcome = _until_clean(state, run, first, outcome, bench)
    finally:
        run.close()
    rounds = 0
    while stopped == "good" and rounds < MAX_ROUNDS:
        rounds += 1
        proof_run = bench.open_run(state.program)
        try:
            bench.on_progress("proof")
            execution = proof_run.run()
            state.count(execution)
            outcome = bench.judge(state.program, execution)
            if execution.end == "finished":
                break
            fixes_before = len(state.fixes)
            stopped, execution, outcome = _until_clean(state, proof_run, execution, outcome, bench)
            if stopped == "good" and len(state.fixes) == fixes_before:
                stopped = "no-progress"
        finally:
            proof_run.close()
    if not state.fixes:
        return Repaired(original, None, None, (), tuple(state.attempts), stopped, state.cost)
    if stopped != "good":
        execution = _clean_run(state, bench)
        outcome = bench.judge(state.program, execution)
    elif outcome.good or outcome.verdict == "drifted":
        small = minimise(original, state.program, tuple(state.fixes), outcome, bench, failed_at=state.failed_at)
        state.attempts.extend(small.attempts)
        state.ledger = replace(
            state.ledger,
            executions=state.ledger.executions + small.executions,
            cell_seconds=state.ledger.cell_seconds + small.cell_seconds,
        )
        if small.outcome is not None and small.execution is not None:
            state.program, state.fixes = small.program, list(small.fixes)
            outcome, execution = small.outcome, small.execution
    if outcome.good:
        bench.on_proven(state.desk.kept, state.program)
    if stopped == "good" and not outcome.good:
        stopped = "none-applicable"
    return Repaired(state.program, outcome, execution, tuple(state.fixes), tuple(state.attempts), stopped, state.cost)


def _clean_run(state: _State, bench: Bench) -> Execution:
    run = bench.open_run(state.program)
    try:
        execution = run.run()
    finally:
        run.close()
    state.count(execution)
    return execution


def _until_clean(
    state: _State, run: Run, execution: Execution, outcome: Outcome, bench: Bench
) -> tuple[Stopped, Execution, Outcome]:
    """Fix error after error in one live kernel until the last cell is reached or nothing more applies."""
    seen: set[tuple[object, ...]] = set()
    for _ in range(MAX_ROUNDS):
        stopped = _stopped(state, execution, outcome, bench)
        if stopped == "good":
            _settle(state, run, bench)
        fetching = stopped == "blocked" and execution.error is not None
        if (stopped and not fetching) or execution.error is None or outcome.diagnosis is None:
            return stopped or _stuck(state), execution, outcome
        failure = place(execution.error, outcome.diagnosis, state.program)
        key = (failure.unit, failure.line, execution.error.name, execution.error.message, tuple(state.program.sources().items()))
        recipes = _usable(state, bench, fetching=fetching)
        program, fixes = apply_recipes(state.program, recipes, Surroundings(bench.installed, failure, run))
        if not (fixes or fetching) and execution.error.name in _API_ERRORS and (worlds := bench.drift(state.program)):
            # The tables have no entry: what the releases themselves tell.
            program, fixes = apply_recipes(state.program, recipes, Surroundings(bench.installed, failure, run, worlds))
        if key in seen or not fixes:
            if fetching or not bench.proposers:
                return stopped or _stuck(state), execution, outcome
            proposed = _proposed(state, run, execution, outcome, failure=failure, bench=bench)
            if not isinstance(proposed, Kept):
                return proposed, execution, outcome
            execution, outcome = proposed.execution, proposed.outcome
            continue
        seen.add(key)
        if failure.line is not None:
            state.failed_at.append((failure.unit, failure.line))
        bench.on_progress(f"cell {failure.error.cell}: {failure.error.name}: {', '.join(_names(fixes))}")
        next_execution = _go_on(state, run, program, execution, _names(fixes))
        next_outcome = bench.judge(program, next_execution)
        guesses = _guesses(fixes, bench, execution, next_execution, failure)
        guesses += [fix for fix in _in_vain(fixes, bench, outcome, next_outcome) if fix not in guesses]
        if guesses:
            # The round is undone as a whole and tried again without its guesses; what is confirmed comes back.
            for fix in guesses:
                state.barred.add(fix.origin)
                state.attempts.append(Attempt(fix.origin, fix.kind, "rolled-back", f"afterwards {_why(next_outcome)}"))
            execution = _restarted(state, run, state.program)
            outcome = bench.judge(state.program, execution)
            seen.clear()
            continue
        state.program = program
        state.fixes = merge_fixes(state.fixes, fixes)
        state.attempts.extend(Attempt(fix.origin, fix.kind, "accepted", _why(outcome)) for fix in fixes)
        execution, outcome = next_execution, next_outcome
    return "budget", execution, outcome


def _usable(state: _State, bench: Bench, *, fetching: bool) -> list[Recipe]:
    """List the recipes to try on an error: where something is missing, those that fetch it."""
    usable = [recipe for recipe in bench.recipes if not recipe.at_end and f"recipe:{recipe.name}" not in state.barred]
    return [recipe for recipe in usable if isinstance(recipe, FetchingRecipe)] if fetching else usable


def _in_vain(fixes: Sequence[Fix], bench: Bench, before: Outcome, after: Outcome) -> list[Fix]:
    """List the fixes that were to fetch something, when it is missing still or the network did not give it."""
    fetching = {f"recipe:{recipe.name}" for recipe in bench.recipes if isinstance(recipe, FetchingRecipe)}
    missing = before.verdict == "blocked" and after.diagnosis == before.diagnosis
    refused = after.diagnosis is not None and after.diagnosis.kind == "needs-network"
    return [fix for fix in fixes if fix.origin in fetching] if missing or refused else []


def _proposed(
    state: _State, run: Run, execution: Execution, outcome: Outcome, *, failure: Failure, bench: Bench
) -> Kept | Stopped:
    """Have an edit proposed for what no recipe repairs, and keep it when the run gets further with it."""
    before = state.program
    trial = Trial(
        bench.judge,
        _gate(outcome, bench),
        go_on=lambda program: _go_on(state, run, program, execution, ()),
        restart=lambda program: _restarted(state, run, program),
        accepts=lambda program, after, found: further(before, execution, program, after) and found.verdict != "blocked",
        out_of_time=lambda: time.monotonic() > bench.deadline,
        on_progress=bench.on_progress,
    )
    situation = Situation(state.program, failure, run)
    attempts_before = len(state.desk.attempts)
    result = try_proposals(situation, execution, bench.proposers, state.desk, trial)
    state.attempts.extend(state.desk.attempts[attempts_before:])
    if isinstance(result, Kept):
        changes = result.program.changes_since(state.program)
        if failure.line is not None and len(hunks(state.program, result.program)) == 1 and failure.unit in changes:
            # One block in the failing code is what the error needed; of several, each must prove itself.
            state.failed_at.append((failure.unit, failure.line))
        state.program = result.program
        state.fixes = [*state.fixes, result.fix]
        return result
    if result.interrupted:
        return "interrupted"
    return "budget" if result.budget else _stuck(state)


def _gate(outcome: Outcome, bench: Bench) -> Gate:
    """Return the policy with what this notebook's drift allows and what its record forbids."""
    recorded = recorded_scores(outcome)
    return lambda before, after: check(before, after, renames=bench.renames(before), recorded=recorded)


def _settle(state: _State, run: Run, bench: Bench) -> None:
    """Apply the recipes that wait for the end of the notebook; the proof is what judges them."""
    recipes = [recipe for recipe in bench.recipes if recipe.at_end]
    state.program, fixes = apply_recipes(state.program, recipes, Surroundings(bench.installed, None, run))
    state.fixes = merge_fixes(state.fixes, fixes)


def _stopped(state: _State, execution: Execution, outcome: Outcome, bench: Bench) -> Stopped | None:
    """Return why the loop ends here; None when there is an error to repair."""
    if execution.end == "finished":
        return "good"
    if execution.end == "interrupted":
        return "interrupted"
    if outcome.verdict == "blocked":
        return "blocked"
    if outcome.verdict != "broken" or outcome.reason == "never-ran":
        return _stuck(state)
    return "budget" if time.monotonic() > bench.deadline else None


def _stuck(state: _State) -> Stopped:
    return "no-progress" if state.fixes else "none-applicable"


def _names(fixes: Sequence[Fix]) -> list[str]:
    return [fix.origin.partition(":")[2] for fix in fixes]


def _go_on(state: _State, run: Run, program: Program, execution: Execution, new: Sequence[str]) -> Execution:
    """Run on from the failing cell; from the top in a new kernel when code that ran already was changed too."""
    failing = execution.error.cell if execution.error else 0
    changed = program.changes_since(state.program)
    python2 = PYTHON2 in new
    if python2:
        run.observe_divisions()
    already_ran = python2 or any(isinstance(key, str) or key < failing for key in changed)
    run.change(program)
    if already_ran:
        return _restarted(state, run, program)
    next_execution = run.run(failing)
    state.count(next_execution, execution.cell_seconds)
    return next_execution


def _restarted(state: _State, run: Run, program: Program) -> Execution:
    run.change(program)
    run.restart()
    execution = run.run()
    state.count(execution)
    return execution


def _worse(before: Execution, after: Execution) -> bool:
    """Tell whether the run now ends at an earlier cell than before, which an edit must not do."""
    if after.end in {"finished", "interrupted"}:
        return False
    if after.end == "crashed" and before.end != "crashed":
        return True
    if before.error is None or after.error is None:
        return False
    return after.error.cell < before.error.cell


def _unmoved(before: Execution, after: Execution) -> bool:
    """Tell whether the same error stands at the same place still."""
    if before.error is None or after.error is None:
        return False
    one, other = before.error, after.error
    return (one.cell, one.line, one.name, one.message) == (other.cell, other.line, other.name, other.message)


def _guesses(fixes: Sequence[Fix], bench: Bench, before: Execution, after: Execution, failure: Failure) -> list[Fix]:
    """List the fixes to take back: those that went by the error and not by the installed packages alone, and did no good.

    After a worse run that is all of them; when the same error still stands, those that changed the failing code.
    """
    confirmed = {f"recipe:{recipe.name}" for recipe in bench.recipes if recipe.confirmed}
    guessed = [fix for fix in fixes if fix.origin not in confirmed]
    if _worse(before, after):
        return guessed
    if _unmoved(before, after):
        return [fix for fix in guessed if failure.unit in fix.cells or failure.unit in fix.files]
    return []


def _why(outcome: Outcome) -> str:
    if outcome.error is None:
        return outcome.verdict
    return f"cell {outcome.error.cell}: {outcome.error.name}: {outcome.error.message[:200]}"
