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
            if not scores:
                return "ran", ""
            return ("reproduced" if all(score.agrees for score in scores) else "drifted"), ""


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
    off = [score for score in scores if not score.agrees]
    if off:
        value = "missing" if off[0].value is None else f"{off[0].value:g}"
        more = f", and {len(off) - 1} more" if len(off) > 1 else ""
        return f"{off[0].name} is {value} instead of {off[0].recorded:g} in cell {off[0].cell}{more}"
    return ""
