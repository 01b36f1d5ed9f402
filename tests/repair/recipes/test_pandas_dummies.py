"""Columns of get_dummies are numbers again where arithmetic on them failed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import numpy as np
import pandas as pd
df = pd.DataFrame({'t': list('xyx'), 'v': [1.5, 2.0, 4.0]})"""


@pytest.mark.parametrize(
    ("before", "after", "use", "expression", "value"),
    [
        (
            "X = pd.get_dummies(df)",
            "X = pd.get_dummies(df, dtype=int)",
            "e = np.exp(X.values)",
            "e[:, 1:].round(2).tolist()",
            [[2.72, 1.0], [1.0, 2.72], [2.72, 1.0]],
        ),
        (
            "X = pd.get_dummies(df.t)",
            "X = pd.get_dummies(df.t, dtype=int)",
            "e = X.x.values - X.y.values + 1",
            "e.tolist()",
            [2, 0, 2],
        ),
        (
            "X = pd.get_dummies(df.t)",
            "X = pd.get_dummies(df.t, dtype=int)",
            "gap = X['x'] - X['y'] + 1",
            "gap.tolist()",
            [2, 0, 2],
        ),
        (
            "def frame(data):\n    return pd.get_dummies(data, columns=['t'])\nX = frame(df)",
            "def frame(data):\n    return pd.get_dummies(data, columns=['t'], dtype=int)\nX = frame(df)",
            "norm = np.sqrt(X.to_numpy())",
            "norm[:, 1].tolist()",
            [1.0, 0.0, 1.0],
        ),
    ],
)
def test_dummies_are_numbers_where_arithmetic_fails(  # noqa: PLR0917 (a table)
    repair: Callable[..., Any], before: str, after: str, use: str, expression: str, value: object
) -> None:
    repaired = repair([_START, before, use])
    assert repaired.cells[1] == after
    assert repaired.value(expression) == value


@pytest.mark.parametrize(
    "cell",
    [
        "X = pd.get_dummies(df.t, dtype=float)",
        "X = pd.get_dummies(df.t, '', '_', False, None, False, False, float)",
        "X = pd.get_dummies(df.t)\nmask = X.x & X.y",
    ],
)
def test_dummies_with_a_dtype_and_dummies_that_work_stay(repair: Callable[..., Any], cell: str) -> None:
    repaired = repair([_START, cell, "np.sqrt(np.array(['a'], dtype=object))"])
    assert repaired.cells[1] == cell
