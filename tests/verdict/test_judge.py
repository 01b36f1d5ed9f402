from __future__ import annotations

from collections.abc import Callable

import pytest

from modernizer.execution.outcome import CellError, CellRun, End, Execution
from modernizer.notebook import Notebook
from modernizer.verdict.judge import blocked, blocked_by, judge
from modernizer.verdict.outcome import Diagnosis, Kind, Score
from modernizer.verdict.preflight import Finding

Builder = Callable[..., Notebook]


def score(*, agrees: bool) -> Score:
    return Score("accuracy", "output", 0.9, 0.9 if agrees else 0.7, 0.009, agrees, cell=1)


@pytest.mark.parametrize(
    ("scores", "verdict"),
    [
        ((), "ran"),
        ((score(agrees=True),), "reproduced"),
        ((score(agrees=True), score(agrees=False)), "drifted"),
    ],
)
def test_a_clean_run_is_judged_by_its_scores(notebook: Builder, scores: tuple[Score, ...], verdict: str) -> None:
    runs = (CellRun(0, "ok", 1.0), CellRun(1, "allowed-error", 1.0))
    outcome = judge(Execution("finished", runs, seconds=3.0), notebook("a", "b"), scores=scores)
    assert (outcome.verdict, outcome.reason, outcome.cells_total, outcome.cells_run) == (verdict, "", 2, 2)
    assert outcome.good == (verdict != "drifted")


def test_a_drifted_outcome_names_the_score(notebook: Builder) -> None:
    outcome = judge(Execution("finished"), notebook("a"), scores=(score(agrees=False),))
    assert outcome.detail == "accuracy is 0.7 instead of 0.9 in cell 1"


@pytest.mark.parametrize(
    ("kind", "verdict", "reason"),
    [
        ("missing-data", "blocked", "missing-data"),
        ("missing-secret", "blocked", "missing-secret"),
        ("needs-network", "blocked", "needs-network"),
        ("needs-gpu", "blocked", "needs-gpu"),
        ("needs-input", "blocked", "needs-input"),
        ("never-ran", "broken", "never-ran"),
        ("api-removed", "broken", ""),
        ("module-missing", "broken", ""),
        ("other", "broken", ""),
    ],
)
def test_the_diagnosis_tells_blocked_from_broken(notebook: Builder, kind: Kind, verdict: str, reason: str) -> None:
    error = CellError(0, "E", "m")
    diagnosis = Diagnosis(kind, "s", "p", "why")
    outcome = judge(Execution("error", error=error), notebook("a"), diagnose=lambda _: diagnosis, scores=(score(agrees=True),))
    assert (outcome.verdict, outcome.reason, outcome.detail, outcome.error) == (verdict, reason, "why", error)


@pytest.mark.parametrize(
    ("end", "reason", "expected"),
    [
        ("timed-out", "cell 3 ran longer than 600 s", ("timed-out", "")),
        ("crashed", "the kernel died", ("crashed", "")),
        ("crashed", "out of memory: more than 8 GB", ("crashed", "memory")),
        ("interrupted", "stopped", ("crashed", "interrupted")),
    ],
)
def test_other_ends_have_their_own_verdicts(notebook: Builder, end: End, reason: str, expected: tuple[str, str]) -> None:
    outcome = judge(Execution(end, reason=reason), notebook("a"))
    assert (outcome.verdict, outcome.reason) == expected
    assert outcome.detail == reason


def test_a_notebook_that_is_not_run_is_blocked_with_its_place(notebook: Builder) -> None:
    outcome = blocked_by(notebook("a", "b"), Finding("missing-data", 1, 2, "x.csv isn't in the repository"))
    assert (outcome.verdict, outcome.reason, outcome.cells_total, outcome.cells_run) == ("blocked", "missing-data", 2, 0)
    assert outcome.detail == "cell 1, line 2: x.csv isn't in the repository"
    assert blocked(notebook("a"), "install-failed", "no such version").reason == "install-failed"
