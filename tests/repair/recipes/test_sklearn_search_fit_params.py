"""fit_params of parameter searches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

START = "from sklearn.model_selection import GridSearchCV\nimport numpy as np\nw = np.ones(9)\n"
PLAIN = "scoring=lambda model, X, y: model.score(X, y)"
RECIPE = "sklearn-search-fit-params"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("s = GridSearchCV(m, g, fit_params={'v': w})\ns.fit(X, y)", "s = GridSearchCV(m, g)\ns.fit(X, y, v=w)"),
        ("GridSearchCV(m, g, fit_params=dict(v=w)).fit(X)", "GridSearchCV(m, g).fit(X, v=w)"),
        ("p = {'a__v': w}\nGridSearchCV(m, g, fit_params=p).fit(X)", "p = {'a__v': w}\nGridSearchCV(m, g).fit(X, **p)"),
        (
            "s = GridSearchCV(m, g, cv=3, fit_params={'sample_weight': w})\ns.fit(X, y)\nprint(s.best_score_)",
            f"s = GridSearchCV(m, g, cv=3, {PLAIN})\ns.fit(X, y, sample_weight=w)\nprint(s.best_score_)",
        ),
    ],
)
def test_fits_get_what_the_search_was_given(rewrite: Callable[..., Any], before: str, after: str) -> None:
    assert rewrite(START + before, recipe=RECIPE) == START + after


@pytest.mark.parametrize(
    "cell",
    [
        "s = GridSearchCV(m, g, fit_params={'v': w})\ncross_val_score(s, X, y)\ns.fit(X, y)",
        "s = GridSearchCV(m, g, fit_params={'v': w})\ns = s.fit(X, y)",
        "s = GridSearchCV(m, g, fit_params={'v': w})",
        "s = GridSearchCV(m, g, fit_params={'v': w})\nw = 2\ns.fit(X, y)",
        "s = GridSearchCV(m, g, scoring=f, fit_params={'sample_weight': w})\ns.fit(X, y)",
        "s = Other(m, g, fit_params={'v': w})\ns.fit(X, y)",
    ],
    ids=["handed-on", "bound-again", "never-fitted", "changed-in-between", "weighted-scorer", "other-class"],
)
def test_searches_that_may_be_fitted_elsewhere_stay(rewrite: Callable[..., Any], cell: str) -> None:
    assert rewrite(START + cell, recipe=RECIPE) == START + cell


@pytest.mark.parametrize("scoring", ["", "scoring='f1_macro', "])
def test_scores_are_not_weighted(repair: Callable[..., Any], scoring: str) -> None:
    """scikit-learn 0.19.1 gave these numbers; since 1.7 a search weighs its scores by the weights of its fits."""
    cells = [
        "import numpy as np\nfrom sklearn.model_selection import GridSearchCV\nfrom sklearn.svm import SVC",
        "from sklearn.datasets import load_iris\nX, y = load_iris(return_X_y=True)\nw = np.where(y == 1, 3.0, 1.0)",
        "halves = [(np.arange(0, 144, 2), np.arange(1, 144, 2))]",
        f"s = GridSearchCV(SVC(), {{'gamma': [.01, .1]}}, cv=halves, {scoring}fit_params={{'sample_weight': w}})",
        "s.fit(X, y)",
    ]
    expected = 0.926961926961927 if scoring else 0.9305555555555556
    assert repair(cells).value("s.best_score_") == pytest.approx(expected)
