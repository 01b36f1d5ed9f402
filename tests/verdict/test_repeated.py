from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modernizer.verdict.equivalence import Direction
from modernizer.verdict.outcome import Outcome, Score
from modernizer.verdict.repeated import by_study, combine, equivalent, study_agrees

NAN = math.nan


@pytest.mark.parametrize(
    ("values", "direction", "agrees"),
    [
        ([0.9, 0.9], "both", True),
        ([0.909, 0.909], "both", True),
        ([0.92, 0.92], "both", False),
        ([0.901, 0.899, 0.9005, 0.9], "both", True),
        ([0.93, 0.87, 0.92, 0.88, 0.9], "both", False),  # right on average, but too noisy to tell
        ([0.905, 0.895], "both", False),  # two runs tell little
        ([0.95, 0.951, 0.949], "both", False),
        ([0.95, 0.951, 0.949], "higher", True),
        ([0.95, 0.951, 0.949], "lower", False),
        ([0.9, NAN], "both", False),
        ([0.9, math.inf], "both", False),
    ],
)
def test_equivalence_needs_proof_on_both_sides(values: list[float], direction: Direction, *, agrees: bool) -> None:
    assert equivalent(values, 0.9, 0.009, direction) is agrees


def test_nan_is_equivalent_to_nan_only() -> None:
    assert equivalent([NAN, NAN], NAN, 0.0)
    assert not equivalent([0.0, NAN], NAN, 0.0)
    assert equivalent([math.inf, math.inf], math.inf, 0.0)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=10), st.floats(1.01, 5))
def test_noise_never_makes_equivalence_easier(noise: list[float], more: float) -> None:
    middle = sum(noise) / len(noise)
    wide = [1 + (value - middle) * more for value in noise]
    if equivalent(wide, 1.0, 0.1):
        assert equivalent([1 + value - middle for value in noise], 1.0, 0.1)


@given(st.lists(st.floats(-3, 3), min_size=2, max_size=10), st.floats(-2, 2), st.floats(0.001, 1))
def test_the_one_sided_tests_are_both_halves(values: list[float], recorded: float, half_width: float) -> None:
    halves = equivalent(values, recorded, half_width, "higher"), equivalent(values, recorded, half_width, "lower")
    assert equivalent(values, recorded, half_width) == all(halves)


@pytest.mark.parametrize(
    ("values", "agrees"),
    [
        ([0.95, 0.85], True),  # both within ten per cent
        ([0.95, 0.7], True),  # t-test of two: not significant
        ([0.7, 0.71, 0.7, 0.69, 0.7, 0.7, 0.71, 0.7, 0.69, 0.7], False),
        ([0.5, 1.3, 0.6, 1.2, 0.7, 1.1, 0.8, 1.0, 0.9, 0.9], True),  # noise helps
        ([0.5, 0.5], False),
        ([0.5], False),
        ([NAN, 0.9], False),
    ],
)
def test_the_study_takes_ten_per_cent_twice_or_no_significant_difference(values: list[float], *, agrees: bool) -> None:
    assert study_agrees(values, 0.9) is agrees


def _outcome(value: float | None, **changes: object) -> Outcome:
    score = Score("acc", "output", 0.9, value, 0.009, value is not None and abs(value - 0.9) <= 0.009, 1)
    return replace(Outcome("reproduced", cells_total=2, cells_run=2, scores=(score,)), **changes)  # type: ignore[arg-type]


def test_several_runs_have_a_mean_a_spread_and_one_verdict() -> None:
    joined = combine([_outcome(0.899), _outcome(0.9), _outcome(0.901)], "equivalence")
    (score,) = joined.scores
    assert (joined.verdict, score.values) == ("reproduced", (0.899, 0.9, 0.901))
    assert score.value == pytest.approx(0.9)
    assert score.spread == pytest.approx(0.001)
    drifted = combine([_outcome(0.93), _outcome(0.9), _outcome(0.87)], "equivalence")
    assert drifted.verdict == "drifted"
    assert combine([_outcome(0.93), _outcome(0.9), _outcome(0.87)], "study").verdict == "reproduced"


def test_one_run_stays_as_it_is() -> None:
    one = _outcome(0.9)
    assert combine([one], "equivalence") is one


def test_a_run_that_is_not_clean_is_the_outcome() -> None:
    broken = combine([_outcome(0.9), _outcome(None, verdict="broken", detail="cell 3: ValueError", scores=())], "equivalence")
    assert (broken.verdict, broken.detail) == ("broken", "run 2 of 2: cell 3: ValueError")


def test_a_score_missing_in_one_run_does_not_agree() -> None:
    (score,) = combine([_outcome(0.9), _outcome(None)], "study").scores
    assert (score.agrees, score.note, score.values) == (False, "missing in 1 of 2 runs", (0.9, None))


def test_one_run_is_judged_by_the_studys_ten_per_cent() -> None:
    (score,) = _outcome(0.82).scores
    assert not score.agrees
    assert by_study(score).agrees
    assert by_study(replace(score, recorded=None, agrees=None)).agrees is None
