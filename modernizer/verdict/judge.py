"""From an execution, its scores and the diagnosis to the verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from modernizer.execution.outcome import CellError, Execution
from modernizer.notebook import Notebook
from modernizer.verdict.outcome import Diagnosis, Kind, Outcome, Reason, Score, Verdict
from modernizer.verdict.preflight import Finding

_BLOCKING: dict[Kind, Reason] = {
    "missing-data": "missing-data",
    "missing-secret": "missing-secret",
    "needs-network": "needs-network",
    "needs-gpu": "needs-gpu",
    "needs-input": "needs-input",
    "missing-program": "missing-program",
}


def judge(
    execution: Execution,
    notebook: Notebook,
    *,
    scores: Sequence[Score] = (),
    diagnose: Callable[[CellError], Diagnosis] | None = None,
) -> Outcome:
    """Judge one execution.

    ``scores`` are the recorded scores compared with this run; they only decide when the notebook ran to its end.
    ``diagnose`` is asked about the error that ended it. Errors that the execution allowed (``raises-exception``, a
    stored error) are no errors here.
    """
    diagnosis = diagnose(execution.error) if execution.error is not None and diagnose is not None else None
    verdict, reason = _verdict(execution, scores, diagnosis)
    return Outcome(
        verdict=verdict,
        reason=reason,
        cells_total=len(notebook.code_cells),
        cells_run=execution.cells_run,
        seconds=execution.seconds,
        error=execution.error,
        diagnosis=diagnosis,
        scores=tuple(scores),
        detail=_detail(execution, scores, diagnosis),
    )


def blocked(notebook: Notebook, reason: Reason, detail: str) -> Outcome:
    """Return the outcome of a notebook that is not run at all: an install failure, or what `preflight` found."""
    return Outcome(verdict="blocked", reason=reason, cells_total=len(notebook.code_cells), detail=detail)


def blocked_by(notebook: Notebook, finding: Finding) -> Outcome:
    """Return the outcome of a notebook that preflight held back, with the place in its detail."""
    place = "" if finding.cell is None else f"cell {finding.cell}, line {finding.line}: "
    return blocked(notebook, finding.reason, f"{place}{finding.detail}")


def _verdict(execution: Execution, scores: Sequence[Score], diagnosis: Diagnosis | None) -> tuple[Verdict, Reason]:
    match execution.end:
        case "timed-out":
            return "timed-out", ""
        case "crashed":
            return "crashed", "memory" if "memory" in execution.reason.lower() else ""
        case "interrupted":
            return "crashed", "interrupted"
        case "error":
            return _failed(diagnosis)
        case "finished":
            return clean_verdict(scores), ""


def clean_verdict(scores: Sequence[Score]) -> Verdict:
    """Return the verdict of a notebook that ran to its end; scores without a record don't count."""
    judged = [score for score in scores if score.agrees is not None]
    if not judged:
        return "ran"
    return "drifted" if any(score.off for score in judged) else "reproduced"


def off_scores(scores: Sequence[Score]) -> str:
    """Say in one sentence which score is off; empty when none is."""
    off = [score for score in scores if score.off]
    if not off:
        return ""
    first = off[0]
    value = "missing" if first.value is None else f"{first.value:g}"
    place = "" if first.cell is None else f" in cell {first.cell}"
    why = f": {first.note}" if first.note else ""
    more = f", and {len(off) - 1} more" if len(off) > 1 else ""
    return f"{first.name} is {value} instead of {first.recorded:g}{place}{why}{more}"


def _failed(diagnosis: Diagnosis | None) -> tuple[Verdict, Reason]:
    if diagnosis is None:
        return "broken", ""
    if diagnosis.kind in _BLOCKING:
        return "blocked", _BLOCKING[diagnosis.kind]
    return "broken", "never-ran" if diagnosis.kind == "never-ran" else ""


def _detail(execution: Execution, scores: Sequence[Score], diagnosis: Diagnosis | None) -> str:
    """Say the most important thing in one sentence."""
    if diagnosis is not None:
        return diagnosis.detail
    if execution.error is not None:
        return f"{execution.error.name}: {execution.error.message}".strip().splitlines()[0]
    if execution.end != "finished":
        return execution.reason
    return off_scores(scores)
