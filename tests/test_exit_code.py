from __future__ import annotations

from dataclasses import replace

import pytest

from modernizer.errors import ExitCode
from modernizer.exit_code import FailOn, exit_code
from modernizer.report.results import NotebookResult, RunResult
from modernizer.verdict.outcome import Outcome, Verdict


def run_of(*outcomes: Outcome) -> RunResult:
    results = (NotebookResult(f"n{index}.ipynb", None, None, outcome) for index, outcome in enumerate(outcomes))
    return RunResult("", "", "x", notebooks=tuple(results))


@pytest.mark.parametrize(
    ("verdict", "failing"),
    [
        ("reproduced", ()),
        ("ran", ()),
        ("blocked", ("not-good",)),
        ("drifted", ("not-good", "drifted")),
        ("timed-out", ("not-good", "drifted", "broken")),
        ("crashed", ("not-good", "drifted", "broken")),
        ("broken", ("not-good", "drifted", "broken")),
    ],
)
@pytest.mark.parametrize("fail_on", ["never", "broken", "drifted", "not-good"])
def test_a_verdict_fails_the_job_only_where_asked(verdict: Verdict, failing: tuple[str, ...], fail_on: FailOn) -> None:
    expected = ExitCode.NOT_ALL_GOOD if fail_on in failing else ExitCode.GOOD
    assert exit_code(run_of(Outcome("ran"), Outcome(verdict)), fail_on) is expected


def test_the_last_outcome_counts_and_the_strictest_rule_is_the_default() -> None:
    repaired = NotebookResult("a.ipynb", None, None, Outcome("broken"), Outcome("ran"))
    assert exit_code(RunResult("", "", "x", notebooks=(repaired,))) is ExitCode.GOOD
    assert exit_code(run_of(Outcome("blocked"))) is ExitCode.NOT_ALL_GOOD


@pytest.mark.parametrize("fail_on", ["never", "not-good"])
def test_trouble_of_our_own_and_interruptions_are_always_told(fail_on: FailOn) -> None:
    trouble = run_of(Outcome("blocked", "infrastructure"))
    assert exit_code(trouble, fail_on) is ExitCode.INTERNAL
    assert exit_code(replace(trouble, interrupted=True), fail_on) is ExitCode.INTERRUPTED
