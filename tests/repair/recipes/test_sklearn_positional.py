"""Positional arguments get the names they had in the old order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

CALLS = [
    (
        "sklearn.cross_validation",
        "cross_val_score",
        "cross_val_score(m, X, y, 'f1', 5)",
        "cross_val_score(m, X, y, scoring='f1', cv=5)",
    ),
    ("sklearn.model_selection", "cross_val_score", "cross_val_score(m, X, y, g)", "cross_val_score(m, X, y, groups=g)"),
    ("sklearn.learning_curve", "learning_curve", "learning_curve(m, X, y, sizes)", "learning_curve(m, X, y, train_sizes=sizes)"),
    (
        "sklearn.model_selection",
        "learning_curve",
        "learning_curve(m, X, y, train_sizes, cv=5)",
        "learning_curve(m, X, y, train_sizes=train_sizes, cv=5)",
    ),
    (
        "sklearn.learning_curve",
        "validation_curve",
        "validation_curve(m, X, y,\n    'C', Cs, cv=3)",
        "validation_curve(m, X, y,\n    param_name='C', param_range=Cs, cv=3)",
    ),
    ("sklearn.grid_search", "GridSearchCV", "GridSearchCV(m, grid, 'f1')", "GridSearchCV(m, grid, scoring='f1')"),
    (
        "sklearn.neighbors",
        "KNeighborsClassifier",
        "KNeighborsClassifier(5, 'distance')",
        "KNeighborsClassifier(5, weights='distance')",
    ),
    (
        "sklearn.utils.class_weight",
        "compute_class_weight",
        "compute_class_weight('balanced', classes, y)",
        "compute_class_weight('balanced', classes=classes, y=y)",
    ),
    (
        "sklearn.feature_extraction.text",
        "CountVectorizer",
        "CountVectorizer('content', 'utf-8')",
        "CountVectorizer(input='content', encoding='utf-8')",
    ),
    ("sklearn.svm", "SVC", "SVC(1.0, 'rbf')", "SVC(C=1.0, kernel='rbf')"),
    ("sklearn.metrics", "confusion_matrix", "confusion_matrix(y, p, [1, 0])", "confusion_matrix(y, p, labels=[1, 0])"),
    (
        "sklearn.metrics",
        "classification_report",
        "classification_report(y, p, None, names)",
        "classification_report(y, p, labels=None, target_names=names)",
    ),
    (
        "sklearn.metrics",
        "f1_score",
        "f1_score(y, p, None, 1, 'macro')",
        "f1_score(y, p, labels=None, pos_label=1, average='macro')",
    ),
    ("sklearn.datasets", "make_blobs", "make_blobs(100, 2, 3)", "make_blobs(100, 2, centers=3)"),
    ("sklearn.feature_selection", "RFE", "RFE(m, 10)", "RFE(m, n_features_to_select=10)"),
    ("sklearn.decomposition", "PCA", "PCA(2, False)", "PCA(2, copy=False)"),
]
UNCHANGED = [
    ("sklearn.linear_model", "Ridge", "Ridge(1.0)"),
    ("sklearn.neighbors", "KNeighborsClassifier", "KNeighborsClassifier(5)"),
    ("sklearn.ensemble", "BaggingClassifier", "BaggingClassifier(tree, 10)"),
    ("sklearn.metrics", "log_loss", "log_loss(y, p)"),
    ("sklearn.metrics", "precision_recall_curve", "precision_recall_curve(y, p)"),
    ("sklearn.svm", "SVC", "SVC(*args)"),
    ("sklearn.metrics", "confusion_matrix", "confusion_matrix(y, p, *more)"),
    ("mine", "confusion_matrix", "confusion_matrix(y, p, [1, 0])"),
]


@pytest.mark.parametrize(("module", "name", "old", "new"), CALLS)
def test_positional_arguments_are_named_by_the_old_order(
    rewrite: Callable[..., Any], module: str, name: str, old: str, new: str
) -> None:
    source = f"from {module} import {name}\nr = {old}"
    assert rewrite(source).partition("\n")[2] == f"r = {new}"


@pytest.mark.parametrize(("module", "name", "call"), UNCHANGED)
def test_calls_that_still_mean_the_same_stay(rewrite: Callable[..., Any], module: str, name: str, call: str) -> None:
    source = f"from {module} import {name}\nr = {call}"
    assert rewrite(source) == source
