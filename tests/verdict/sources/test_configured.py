"""Scores read from outputs: by pattern, name, tag and record, in the stored outputs and in the new run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modernizer.config import ScoreSource
from modernizer.config_values import Tolerance
from modernizer.execution.outcome import Execution, Measured
from modernizer.notebook import Notebook
from modernizer.verdict.configured import configured_scores, marked_scores
from modernizer.verdict.outcome import Score

ONE = Tolerance(relative=0.01)
SCRAP = "application/scrapbook.scrap.json+json"


def source(**keys: object) -> ScoreSource:
    return ScoreSource.model_validate({"name": "auc", **keys}, by_alias=True)


def printed(text: str, name: str = "stdout") -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": text}


def glued(**values: object) -> list[dict[str, Any]]:
    return [
        {"output_type": "display_data", "metadata": {}, "data": {SCRAP: {"name": name, "data": value, "encoder": "json"}}}
        for name, value in values.items()
    ]


def ran(*outputs: dict[str, Any] | list[dict[str, Any]], **measured: Measured) -> Execution:
    cells = {index: (item,) if isinstance(item, dict) else tuple(item) for index, item in enumerate(outputs)}
    return Execution("finished", outputs=cells, measured=measured)


def only(scores: tuple[Score, ...]) -> Score:
    (score,) = scores
    return score


PATTERN = source(**{"from": "output", "pattern": r"AUC: ([\d.]+)"})


@pytest.mark.parametrize(
    ("stored", "new", "recorded", "value", "agrees"),
    [
        ("AUC: 0.90\n", "AUC: 0.91\n", 0.9, 0.91, False),
        ("AUC: 0.90\n", "AUC: 0.904\n", 0.9, 0.904, True),  # within the printed digits and 1 %
        ("AUC: 0.5\nAUC: 0.9\n", "AUC: 0.1\nAUC: 0.9.", 0.9, 0.9, True),  # the last one, a full stop after it
        ("", "AUC: 0.9", None, 0.9, None),
        ("AUC: 0.9", "nothing", 0.9, None, False),
    ],
)
def test_a_pattern_is_looked_for_in_both_runs(
    notebook: Callable[..., Notebook], *, stored: str, new: str, recorded: float | None, value: float | None, agrees: bool | None
) -> None:
    written = notebook({"source": "x", "outputs": [stored] if stored else []})
    score = only(configured_scores(written, ran(printed(new)), [PATTERN], tolerance=ONE))
    assert (score.recorded, score.value, score.agrees, score.source) == (recorded, value, agrees, "output")


def test_a_pattern_sees_what_a_logger_writes(notebook: Callable[..., Notebook]) -> None:
    score = only(configured_scores(notebook("x"), ran(printed("INFO AUC: 0.7", "stderr")), [PATTERN], tolerance=ONE))
    assert score.value == 0.7


@pytest.mark.parametrize(("expected", "value", "agrees"), [(0.779, 0.7785, True), (0.779, 0.7784, False), (12, 12.4, False)])
def test_the_expected_value_has_the_digits_it_was_written_with(
    notebook: Callable[..., Notebook], expected: float, value: float, *, agrees: bool
) -> None:
    asked = source(**{"from": "variable", "variable": "v", "expected": float(expected), "tolerance": 0})
    score = only(configured_scores(notebook("x"), ran(auc=Measured(value)), [asked], tolerance=ONE))
    assert score.agrees is agrees


@pytest.mark.parametrize(("direction", "agrees"), [("higher", True), ("lower", False), (None, False)])
def test_the_direction_is_honoured(notebook: Callable[..., Notebook], direction: str | None, *, agrees: bool) -> None:
    asked = source(**{"from": "variable", "variable": "v", "expected": 0.5, "direction": direction})
    score = only(configured_scores(notebook("x"), ran(auc=Measured(0.9)), [asked], tolerance=ONE))
    assert score.agrees is agrees


def test_a_variable_without_an_expected_value_takes_the_only_recorded_score_of_its_name(
    notebook: Callable[..., Notebook],
) -> None:
    asked = [source(**{"from": "variable", "variable": "v"})]
    one = notebook({"source": "print('AUC:', v)", "outputs": ["AUC: 0.9\n"]})
    assert only(configured_scores(one, ran(auc=Measured(0.9)), asked, tolerance=ONE)).recorded == 0.9
    two = notebook({"source": "print('AUC:', v)", "outputs": ["AUC: 0.9\nAUC: 0.8\n"]})
    assert only(configured_scores(two, ran(auc=Measured(0.9)), asked, tolerance=ONE)).agrees is None


def test_why_a_value_is_missing_is_kept(notebook: Callable[..., Notebook]) -> None:
    asked = source(**{"from": "s.csv", "grader": "auc", "answers": "a.csv", "expected": 0.9})
    score = only(configured_scores(notebook("x"), ran(auc=Measured(None, "no rows")), [asked], tolerance=ONE))
    assert (score.value, score.agrees, score.note, score.source) == (None, False, "no rows", "s.csv, auc")
    unmeasured = only(configured_scores(notebook("x"), Execution("error"), [asked], tolerance=ONE))
    assert unmeasured.note == "the notebook did not reach its end"


def test_without_a_pattern_the_printed_name_counts(notebook: Callable[..., Notebook]) -> None:
    written = notebook({"source": "x", "outputs": ["AUC: 0.9\nloss: 3.0\n"]})
    score = only(configured_scores(written, ran(printed("auc = 0.9")), [source(**{"from": "output"})], tolerance=ONE))
    assert (score.recorded, score.value) == (0.9, 0.9)


def test_tagged_cells_are_scores_without_configuration(notebook: Callable[..., Notebook]) -> None:
    written = notebook(
        {"source": "print(a)", "outputs": ["0.9\n"], "tags": ["score:area"]},
        {"source": "print(b)", "outputs": ["3\n4\n"], "tags": ["score"]},
        {"source": "print(c)", "outputs": ["5\n"], "tags": ["scores"]},
    )
    scores = marked_scores(written, ran(printed("0.901\n"), printed("3\n5\n"), printed("6\n")), tolerance=ONE)
    assert [(s.name, s.source, s.cell, s.recorded, s.value, s.agrees) for s in scores] == [
        ("area", "tag", 0, 0.9, 0.901, True),
        ("score[0]", "tag", 1, 3, 3, True),
        ("score[1]", "tag", 1, 4, 5, False),
    ]


def test_a_tag_can_be_given_an_expected_value(notebook: Callable[..., Notebook]) -> None:
    written = notebook({"source": "print(a)", "tags": ["score:auc"]}, {"source": "print(b)", "tags": ["score:other"]})
    asked = source(**{"from": "tag", "expected": 0.9})
    assert only(configured_scores(written, ran(printed("0.9"), printed("2")), [asked], tolerance=ONE)).agrees
    two = only(configured_scores(written, ran(printed("0.9 0.8"), printed("2")), [asked], tolerance=ONE))
    assert (two.value, two.note) == (None, "cell 0 shows 2 numbers instead of one")


def test_scrapbooks_records_are_scores(notebook: Callable[..., Notebook]) -> None:
    written = notebook({"source": "sb.glue(...)", "outputs": glued(auc=0.9, gone=1, seconds=3.5, name="x", flag=True)})
    scores = marked_scores(written, ran(glued(auc=0.9, seconds=99.0)), tolerance=ONE)
    assert [(s.name, s.source, s.agrees, s.note) for s in scores] == [
        ("auc", "scrapbook", True, ""),
        ("gone", "scrapbook", False, "not recorded in this run"),
    ]
    chosen = configured_scores(written, ran(glued(auc=0.5)), [source(**{"from": "scrapbook"})], tolerance=ONE)
    assert (only(chosen).recorded, only(chosen).value) == (0.9, 0.5)


def test_a_notebook_without_marks_has_no_marked_scores(notebook: Callable[..., Notebook]) -> None:
    assert marked_scores(notebook({"source": "x", "outputs": ["auc: 0.9"]}), ran(printed("auc: 0.9")), tolerance=ONE) == ()
