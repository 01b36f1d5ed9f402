"""Parameter grids follow the estimator of their search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

HEAD = """\
import numpy as np
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.model_selection import GridSearchCV, validation_curve
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, SGDClassifier
"""
GRIDS = [
    (
        "GridSearchCV(RandomForestClassifier(), {'max_features': ['auto', 2]})",
        "GridSearchCV(RandomForestClassifier(), {'max_features': ['sqrt', 2]})",
    ),
    (
        "GridSearchCV(RandomForestRegressor(), [{'max_features': ['auto']}])",
        "GridSearchCV(RandomForestRegressor(), [{'max_features': [1.0]}])",
    ),
    (
        "GridSearchCV(make_pipeline(SGDClassifier()), {'sgdclassifier__n_iter': [5]})",
        "GridSearchCV(make_pipeline(SGDClassifier()), {'sgdclassifier__max_iter': [5]})",
    ),
    (
        "GridSearchCV(LinearRegression(), {'normalize': [True, False], 'fit_intercept': [True]})",
        "GridSearchCV(LinearRegression(), {'fit_intercept': [True]})",
    ),
    (
        "GridSearchCV(RandomForestClassifier(), {'max_depth': np.linspace(1, 3, 3)})",
        "GridSearchCV(RandomForestClassifier(), {'max_depth': np.linspace(1, 3, 3).astype(int)})",
    ),
    (
        "GridSearchCV(LogisticRegression(), {'penalty': ['l1', 'l2']})",
        "GridSearchCV(LogisticRegression(solver='liblinear'), {'penalty': ['l1', 'l2']})",
    ),
    (
        "validation_curve(m, X, y, param_name='max_depth', param_range=np.linspace(1, 3, 3))",
        "validation_curve(m, X, y, param_name='max_depth', param_range=np.linspace(1, 3, 3).astype(int))",
    ),
]


@pytest.mark.parametrize(("old", "new"), GRIDS)
def test_keys_and_values_of_a_grid_are_changed(rewrite: Callable[..., Any], old: str, new: str) -> None:
    assert rewrite(HEAD + old) == HEAD + new


def test_a_grid_in_another_cell_and_a_step_of_a_pipeline_are_found(rewrite: Callable[..., Any]) -> None:
    cells = [
        HEAD,
        "params = {'clf__criterion': ['mse', 'mae'],\n          'clf__max_depth': [2]}",
        "pipe = Pipeline([('clf', RandomForestRegressor())])",
        "search = GridSearchCV(pipe, params).fit(X, y)",
    ]
    after = rewrite(cells)
    assert after[1] == "params = {'clf__criterion': ['squared_error', 'absolute_error'],\n          'clf__max_depth': [2]}"
    assert [after[0], after[2], after[3]] == [cells[0], cells[2], cells[3]]


@pytest.mark.parametrize(
    "source",
    [
        "GridSearchCV(model, {'max_features': ['auto']})",
        "options = {'max_features': ['auto']}",
        "GridSearchCV(LogisticRegression(solver='saga'), {'penalty': ['l1']})",
        "GridSearchCV(SGDClassifier(), {'alpha': np.linspace(0, 1, 3)})",
    ],
)
def test_grids_of_unknown_estimators_and_other_dicts_stay(rewrite: Callable[..., Any], source: str) -> None:
    assert rewrite(HEAD + source) == HEAD + source
