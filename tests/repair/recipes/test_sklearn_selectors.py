"""Estimators that selected features, and transformers that stay what they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

HEAD = """\
import numpy as np
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.svm import LinearSVC
X, y = load_iris(return_X_y=True)
forest = RandomForestClassifier(n_estimators=20, random_state=0).fit(X, y)
"""
SELECTOR = "from sklearn.feature_selection import SelectFromModel\n"


@pytest.mark.parametrize(
    ("old", "new", "columns"),
    [
        ("Z = forest.transform(X)", "Z = SelectFromModel(forest, prefit=True).transform(X)", 2),
        (
            "Z = forest.transform(X, threshold='median')",
            "Z = SelectFromModel(forest, threshold='median', prefit=True).transform(X)",
            2,
        ),
        ("Z = forest.transform(X[:9], 0.99)", "Z = SelectFromModel(forest, threshold=0.99, prefit=True).transform(X[:9])", 0),
        (
            "Z = LinearSVC(C=0.01, penalty='l1', dual=False).fit_transform(X, y)",
            "Z = SelectFromModel(LinearSVC(C=0.01, penalty='l1', dual=False).fit(X, y), prefit=True).transform(X)",
            3,
        ),
        ("def chosen(model):\n    return model.transform(X)\nZ = chosen(forest)",
         "def chosen(model):\n    return SelectFromModel(model, prefit=True).transform(X)\nZ = chosen(forest)", 2),
    ],
)  # fmt: skip
def test_a_fitted_estimator_selects_through_select_from_model(
    repair: Callable[..., Any], old: str, new: str, columns: int
) -> None:
    repaired = repair([HEAD, old])
    assert repaired.cells == [HEAD, SELECTOR + new]
    assert repaired.value("Z.shape[1]", as_then=False) == columns


@pytest.mark.parametrize(
    "use",
    [
        "from sklearn.decomposition import PCA\nZ = PCA(2).fit_transform(X)",
        "from sklearn.preprocessing import StandardScaler\nscaler = StandardScaler().fit(X)\nZ = scaler.transform(X)",
        "Z = forest.fit_transform(X[:, :2], y)",
        "Z = forest.transform(*[X])",
    ],
)
def test_transformers_and_what_is_not_plain_stay(rewrite: Callable[..., Any], use: str) -> None:
    assert rewrite(HEAD + use) == HEAD + use
