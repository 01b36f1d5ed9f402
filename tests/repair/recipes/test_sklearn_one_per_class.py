"""liblinear for more than two classes, where its parameters or coefficients are named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
import numpy as np
X = np.random.RandomState(0).randn(90, 3)
y = np.arange(90) % 3
X[:, 0] += y * 2"""


# What scikit-learn 0.19.1 gave.
@pytest.mark.parametrize(
    ("cell", "expression", "value"),
    [
        (
            "g = GridSearchCV(LogisticRegression(solver='liblinear'), {'C': [.1, 10]}, cv=3).fit(X, y)",
            "[g.best_params_['C'], g.best_score_]",
            [10, 0.66667],
        ),
        (
            (
                "p = Pipeline([('s', StandardScaler()), ('c', LogisticRegression(solver='liblinear'))])\n"
                "g = GridSearchCV(p, {'c__C': [.1, 10], 'c__penalty': ['l1', 'l2']}, cv=3).fit(X, y)"
            ),
            "[g.best_params_['c__C'], g.best_params_['c__penalty'], g.best_score_]",
            [0.1, "l2", 0.67778],
        ),
        (
            "m = LogisticRegression(solver='liblinear', C=10)\nm.fit(X, y)\nc = m.coef_",
            "[c.shape, c[0].round(3), m.intercept_.round(3), m.predict_proba(X[:1]).round(3)[0]]",
            [[3, 3], [-1.508, 0.35, 0.468], [1.642, -0.659, -5.628], [0.554, 0.332, 0.114]],
        ),
        (
            "g = GridSearchCV(LogisticRegression(multi_class='ovr', solver='liblinear'), {'C': [1]}, cv=3).fit(X, y)",
            "[g.best_estimator_.classes_, type(g.best_estimator_).__name__]",
            [[0, 1, 2], "LogisticRegression"],
        ),
    ],
)
def test_parameters_and_coefficients_keep_their_names(
    repair: Callable[..., Any], cell: str, expression: str, value: list[Any]
) -> None:
    assert repair([_START, *cell.split("\n")]).value(expression) == [
        pytest.approx(item, abs=2e-3) if isinstance(item, float) else item for item in value
    ]


@pytest.mark.parametrize(
    "cell",
    [
        "g = GridSearchCV(LogisticRegression(solver='liblinear'), {'C': [1]}, cv=3).fit(X, y > 0)",
        "g = GridSearchCV(LogisticRegression(solver='liblinear', class_weight='balanced'), {'C': [1]}, cv=3)",
        "g = GridSearchCV(LogisticRegression(), {'C': [1]}, cv=3).fit(X, y)",
    ],
)
def test_no_class_without_need(repair: Callable[..., Any], cell: str) -> None:
    assert "one_per_class" not in repair([_START, cell]).source
