"""Score-calibration: restore the old meaning of a clean but off-score notebook from facts, never from its numbers.

Every changed default of the calls that the notebook makes is restored, all together. Only when that run's scores agree are
they dropped one by one while the scores still agree; otherwise the notebook stays as it was. No subset and no value is ever
searched for: what the libraries' random streams or fixed bugs changed can't be pinned and is named as the likely cause.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from modernizer.drift.compare import Fact
from modernizer.drift.facts import facts_for
from modernizer.drift.uses import uses
from modernizer.drift.worlds import Worlds
from modernizer.execution.outcome import Execution
from modernizer.repair.apply import Surroundings, apply_recipes, program_names
from modernizer.repair.loop import Bench
from modernizer.repair.outcome import Attempt, AttemptOutcome, Fix
from modernizer.repair.program import Program
from modernizer.repair.restore_default import LOGISTIC, Restoration, RestoreDefaults
from modernizer.verdict.outcome import Outcome

_ORIGIN = f"recipe:{RestoreDefaults.name}"
_MULTICLASS = "does not support multiclass classification"
_MOST_REFUSALS = 8
_MOST_TRIALS = 12


@dataclass(frozen=True)
class Calibrated:
    """What came of it; ``program`` is None when the notebook stays as it was."""

    attempts: tuple[Attempt, ...]
    program: Program | None = None
    fix: Fix | None = None
    outcome: Outcome | None = None
    execution: Execution | None = None
    executions: int = 0
    cell_seconds: float = 0.0


@dataclass
class _Trials:
    """The runs of one calibration, all from the same program."""

    base: Program
    worlds: Worlds
    bench: Bench
    refused: set[tuple[str, str]] = field(default_factory=set)
    one_per_class: bool = False
    impossible: dict[str, None] = field(default_factory=dict)
    attempts: list[Attempt] = field(default_factory=list)
    executions: int = 0
    cell_seconds: float = 0.0

    def change(self, dropped: Iterable[Restoration] = ()) -> tuple[Program, Fix | None, tuple[Restoration, ...]]:
        """Restore all defaults but the dropped and the refused ones."""
        without = frozenset(dropped)
        recipe = RestoreDefaults(
            self.worlds, lambda one: one.group not in self.refused and one not in without, one_per_class=self.one_per_class
        )
        program, fixes = apply_recipes(self.base, [recipe], Surroundings(self.bench.installed))
        found = self.impossible | recipe.impossible
        self.impossible = {text: None for text in found if text not in recipe.settled}
        fix = (
            replace(fixes[0], kind="score-calibration", source=self.worlds.releases_of(*(one.symbol for one in recipe.done)))
            if fixes
            else None
        )
        return program, fix, tuple(recipe.done)

    def run(self, program: Program) -> tuple[Execution, Outcome]:
        """Run a program cleanly."""
        run = self.bench.open_run(program)
        try:
            execution = run.run()
        finally:
            run.close()
        self.executions += 1
        self.cell_seconds += execution.cell_seconds
        return execution, self.bench.judge(program, execution)

    def attempt(self, outcome: AttemptOutcome, why: str) -> None:
        self.attempts.append(Attempt(_ORIGIN, "score-calibration", outcome, why))

    def out_of_time(self) -> bool:
        return time.monotonic() > self.bench.deadline


@dataclass(frozen=True)
class _Proven:
    """A change whose scores agree."""

    program: Program
    fix: Fix
    restored: tuple[Restoration, ...]
    execution: Execution
    outcome: Outcome


def calibrate(program: Program, worlds: Worlds, bench: Bench) -> Calibrated:
    """Restore the old meaning of a program whose scores are off; kept only when a clean run's scores all agree."""
    trials = _Trials(program, worlds, bench)
    proven = _all_restored(trials)
    if proven is not None:
        proven = _minimised(trials, proven)
    worlds.save()
    result = Calibrated((), executions=trials.executions, cell_seconds=trials.cell_seconds)
    if proven is None:
        return replace(result, attempts=tuple(trials.attempts))
    return replace(
        result,
        attempts=tuple(trials.attempts),
        program=proven.program,
        fix=proven.fix,
        outcome=proven.outcome,
        execution=proven.execution,
    )


def _all_restored(trials: _Trials) -> _Proven | None:
    """Restore all defaults together; what today's release refuses is left out and listed."""
    for _ in range(_MOST_REFUSALS):
        program, fix, restored = trials.change()
        if fix is None:
            trials.attempt("no-effect", f"no changed default to restore{_listed(trials)}{_causes(trials)}")
            return None
        trials.bench.on_progress(f"old defaults: {_names(restored)}")
        execution, outcome = trials.run(program)
        if outcome.good:
            trials.attempt("accepted", f"with {_names(restored)}{_listed(trials)}")
            return _Proven(program, fix, restored, execution, outcome)
        if outcome.verdict != "broken" or execution.error is None:
            why = "the scores are still off" if outcome.verdict == "drifted" else outcome.verdict
            trials.attempt("failed", f"with {_names(restored)} {why}{_listed(trials)}{_causes(trials)}")
            return None
        message = f"{execution.error.message}\n{execution.error.traceback}"
        if not _adapted(trials, restored, message) or trials.out_of_time():
            trials.attempt("failed", f"with {_names(restored)} cell {execution.error.cell} fails: {execution.error.name}")
            return None
    return None


def _adapted(trials: _Trials, restored: Sequence[Restoration], message: str) -> bool:
    """Leave out what an error refuses, or take the known equivalent; False when the error names nothing restored."""
    liblinear = [one for one in restored if one.symbol == LOGISTIC and one.parameter == "solver"]
    if _MULTICLASS in message and liblinear and not trials.one_per_class:
        trials.one_per_class = True
        return True
    named = {one.group: one for one in restored if one.value and re.search(rf"\b{re.escape(one.parameter)}\b", message)}
    if _MULTICLASS in message:
        named |= {one.group: one for one in liblinear}
    if not named:
        return False
    trials.refused |= set(named)
    trials.impossible |= dict.fromkeys(f"{one}, refused today" for one in named.values())
    return True


def _minimised(trials: _Trials, proven: _Proven) -> _Proven:
    """Drop restored defaults, first for all calls alike, then call by call, while the scores still agree."""
    dropped: set[Restoration] = set()
    tried = 0

    def without(candidates: Sequence[Restoration], proven: _Proven) -> _Proven:
        nonlocal tried
        if len(proven.restored) <= len(candidates) or tried >= _MOST_TRIALS or trials.out_of_time():
            return proven
        tried += 1
        program, fix, restored = trials.change([*dropped, *candidates])
        execution, outcome = trials.run(program)
        holds = outcome.good and fix is not None
        place = f" in {_place(candidates[0])}" if len(candidates) == 1 else ""
        trials.attempt("accepted" if holds else "failed", f"without {_names(candidates)}{place}")
        if not holds or fix is None:
            return proven
        dropped.update(candidates)
        return _Proven(program, fix, restored, execution, outcome)

    for group in dict.fromkeys(one.group for one in proven.restored):
        proven = without([one for one in proven.restored if one.group == group], proven)
    for one in proven.restored:
        if sum(other.group == one.group for other in proven.restored) > 1:
            proven = without([one], proven)
    return proven


def likely_causes(program: Program, worlds: Worlds) -> tuple[Fact, ...]:
    """List the changes of behaviour in what a program calls, which no argument takes back."""
    trees, names = program_names(program)
    placed = facts_for(uses(trees.items(), names), worlds)
    return tuple(item.fact for item in placed if item.fact.kind == "behaviour-changed")


def _causes(trials: _Trials) -> str:
    causes = dict.fromkeys(f"{fact.symbol.rpartition('.')[2]}: {fact.says}" for fact in likely_causes(trials.base, trials.worlds))
    if causes:
        return f"; likely cause: {'; '.join(causes)}"
    if trials.worlds.notes:
        return f"; the cause may lie in what couldn't be compared: {'; '.join(trials.worlds.notes)}"
    return "; likely cause: random streams or corrected faults in the libraries"


def _listed(trials: _Trials) -> str:
    return f"; can't be restored: {'; '.join(trials.impossible)}" if trials.impossible else ""


def _place(one: Restoration) -> str:
    return f"cell {one.unit}" if isinstance(one.unit, int) else one.unit


def _names(restored: Iterable[Restoration]) -> str:
    return ", ".join(dict.fromkeys(map(str, restored)))
