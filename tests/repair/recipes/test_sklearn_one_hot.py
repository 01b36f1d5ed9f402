"""One-hot encoding of some columns, beside the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = "import numpy as np\nfrom sklearn.preprocessing import OneHotEncoder\nX = np.array([[5.0, 0], [6.0, 1], [7.0, 0]])"


# What scikit-learn 0.19.1 gave.
@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("OneHotEncoder(categorical_features=[1]).fit_transform(X).toarray()", [[1, 0, 5], [0, 1, 6], [1, 0, 7]]),
        ("OneHotEncoder(categorical_features=[1], sparse=False).fit_transform(X)", [[1, 0, 5], [0, 1, 6], [1, 0, 7]]),
        (
            "OneHotEncoder(categorical_features=np.array([False, True])).fit_transform(X).toarray()",
            [[1, 0, 5], [0, 1, 6], [1, 0, 7]],
        ),
        ("OneHotEncoder(categorical_features='all').fit_transform([[0], [1]]).toarray()", [[1, 0], [0, 1]]),
        ("OneHotEncoder(n_values='auto').fit_transform([[0], [1]]).toarray()", [[1, 0], [0, 1]]),
        (
            "OneHotEncoder(categorical_features=[0]).fit_transform(np.array([[1, 44.0], [0, 27.0]], dtype=object)).toarray()",
            [[0, 1, 44], [1, 0, 27]],
        ),
    ],
)
def test_the_encoded_columns_come_first(repair: Callable[..., Any], call: str, value: object) -> None:
    assert repair([_START, f"r = {call}"]).value("r") == value


@pytest.mark.parametrize(
    "cell",
    [
        "e = OneHotEncoder(n_values=3)",
        "e = OneHotEncoder(categorical_features=[0])\ne.fit(X)\nprint(e.active_features_)",
        "e = OneHotEncoder(handle_unknown='ignore')",
        "e = other(categorical_features=[0])",
    ],
)
def test_what_has_no_equal_stays(rewrite: Callable[..., Any], cell: str) -> None:
    assert rewrite(f"{_START}\n{cell}") == f"{_START}\n{cell}"
