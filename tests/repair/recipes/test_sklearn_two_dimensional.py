"""One sample or one column in one dimension."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

HEAD = "from sklearn.neighbors import KNeighborsClassifier\nknn = KNeighborsClassifier(n_neighbors=1)\n"
MESSAGE = "Expected 2D array, got 1D array instead:\narray=[3 5 4 2].\nReshape your data either using array.reshape(-1, 1) ..."


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("knn.predict([3, 5, 4, 2])", "knn.predict([[3, 5, 4, 2]])"),
        ("knn.predict_proba((3, -1.5))", "knn.predict_proba([(3, -1.5)])"),
        ("knn.predict(5)", "knn.predict([[5]])"),
    ],
)
def test_a_literal_sample_becomes_a_list_of_one(
    rewrite: Callable[..., Any], failure: Callable[..., Any], old: str, new: str
) -> None:
    assert rewrite(HEAD + old, failure=failure("ValueError", MESSAGE, line=3)) == HEAD + new


def test_proven_estimators_of_other_cells_follow(rewrite: Callable[..., Any], failure: Callable[..., Any]) -> None:
    cells = [HEAD, "knn.predict([3, 5, 4, 2])", "knn.predict([[3, 5, 4, 2]])\nother.predict([1, 2])\nknn.predict([1, 2])"]
    after = rewrite(cells, failure=failure("ValueError", MESSAGE, unit=1))
    assert after[1:] == [
        "knn.predict([[3, 5, 4, 2]])",
        "knn.predict([[3, 5, 4, 2]])\nother.predict([1, 2])\nknn.predict([[1, 2]])",
    ]


def test_nothing_changes_without_the_error(rewrite: Callable[..., Any]) -> None:
    assert rewrite(HEAD + "knn.predict([3, 5])") == HEAD + "knn.predict([3, 5])"


def test_live_shapes_decide_between_row_and_column(repair: Callable[..., Any]) -> None:
    repaired = repair(
        [
            "import pandas as pd\nfrom sklearn.datasets import load_iris\nfrom sklearn.neighbors import KNeighborsClassifier",
            "from sklearn.linear_model import LinearRegression\nfrom sklearn.preprocessing import StandardScaler",
            "X, y = load_iris(return_X_y=True)\ndf = pd.DataFrame(X, columns=list('abcd'))\nx = X[:, 0]",
            "knn = KNeighborsClassifier(n_neighbors=1).fit(X, y)\nrow = knn.predict(X[3])",
            "line = LinearRegression()\nline.fit(df['a'], y)\nr2 = line.score(df['a'], y)",
            "scaler = StandardScaler()\nscaled = scaler.fit_transform(x)",
        ]
    )
    assert repaired.cells[3].endswith("knn.predict([X[3]])")
    assert (
        repaired.cells[4] == "line = LinearRegression()\nline.fit(df['a'].to_frame(), y)\nr2 = line.score(df['a'].to_frame(), y)"
    )
    assert repaired.cells[5].endswith("scaler.fit_transform(x.reshape(-1, 1)).ravel()")
    assert repaired.value("[row, len(scaled.shape), round(r2, 3)]") == [[0], 1, 0.612]
