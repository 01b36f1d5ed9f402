"""LogisticRegression's old scheme and solver."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

HEAD = "from sklearn.linear_model import LogisticRegression\n"
WRAPPER = "from sklearn.multiclass import OneVsRestClassifier\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LogisticRegression(penalty='l1', C=2)", HEAD + "LogisticRegression(penalty='l1', C=2, solver='liblinear')"),
        ("m = LogisticRegression(multi_class='ovr', C=2)", WRAPPER + HEAD + "m = OneVsRestClassifier(LogisticRegression(C=2))"),
        (
            "m = LogisticRegression(multi_class='auto', solver='liblinear')",
            WRAPPER + HEAD + "m = OneVsRestClassifier(LogisticRegression(solver='liblinear'))",
        ),
        ("m = LogisticRegression(multi_class='auto')", HEAD + "m = LogisticRegression()"),
    ],
)
def test_old_arguments_keep_their_meaning(rewrite: Callable[..., Any], old: str, new: str) -> None:
    assert rewrite(HEAD + old) == new


@pytest.mark.parametrize(
    "source",
    ["LogisticRegression(C=1)", "LogisticRegression(solver='liblinear')", "LogisticRegression(penalty='l1', solver='saga')"],
)
def test_what_still_works_stays(rewrite: Callable[..., Any], source: str) -> None:
    assert rewrite(HEAD + source) == HEAD + source


def test_liblinear_for_three_classes_is_wrapped_where_it_failed(repair: Callable[..., Any]) -> None:
    """scikit-learn 0.19.1 scored 0.96 with each, and had the coefficients of the ovr model below."""
    repaired = repair(
        [
            "from sklearn.datasets import load_iris\nfrom sklearn.linear_model import LogisticRegression",
            "X, y = load_iris(return_X_y=True)",
            "plain = LogisticRegression(solver='liblinear')\nbinary = LogisticRegression(solver='liblinear').fit(X, y == 0)",
            "plain.fit(X, y)\nl1 = LogisticRegression(penalty='l1').fit(X, y)",
            "ovr = LogisticRegression(multi_class='ovr', solver='liblinear', C=10).fit(X, y)\ncoefficients = ovr.coef_",
        ]
    )
    assert repaired.cells[2].endswith("binary = LogisticRegression(solver='liblinear').fit(X, y == 0)")
    assert repaired.value("[plain.score(X, y), l1.score(X, y)]") == [0.96, 0.96]
    assert repaired.value("coefficients[0].round(2)") == pytest.approx([0.65, 2.25, -3.50, -1.62], abs=0.02)
