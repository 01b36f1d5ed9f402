"""Names of negated scorers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

HEAD = "from sklearn.model_selection import cross_val_score\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("cross_val_score(m, X, y, scoring='log_loss')", "cross_val_score(m, X, y, scoring='neg_log_loss')"),
        ('scoring = "mean_squared_error"', 'scoring = "neg_mean_squared_error"'),
        (
            "cross_val_score(m, X, scoring=['r2', 'mean_absolute_error'])",
            "cross_val_score(m, X, scoring=['r2', 'neg_mean_absolute_error'])",
        ),
        ("run(scoring={'e': 'mean_squared_error'})", "run(scoring={'e': 'neg_mean_squared_error'})"),
        ("def run(scoring='log_loss'): pass", "def run(scoring='neg_log_loss'): pass"),
    ],
)
def test_a_loss_is_named_as_negated(rewrite: Callable[..., Any], old: str, new: str) -> None:
    assert rewrite(HEAD + old) == HEAD + new


@pytest.mark.parametrize(
    "source",
    [
        "cross_val_score(m, X, y, scoring='accuracy')",
        "model.compile(loss='mean_squared_error')",
        "name = 'mean_squared_error'",
        "import glmnet\nglmnet.ElasticNet(scoring='mean_squared_error')",
    ],
)
def test_other_names_and_other_packages_stay(rewrite: Callable[..., Any], source: str) -> None:
    assert rewrite(HEAD + source) == HEAD + source


def test_the_values_are_those_of_2018(repair: Callable[..., Any]) -> None:
    """scikit-learn 0.19.1 gave -3027.1445."""
    repaired = repair(
        [
            "from sklearn.datasets import load_diabetes\nfrom sklearn.cross_validation import cross_val_score",
            "from sklearn.linear_model import LinearRegression\nX, y = load_diabetes(return_X_y=True)",
            "scores = cross_val_score(LinearRegression(), X, y, 'mean_squared_error', 3)",
        ]
    )
    assert repaired.value("scores.mean()") == pytest.approx(-3027.1445, rel=1e-4)
