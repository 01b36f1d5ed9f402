from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modernizer.config_values import Tolerance
from modernizer.execution.outcome import Execution
from modernizer.notebook import Notebook
from modernizer.verdict.scores import compare, recorded_scores

Builder = Callable[..., Notebook]
Result = Callable[..., dict[str, Any]]


def printed(text: str) -> dict[str, Any]:
    return {"output_type": "stream", "name": "stdout", "text": text}


def run(*outputs: dict[str, Any], cell: int = 0) -> Execution:
    return Execution("finished", outputs={cell: outputs})


def test_scores_are_recorded_from_prints_and_displayed_values(notebook: Builder, result: Result) -> None:
    stored = notebook(
        {"source": "print('accuracy: %.2f' % a)", "outputs": ["accuracy: 0.93\n"], "count": 1},
        {"source": "model.score(X, y)", "outputs": [result("0.9666666666666667")], "count": 2},
        {"source": "print(r2_score(y, p))", "outputs": ["0.5\n"], "count": 3},
        {"source": "len(X)", "outputs": [result("150")], "count": 4},
    )
    assert [(s.cell, s.name, s.recorded, s.place) for s in recorded_scores(stored)] == [
        (0, "accuracy", 0.93, "text"),
        (1, "score", 0.9666666666666667, "result"),
        (2, "r2_score", 0.5, "bare"),
    ]


def test_a_notebook_that_never_ran_records_nothing(notebook: Builder) -> None:
    assert recorded_scores(notebook("print('accuracy', 0.9)")) == ()


def test_warnings_on_standard_error_are_not_read(notebook: Builder) -> None:
    stored = notebook(
        {"source": "f()", "outputs": [{"output_type": "stream", "name": "stderr", "text": "precision loss: 0.5"}], "count": 1}
    )
    assert recorded_scores(stored) == ()


def test_data_frames_are_not_read(notebook: Builder, result: Result) -> None:
    frame = {"text/html": '<table border="1" class="dataframe">'}
    stored = notebook({"source": "df", "outputs": [result("   score\n0    0.5", **frame)], "count": 1})
    assert recorded_scores(stored) == ()


@pytest.mark.parametrize(
    ("source", "stored", "new", "value", "agrees"),
    [
        ("print('acc', a)", printed("acc 0.93\n"), printed("acc 0.931\n"), 0.931, True),
        ("print('acc', a)", printed("acc 0.93\n"), printed("acc 0.90\n"), 0.90, False),
        ("print('acc', a)", printed("acc 0.93\n"), printed("done\n"), None, False),
        ("print('acc', a)", printed("('acc', 0.93)\n"), printed("acc 0.93\n"), 0.93, True),  # Python 2's tuples
        ("print('acc', a)", printed("acc 0.93\n"), printed("('acc', np.float64(0.93))\n"), 0.93, True),
        ("print('acc', a)", printed("the acc now 0.93\n"), printed("result 0.93\n"), 0.93, True),  # another wording, same numbers
        ("print('acc', a)", printed("the acc now 0.93\n"), printed("result 0.93 of 1\n"), None, False),
        ("print(accuracy_score(y, p))", printed("0.93\n"), printed("0.9299\n"), 0.9299, True),
        ("print(n)\nprint(f1_score(y, p))", printed("12\n0.5\n"), printed("13\n0.5\n"), 0.5, True),
    ],
)
def test_a_score_is_found_again_by_place_and_name(
    notebook: Builder, *, source: str, stored: dict[str, Any], new: dict[str, Any], value: float | None, agrees: bool
) -> None:
    old = notebook({"source": source, "outputs": [stored], "count": 1})
    (score,) = compare(old, run(new))
    assert (score.value, score.agrees, score.cell, score.source) == (value, agrees, 0, "output")


def test_a_displayed_value_is_found_again_after_numpy_2_and_a_patch(notebook: Builder, result: Result) -> None:
    old = notebook(
        {"source": "cross_validation.cross_val_score(m, X, y)", "outputs": [result("array([ 0.9,  0.8])")], "count": 1}
    )
    recorded = recorded_scores(old)
    patched = old.with_sources({0: "values = model_selection.cross_val_score(m, X, y)\nvalues"})
    scores = compare(patched, run(result("array([0.9, 0.85])")), recorded=recorded)
    assert [(s.name, s.value, s.agrees) for s in scores] == [
        ("cross_val_score[0]", 0.9, True),
        ("cross_val_score[1]", 0.85, False),
    ]


def test_equal_names_are_matched_in_their_order(notebook: Builder) -> None:
    old = notebook({"source": "f()", "outputs": ["accuracy: 0.5\naccuracy: 0.7\n"], "count": 1})
    assert [score.value for score in compare(old, run(printed("accuracy: 0.51\naccuracy: 0.9\n")))] == [0.51, 0.9]


def test_the_applied_half_width_is_in_the_score_s_unit(notebook: Builder) -> None:
    old = notebook({"source": "f()", "outputs": ["rmse: 200.0\n"], "count": 1})
    (score,) = compare(old, run(printed("rmse: 201\n")), tolerance=Tolerance(relative=0.02))
    assert score.tolerance == pytest.approx(4.0)


def test_a_vanishing_p_value_may_vanish_further(notebook: Builder) -> None:
    old = notebook({"source": "f()", "outputs": ["p-value: 1.2e-16\n"], "count": 1})
    (score,) = compare(old, run(printed("p-value: 3.4e-17\n")))
    assert score.agrees


def test_a_lone_displayed_value_has_all_its_digits(notebook: Builder, result: Result) -> None:
    old = notebook({"source": "m.score(X, y)", "outputs": [result("1.0")], "count": 1})
    (score,) = compare(old, run(result("0.96")))
    assert not score.agrees
