"""Runs a clean notebook again in fresh kernels, as often as the configuration asks, and judges the runs together."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from modernizer.config import NotebookSettings
from modernizer.execution.live import LIVE
from modernizer.execution.outcome import Execution
from modernizer.repair.loop import Repaired, Run
from modernizer.repair.outcome import Attempt, Ledger
from modernizer.repair.program import Program
from modernizer.verdict.outcome import Outcome
from modernizer.verdict.repeated import CLEAN, STUDY_FIRST, STUDY_MOST, combine


@dataclass
class Repetition:
    """The repeated runs of one notebook. Nothing is seeded: what varies, varies."""

    settings: NotebookSettings
    open_run: Callable[[Program], Run]
    judge: Callable[[Program, Execution], Outcome]
    deadline: float | None
    on_progress: Callable[[str], object]
    spent: Ledger = field(default_factory=Ledger)

    def outcome(self, program: Program, first: Outcome) -> Outcome:
        """Return the outcome of all runs of a program whose first run is given."""
        return repeated(first, lambda: self._again(program), self.settings, deadline=self.deadline, on_progress=self.on_progress)

    def proof(self, repaired: Repaired | None, fallback: Repaired | None) -> Repaired | None:
        """Run a new proof again. With other scores than it had, a change after ``fallback`` made for the scores is taken back."""
        if repaired is None or repaired.after is None or (fallback is not None and repaired.after is fallback.after):
            return repaired
        self.spent = Ledger()
        after = self.outcome(repaired.program, repaired.after)
        ledger = replace(
            repaired.ledger,
            executions=repaired.ledger.executions + self.spent.executions,
            cell_seconds=repaired.ledger.cell_seconds + self.spent.cell_seconds,
        )
        if after.good or not repaired.after.good or fallback is None:
            return replace(repaired, after=after, ledger=ledger)
        fix = repaired.fixes[-1]
        attempt = Attempt(fix.origin, fix.kind, "rolled-back", "the scores of several runs together do not agree")
        return replace(fallback, attempts=(*repaired.attempts, attempt), ledger=ledger)

    def _again(self, program: Program) -> Outcome:
        run = self.open_run(program)
        try:
            execution = run.run()
        finally:
            run.close()
        self.spent = replace(
            self.spent,
            executions=self.spent.executions + 1,
            cell_seconds=self.spent.cell_seconds + execution.cell_seconds,
        )
        return self.judge(program, execution)


def repeated(
    first: Outcome,
    again: Callable[[], Outcome],
    settings: NotebookSettings,
    *,
    deadline: float | None,
    on_progress: Callable[[str], object],
) -> Outcome:
    """Return the outcome of all runs; the first alone when it was not clean or one run is enough.

    ``again`` runs the same program in a new kernel and a new scratch copy. When the time is over, fewer runs are judged.
    """
    outcomes = [first]
    while (
        outcomes[-1].verdict in CLEAN
        and len(outcomes) < _wanted(outcomes, settings)
        and not LIVE.stopping
        and (deadline is None or time.monotonic() < deadline)
    ):
        on_progress(f"run {len(outcomes) + 1}")
        outcomes.append(again())
    if LIVE.stopping:
        outcomes = [outcome for outcome in outcomes if outcome.reason != "interrupted"] or outcomes
    return combine(outcomes, settings.rule)


def _wanted(outcomes: list[Outcome], settings: NotebookSettings) -> int:
    """Return how many runs are to be judged: the study's rule asks for ten where two don't settle it."""
    if settings.rule != "study":
        return settings.repeat
    if not any(score.recorded is not None for score in outcomes[0].scores):
        return 1
    settled = all(not score.off for outcome in outcomes[:STUDY_FIRST] for score in outcome.scores)
    return STUDY_FIRST if settled else STUDY_MOST
