"""Models as scikit-learn 0.19 printed them, pasted into a cell: all their arguments are there, at the defaults of then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = "import numpy as np\nX = np.random.RandomState(0).rand(30, 4)\ny = np.arange(30) % 2\nZ = (X * 9).astype(int)"


@pytest.mark.parametrize(
    ("home", "model"),
    [
        (
            "svm",
            (
                "SVC(C=1.0, cache_size=200, class_weight=None, coef0=0.0, decision_function_shape=None, degree=3, gamma='auto',"
                " kernel='rbf', max_iter=-1, probability=False, random_state=None, shrinking=True, tol=0.001, verbose=False)"
            ),
        ),
        (
            "linear_model",
            (
                "SGDClassifier(alpha=0.0001, average=False, class_weight=None, epsilon=0.1, eta0=0.0, fit_intercept=True,"
                " l1_ratio=0.15, learning_rate='optimal', loss='hinge', max_iter=None, n_iter=None, n_jobs=1, penalty='l2',"
                " power_t=0.5, random_state=0, shuffle=True, tol=None, verbose=0, warm_start=False)"
            ),
        ),
        (
            "linear_model",
            (
                "LassoCV(alphas=None, copy_X=True, cv=None, eps=0.001, fit_intercept=True, max_iter=1000, n_alphas=100, n_jobs=1,"
                " normalize=False, positive=False, precompute='auto', random_state=None,"
                " selection='cyclic', tol=0.0001, verbose=False)"
            ),
        ),
        (
            "cluster",
            (
                "KMeans(algorithm='auto', copy_x=True, init='k-means++', max_iter=300, n_clusters=2, n_init=10, n_jobs=1,"
                " precompute_distances='auto', random_state=0, tol=0.0001, verbose=0)"
            ),
        ),
        ("cluster", "Birch(branching_factor=50, compute_labels=True, copy=True, n_clusters=3, threshold=0.5)"),
        (
            "decomposition",
            "FastICA(algorithm='parallel', fun='logcosh', max_iter=200, n_components=2, random_state=0, whiten=True)",
        ),
        (
            "decomposition",
            (
                "NMF(alpha=0.0, beta_loss='frobenius', init=None, l1_ratio=0.0, max_iter=200, n_components=2, random_state=0,"
                " shuffle=False, solver='cd', tol=0.0001, verbose=0)"
            ),
        ),
        (
            "discriminant_analysis",
            (
                "QuadraticDiscriminantAnalysis(priors=None, reg_param=0.0, store_covariance=False,"
                " store_covariances=None, tol=0.0001)"
            ),
        ),
        (
            "ensemble",
            (
                "RandomForestClassifier(bootstrap=True, class_weight=None, criterion='gini', max_depth=None, max_features='auto',"
                " max_leaf_nodes=None, min_impurity_decrease=0.0, min_impurity_split=None,"
                " min_samples_leaf=1, min_samples_split=2,"
                " min_weight_fraction_leaf=0.0, n_estimators=10, n_jobs=1, oob_score=False,"
                " random_state=0, verbose=0, warm_start=False)"
            ),
        ),
    ],
)
def test_a_printed_model_is_made_and_fitted(repair: Callable[..., Any], home: str, model: str) -> None:
    name = model.partition("(")[0]
    repaired = repair([_START, f"from sklearn.{home} import {name}\nm = {model}", "m.fit(X, y)\nkind = type(m).__name__"])
    assert repaired.value("kind") == name


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("TfidfVectorizer(min_df=0)", "TfidfVectorizer(min_df=1)"),
        ("TfidfVectorizer(min_df=0.0)", "TfidfVectorizer(min_df=0.0)"),
        ("LassoCV(n_alphas=50, alphas=None)", "LassoCV(n_alphas=50, alphas=100)"),
        ("KMeans(algorithm='elkan')", "KMeans(algorithm='elkan')"),
        ("FastICA(whiten=False)", "FastICA(whiten=False)"),
    ],
)
def test_only_what_the_default_was_is_changed(rewrite: Callable[..., Any], before: str, after: str) -> None:
    imports = (
        "from sklearn.cluster import KMeans\nfrom sklearn.decomposition import FastICA\n"
        "from sklearn.feature_extraction.text import TfidfVectorizer\nfrom sklearn.linear_model import LassoCV\n"
    )
    assert rewrite(f"{imports}m = {before}", recipe="changed-argument") == f"{imports}m = {after}"


def test_a_grid_goes_by_the_present_name_of_what_is_wrapped(rewrite: Callable[..., Any]) -> None:
    cells = [
        (
            "from sklearn.ensemble import AdaBoostClassifier\nfrom sklearn.model_selection import GridSearchCV\n"
            "from sklearn.tree import DecisionTreeClassifier"
        ),
        "grid = {'base_estimator__max_depth': [1, 2], 'n_estimators': [5]}",
        "g = GridSearchCV(AdaBoostClassifier(DecisionTreeClassifier()), grid)",
    ]
    after = rewrite(cells)
    assert after[1] == "grid = {'estimator__max_depth': [1, 2], 'n_estimators': [5]}"
    assert [after[0], after[2]] == [cells[0], cells[2]]
