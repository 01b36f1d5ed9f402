"""plot_ functions became class methods of displays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "from sklearn.metrics import plot_roc_curve, auc\nplot_roc_curve(m, X, y, ax=ax)",
            "from sklearn.metrics import RocCurveDisplay, auc\nRocCurveDisplay.from_estimator(m, X, y, ax=ax)",
        ),
        (
            "from sklearn import metrics\nmetrics.plot_confusion_matrix(m, X, y)",
            "from sklearn import metrics\nmetrics.ConfusionMatrixDisplay.from_estimator(m, X, y)",
        ),
        (
            "from sklearn.inspection import plot_partial_dependence as ppd\nppd(m, X, [0])",
            "from sklearn.inspection import PartialDependenceDisplay\nPartialDependenceDisplay.from_estimator(m, X, [0])",
        ),
    ],
)
def test_a_plot_is_made_from_the_estimator(rewrite: Callable[..., Any], old: str, new: str) -> None:
    assert rewrite(old) == new


def test_a_function_of_the_notebook_with_that_name_stays(rewrite: Callable[..., Any]) -> None:
    source = "def plot_confusion_matrix(cm): pass\nplot_confusion_matrix(cm)"
    assert rewrite(source) == source
