"""Matrices and mixed names of columns, which scikit-learn refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
texts = ['a cat', 'a dog', 'the cat']
m = np.matrix([[1.0], [2.0], [3.0]])
table = pd.DataFrame({0: [1.0, 2.0], 'a': [3.0, 5.0]})"""


@pytest.mark.parametrize(
    ("before", "after", "expression", "value"),
    [
        (
            "r = LinearRegression().fit(m, [1, 2, 3])",
            "r = LinearRegression().fit(np.asarray(m), [1, 2, 3])",
            "r.coef_.round(6)",
            [1.0],
        ),
        (
            "r = GaussianNB().fit(CountVectorizer().fit_transform(texts).todense(), [0, 1, 0])",
            "r = GaussianNB().fit(CountVectorizer().fit_transform(texts).toarray(), [0, 1, 0])",
            "r.class_count_",
            [2.0, 1.0],
        ),
        (
            "r = LinearRegression().fit(table, [1, 2])",
            "r = LinearRegression().fit(table.rename(columns=str), [1, 2])",
            "r.coef_.round(3)",
            [0.2, 0.4],
        ),
    ],
)
def test_the_same_numbers_are_passed(repair: Callable[..., Any], before: str, after: str, expression: str, value: object) -> None:
    repaired = repair([_START, before])
    assert repaired.cells[1] == after
    assert repaired.value(expression) == value


@pytest.mark.parametrize("cell", ["r = m * m.T", "r = LinearRegression().fit(np.asarray(m), [1, 2, 3])", "r = table.copy()"])
def test_what_works_stays(repair: Callable[..., Any], cell: str) -> None:
    assert repair([_START, cell]).cells[1] == cell
