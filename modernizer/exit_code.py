"""Which exit code the end of a run maps to (DESIGN section 4), and what may turn a job red."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from modernizer.errors import ExitCode
from modernizer.report.results import RunResult
from modernizer.verdict.outcome import Outcome, Verdict

FailOn = Literal["never", "broken", "drifted", "not-good"]
_FAILING: Mapping[FailOn, frozenset[Verdict]] = {
    "never": frozenset(),
    "broken": frozenset({"broken", "timed-out", "crashed"}),
    "drifted": frozenset({"broken", "timed-out", "crashed", "drifted"}),
    "not-good": frozenset({"broken", "timed-out", "crashed", "drifted", "blocked"}),
}


def exit_code(run: RunResult, fail_on: FailOn = "not-good") -> ExitCode:
    """Map the end of a run to an exit code. An interruption and trouble of our own are told whatever ``fail_on`` says."""
    if run.interrupted:
        return ExitCode.INTERRUPTED
    finals = [result.final for result in run.notebooks]
    if any(final.reason == "infrastructure" for final in finals):
        return ExitCode.INTERNAL
    return ExitCode.NOT_ALL_GOOD if any(_fails(final, fail_on) for final in finals) else ExitCode.GOOD


def _fails(final: Outcome, fail_on: FailOn) -> bool:
    return final.verdict in _FAILING[fail_on]
