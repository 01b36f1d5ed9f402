from __future__ import annotations

from collections.abc import Sequence

import pytest

from modernizer.config_values import GRADERS
from modernizer.verdict.graders.labels import Label
from modernizer.verdict.sources.grading import grade
from modernizer.verdict.sources.table import NotGradedError, pair, read_table


def _never(name: str, truth: Sequence[Label], predicted: Sequence[Label]) -> float:
    raise AssertionError(name)


def graded(grader: str, submission: str, answers: str, **columns: str | None) -> float:
    tables = read_table("s.csv", submission.encode()), read_table("a.csv", answers.encode())
    return grade(grader, pair(*tables, id_column=columns.get("id"), target=columns.get("target")), _never)


@pytest.mark.parametrize(
    ("grader", "submission", "answers", "expected"),
    [
        ("accuracy", "id,y\n3,1\n1,0\n2,1\n", "id,y\n1,0\n2,0\n3,1\n", 2 / 3),  # rows in another order
        ("accuracy", "id;y\n1;True\n2.0;False\n", "\ufeffid,y\r\n1,1\r\n2,1\r\n", 0.5),
        ("accuracy", "id,Predicted\n1,cat\n2,dog\n", "id,y\n1,cat\n2,dog\n", 1.0),  # the only column has another name
        ("f1", "id,y\n1,1\n2,1\n3,0\n", "id,y\n1,1\n2,0\n3,0\n", 2 / 3),
        ("auc", "id,y\n1,0.1\n2,0.8\n3,0.8\n", "id,y\n1,0\n2,0\n3,1\n", 0.75),
        ("log-loss", "id,y\n1,0.5\n2,0.5\n", "id,y\n1,0\n2,1\n", 0.6931471805599453),
        ("log-loss", "id,a,b\n1,0.5,0.5\n2,0.5,0.5\n", "id,y\n1,a\n2,b\n", 0.6931471805599453),
        ("log-loss", "id,a,b\n1,1,1\n2,1,1\n", "id,a,b\n1,1,0\n2,0,1\n", 0.6931471805599453),
        ("rmse", "id,y\n1,1\n2,3\n", "id,y\n1,2\n2,2\n", 1.0),
        ("map@3", "id,y\n1,b a\n2,x\n", "id,y\n1,a\n2,x\n", 0.75),
        ("dice", "id,m\n1,1 4\n2,\n", "id,m\n1,3 4\n2,\n", 0.75),
        ("dice", "id,m\n1,1\n2,0\n3,1\n", "id,m\n1,1\n2,1\n3,0\n", 0.5),
    ],
)
def test_a_submission_is_graded(grader: str, submission: str, answers: str, expected: float) -> None:
    assert graded(grader, submission, answers, id="id") == pytest.approx(expected)


def test_without_an_id_rows_are_taken_in_their_order() -> None:
    assert graded("mae", "y\n1\n2\n", "x,y\n7,1\n8,4\n", target="y") == 1


@pytest.mark.parametrize(
    ("grader", "submission", "answers", "said"),
    [
        ("mae", "id,y\n1,1\n", "id,y\n1,1\n2,1\n3,1\n", "s.csv lacks 2 of the 3 ids of a.csv, the first is 2"),
        ("mae", "id,y\n1,1\n9,1\n", "id,y\n1,1\n", "s.csv has 1 ids that a.csv lacks, the first is 9"),
        ("mae", "id,y\n1,1\n1,2\n", "id,y\n1,1\n", "s.csv has the id 1 twice"),
        ("mae", "Id,y\n1,1\n", "id,y\n1,1\n", "s.csv has no column 'id'; it has Id, y"),
        ("mae", "id,p\n1,1\n", "id,y,z\n1,1,2\n", "s.csv has no column 'y'; it has id, p"),
        ("mae", "id,y\n1,a\n", "id,y\n1,1\n", "row 1 of the submission: 'a' is no number"),
        ("mae", "id,y\n1,\n", "id,y\n1,1\n", "row 1 of the submission: '' is no number"),
        ("mae", "id,y\n1,nan\n", "id,y\n1,1\n", "row 1 of the submission: 'nan' is no number"),
        ("mae", "id,y\n1,1,1\n", "id,y\n1,1\n", "line 2 of s.csv has 3 fields instead of 2"),
        ("mae", "id,y\n", "id,y\n1,1\n", "s.csv has no rows"),
        ("mae", "id,p,q\n1,1,2\n", "id,y\n1,1\n", "the submission have 2 columns: p, q; name the target"),
        ("auc", "id,y\n1,1\n2,1\n", "id,y\n1,1\n2,1\n", "the metric needs two classes, here are 1"),
        ("log-loss", "id,y\n1,1.5\n2,0\n", "id,y\n1,1\n2,0\n", "log-loss needs probabilities between 0 and 1"),
        ("log-loss", "id,a,b\n1,1,0\n", "id,y\n1,c\n", "the submission has no column for the class c; it has a, b"),
        ("rmsle", "id,y\n1,-1\n", "id,y\n1,1\n", "rmsle needs values above -1"),
        ("dice", "id,y\n1,1 2 3\n", "id,y\n1,1 2\n", "a mask can't be read: not pairs of start and length"),
    ],
)
def test_what_does_not_fit_is_said_in_plain_words(grader: str, submission: str, answers: str, said: str) -> None:
    with pytest.raises(NotGradedError) as caught:
        graded(grader, submission, answers, id="id")
    assert str(caught.value) == said.replace("the submission have", "the submission has")


def test_rows_without_ids_must_be_equally_many() -> None:
    with pytest.raises(NotGradedError, match=r"s.csv has 1 rows and a.csv 2; name the id column"):
        graded("mae", "y\n1\n", "y\n1\n2\n")


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(NotGradedError, match="no text in UTF-8"):
        read_table("s.csv", b"\xff\xfe\x00")


@pytest.mark.parametrize("grader", sorted({*GRADERS, "map@5"} - {"dice"}))
def test_every_grader_of_the_configuration_is_there(grader: str) -> None:
    rows = "id,y\n1,0\n2,1\n3,1\n"
    assert isinstance(graded(grader, rows, rows, id="id"), float)
