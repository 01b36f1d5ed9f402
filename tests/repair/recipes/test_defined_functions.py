"""Functions that the notebook defines itself, as nothing installed is the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_LABELS = """import numpy as np
from sklearn.metrics import f1_score, jaccard_similarity_score
y, p = np.array([0, 1, 2, 2]), np.array([0, 2, 2, 2])"""
_SETS = "Y, P = np.array([[1, 1, 0], [0, 0, 0]]), np.array([[1, 0, 0], [0, 0, 0]])"
_GRID = """import numpy as np
from scipy import interpolate
x, y = np.linspace(0, 4, 9), np.linspace(0, 3, 8)
xx, yy = np.meshgrid(x, y)"""


# What scikit-learn 0.19.1 and SciPy 1.1 gave.
@pytest.mark.parametrize(
    ("cells", "expression", "value"),
    [
        ([_LABELS, "r = jaccard_similarity_score(y, p)"], "r", 0.75),
        ([_LABELS, "r = jaccard_similarity_score(y, p, normalize=False)"], "r", 3.0),
        ([_LABELS, "r = jaccard_similarity_score(['PAIDOFF', 'COLLECTION'], ['PAIDOFF', 'PAIDOFF'])"], "r", 0.5),
        ([_LABELS, _SETS, "r = jaccard_similarity_score(Y, P)"], "r", 0.75),
        (["from sklearn import metrics", "r = metrics.jaccard_similarity_score([0, 1, 2], [0, 1, 1])"], "r", 2 / 3),
        (
            [_LABELS, "from sklearn.metrics import make_scorer\nr = make_scorer(jaccard_similarity_score)._score_func(y, p)"],
            "r",
            0.75,
        ),
        ([_GRID, "f = interpolate.interp2d(x, y, np.sin(xx) * yy, kind='cubic')", "r = f(1.3, 2.2)"], "r.round(3)", [2.12]),
        ([_GRID, "f = interpolate.interp2d(x, y, xx + yy)", "r = f([1.5, 0.5], [1.5])"], "r.round(6)", [2.0, 3.0]),
        ([_GRID, "f = interpolate.interp2d(xx, yy, xx + yy, kind='linear')", "r = f(1.5, 2.5)"], "r.round(6)", [4.0]),
    ],
)
def test_the_value_is_the_old_one(repair: Callable[..., Any], cells: list[str], expression: str, value: object) -> None:
    assert repair(cells).value(expression) == (pytest.approx(value) if isinstance(value, float) else value)


def test_the_import_goes_and_the_definition_comes_once(rewrite: Callable[..., Any]) -> None:
    after = rewrite(
        [_LABELS, "a = jaccard_similarity_score(y, p)", "b = jaccard_similarity_score(p, y)"], recipe="defined-function"
    )
    assert "from sklearn.metrics import f1_score\n" in after[0]
    assert ["def jaccard_similarity(" in cell for cell in after] == [True, False, False]
    assert after[2] == "b = jaccard_similarity(p, y)"


@pytest.mark.parametrize("cell", ["jaccard_similarity_score = 3", "def interp2d(x):\n    return x\ninterp2d(1)", "a.interp2d(x)"])
def test_other_things_of_that_name_stay(rewrite: Callable[..., Any], cell: str) -> None:
    assert rewrite(cell, recipe="defined-function") == cell
