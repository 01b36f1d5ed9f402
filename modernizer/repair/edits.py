"""Tries proposed edits in the live kernel: each passes the policy, is run, and stays only when the run gets further."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from modernizer.execution.outcome import Execution
from modernizer.repair.apply import lines_changed
from modernizer.repair.outcome import Attempt, AttemptOutcome, Fix, FixKind, Ledger
from modernizer.repair.patch import cell_diff
from modernizer.repair.policy import Review
from modernizer.repair.program import Key, Program
from modernizer.repair.proposer import Edit, Miss, Proposal, Proposer, Situation, Tried
from modernizer.verdict.outcome import Outcome

Gate = Callable[[Program, Program], Review]
_CHEAP_SECONDS = 60.0
"""As long as the cells so far took no more, a run that may have failed by what an earlier try left behind is done again."""


@dataclass
class Desk:
    """What was proposed for one notebook so far: attempts, costs and the edits that were kept."""

    attempts: list[Attempt] = field(default_factory=list)
    spent: Ledger = field(default_factory=Ledger)
    kept: list[Edit] = field(default_factory=list)
    seen: set[frozenset[tuple[Key, str]]] = field(default_factory=set)


@dataclass(frozen=True)
class Kept:
    """An edit that got the notebook further."""

    program: Program
    execution: Execution
    outcome: Outcome
    fix: Fix


@dataclass(frozen=True)
class NothingKept:
    """No proposed edit helped; ``budget`` tells that there might have been others."""

    budget: bool = False
    interrupted: bool = False


@dataclass(frozen=True)
class Trial:
    """How to try an edit: judge and gate it, and run it, on in the kernel that stopped or from the top in a new one."""

    judge: Callable[[Program, Execution], Outcome]
    gate: Gate
    go_on: Callable[[Program], Execution]
    restart: Callable[[Program], Execution]
    accepts: Callable[[Program, Execution, Outcome], bool]
    out_of_time: Callable[[], bool]
    on_progress: Callable[[str], object]


def try_proposals(
    situation: Situation, execution: Execution, proposers: Sequence[Proposer], desk: Desk, trial: Trial
) -> Kept | NothingKept:
    """Ask one proposer after the other until an edit gets further than ``execution`` did."""
    before, failure = situation.program, situation.failure
    budget = dirty = False
    for proposer in proposers:
        tried = situation.tried
        while not trial.out_of_time():
            answer = proposer.propose(replace(situation, tried=tried))
            desk.spent = _added(desk.spent, answer.spent)
            if isinstance(answer, Miss):
                if answer.why:
                    desk.attempts.append(Attempt(proposer.origin, situation.kind, answer.outcome, answer.why))
                budget = budget or answer.next == "budget"
                if answer.next == "ask-again":
                    tried = (*tried, Tried("", answer.why))
                    continue
                break
            diff = program_diff(before, answer.program)
            state = frozenset(answer.program.sources().items())
            if state in desk.seen:
                desk.attempts.append(Attempt(proposer.origin, situation.kind, "rejected", "the same edit was proposed before"))
                break
            desk.seen.add(state)
            review = trial.gate(before, answer.program)
            if review.violations:
                why = "; ".join(map(str, review.violations[:4]))
                desk.attempts.append(Attempt(proposer.origin, situation.kind, "rejected", why))
                tried = (*tried, Tried(diff, f"the policy refuses it: {_reasons(review)}"))
                continue
            trial.on_progress(f"cell {failure.error.cell}: {failure.error.name}: {proposer.origin}")
            next_execution = (trial.restart if dirty else trial.go_on)(answer.program)
            if not dirty and _spoiled(execution, next_execution, before, answer.program):
                next_execution = trial.restart(answer.program)
            dirty = _left_traces(execution, next_execution, before, answer.program)
            if next_execution.end == "interrupted":
                return NothingKept(interrupted=True)
            next_outcome = trial.judge(answer.program, next_execution)
            if trial.accepts(answer.program, next_execution, next_outcome):
                fix = _fix(proposer.origin, situation.kind, before, answer, review)
                why = _what(failure.error.name, failure.error.message)
                desk.attempts.append(Attempt(proposer.origin, situation.kind, "accepted", why))
                changes = answer.program.changes_since(before)
                error = failure.error
                desk.kept.append(Edit(proposer.origin, error.name, error.message, failure.diagnosis, situation.line, changes))
                return Kept(answer.program, next_execution, next_outcome, fix)
            outcome, why = _no_better(execution, next_execution, next_outcome)
            desk.attempts.append(Attempt(proposer.origin, situation.kind, outcome, why))
            tried = (*tried, Tried(diff, why))
    return NothingKept(budget=budget or trial.out_of_time())


def _reasons(review: Review) -> str:
    """Say why an edit was refused, without a word on whether a number in it is a recorded one: that would tell the target."""
    said = (
        f"{'cell ' if isinstance(one.unit, int) else ''}{one.unit}: a number is written down that has to be computed"
        if one.rule == "no-recorded-score"
        else str(one)
        for one in review.violations[:4]
    )
    return "; ".join(dict.fromkeys(said))


def program_diff(before: Program, after: Program) -> str:
    """Return the changed units as one diff with the headers that models are shown."""
    changes = after.changes_since(before)
    parts = []
    for unit, (old, new) in changes.items():
        name = f"cell {unit}" if isinstance(unit, int) else unit
        parts.append(f"# {name}\n{cell_diff(old, new)}")
    return "".join(parts)


def further(before: Program, execution: Execution, after: Program, next_execution: Execution) -> bool:
    """Tell whether a run got further: to the end, to a later cell, or to a later statement of the same cell or module."""
    if next_execution.end == "finished":
        return True
    old, new = execution.error, next_execution.error
    if old is None or new is None:
        return False
    if new.cell != old.cell:
        return new.cell > old.cell
    if (new.name, new.message) == (old.name, old.message):
        return False
    syntax = {"SyntaxError", "IndentationError", "TabError"}
    if old.name in syntax and new.name not in syntax:
        # A cell that did not compile ran nothing of itself.
        return True
    return _left(after, execution=next_execution) < _left(before, execution=execution)


def _left(program: Program, *, execution: Execution) -> tuple[int, int]:
    """Count the lines that are left behind the error, in the cell and in the module that it came from."""
    error = execution.error
    assert error is not None  # noqa: S101 - the caller's condition
    sources = program.sources()
    in_cell = sources.get(error.cell, "").count("\n") - (error.line or 0)
    in_module = 0
    for frame in error.frames:
        if frame.local and frame.file is not None and frame.file in program.modules:
            in_module = program.modules[frame.file].count("\n") - frame.line
    return in_cell, in_module


def _left_traces(execution: Execution, next_execution: Execution, before: Program, after: Program) -> bool:
    """Tell whether a run changed more of the kernel than another try of the failing cell does."""
    old, new = execution.error, next_execution.error
    if old is None or new is None or new.cell != old.cell:
        return True
    return any(isinstance(unit, str) or unit < old.cell for unit in after.changes_since(before))


def _spoiled(execution: Execution, next_execution: Execution, before: Program, after: Program) -> bool:
    """Tell whether a live run may have failed by what the cell's first, broken run left behind."""
    old, new = execution.error, next_execution.error
    if old is None or new is None or new.cell != old.cell or further(before, execution, after, next_execution):
        return False
    different = (new.name, new.message) != (old.name, old.message)
    return different and (new.line or 0) < (old.line or 0) and execution.cell_seconds <= _CHEAP_SECONDS


def _no_better(execution: Execution, after: Execution, outcome: Outcome) -> tuple[AttemptOutcome, str]:
    if after.error is None:
        return "worse", f"with it the run ended {outcome.verdict}"
    said = _what(after.error.name, after.error.message)
    old = execution.error
    if old is not None and (after.error.cell, after.error.name, after.error.message) == (old.cell, old.name, old.message):
        return "no-effect", f"the same error came again: {said}"
    line = f", line {after.error.line}" if after.error.line else ""
    return "worse", f"with it cell {after.error.cell}{line} fails, no further than before: {said}"


def _what(name: str, message: str) -> str:
    return f"{name}: {message[:300]}"


def _fix(origin: str, kind: FixKind, before: Program, proposal: Proposal, review: Review) -> Fix:
    changes = proposal.program.changes_since(before)
    flags = f" To look at: {'; '.join(map(str, review.flags[:6]))}." if review.flags else ""
    return Fix(
        kind=kind,
        origin=origin,
        cells=tuple(sorted(key for key in changes if isinstance(key, int))),
        files=tuple(sorted(key for key in changes if isinstance(key, str))),
        lines_changed=sum(lines_changed(old, new) for old, new in changes.values()),
        explanation=f"{proposal.explanation or 'An edit that the clean run proved.'}{flags}",
    )


def _added(one: Ledger, other: Ledger) -> Ledger:
    return Ledger(**{name: getattr(one, name) + getattr(other, name) for name in vars(one)})


def recorded_scores(outcome: Outcome) -> Collection[float]:
    """Return the recorded scores, which the gate keeps out of edits and nobody else sees."""
    return tuple(score.recorded for score in outcome.scores if score.recorded is not None)
