"""Short replacements of gone functions and attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

ROOT = "from sklearn.metrics import root_mean_squared_error"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "from sklearn.metrics import mean_squared_error\nmean_squared_error(a, b, squared=False)",
            ROOT + "\nfrom sklearn.metrics import mean_squared_error\nroot_mean_squared_error(a, b)",
        ),
        (
            "from sklearn import metrics\nmetrics.mean_squared_error(a, b, squared=True)",
            "from sklearn import metrics\nmetrics.mean_squared_error(a, b)",
        ),
        (
            "from sklearn.metrics import SCORERS\nsorted(SCORERS.keys())",
            "from sklearn.metrics import get_scorer_names\nsorted(get_scorer_names())",
        ),
        ("from sklearn import metrics\nmetrics.SCORERS['f1']", "from sklearn import metrics\nmetrics.get_scorer('f1')"),
        (
            "from sklearn.tree import DecisionTreeClassifier\nt = DecisionTreeClassifier().fit(X, y)\nt.n_features_",
            "from sklearn.tree import DecisionTreeClassifier\nt = DecisionTreeClassifier().fit(X, y)\nt.n_features_in_",
        ),
    ],
)
def test_the_replacement_gives_the_same(rewrite: Callable[..., Any], old: str, new: str) -> None:
    assert rewrite(old) == new


@pytest.mark.parametrize(
    "source", ["SCORERS = {}\nSCORERS.keys()", "from mine import rmse\nrmse(a, b, squared=False)", "thing.n_features_"]
)
def test_others_stay(rewrite: Callable[..., Any], source: str) -> None:
    assert rewrite(source) == source
