"""Bins of pd.cut are named by intervals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import pandas as pd
ages = pd.Series([18, 30, 45, 80])
bins = pd.cut(ages, [10, 20.5, 50, 90])
dummies = pd.get_dummies(bins)
counts = bins.value_counts()"""


@pytest.mark.parametrize(
    ("before", "after", "expression", "value"),
    [
        (
            "rest = dummies.drop(['(10.0, 20.5]'], axis=1)",
            "rest = dummies.drop([pd.Interval(10.0, 20.5)], axis=1)",
            "rest.shape[1]",
            2,
        ),
        (
            "old = dummies['(50.0, 90.0]'].sum() + 0 * dummies['(50.0, 90.0]'].sum()",
            "old = dummies[pd.Interval(50.0, 90.0)].sum() + 0 * dummies[pd.Interval(50.0, 90.0)].sum()",
            "int(old)",
            1,
        ),
        ("n = counts.loc['(20.5, 50.0]']", "n = counts.loc[pd.Interval(20.5, 50.0)]", "int(n)", 2),
        (
            "left = pd.get_dummies(pd.cut(ages, [10, 30, 90], right=False))['[10, 30)']",
            "left = pd.get_dummies(pd.cut(ages, [10, 30, 90], right=False))[pd.Interval(10, 30, closed='left')]",
            "int(left.sum())",
            1,
        ),
    ],
)
def test_a_bin_is_named_by_its_interval(
    repair: Callable[..., Any], before: str, after: str, expression: str, value: object
) -> None:
    repaired = repair([_START, before])
    assert repaired.cells[1] == after
    assert repaired.value(expression) == value


@pytest.mark.parametrize(
    "cells",
    [
        [_START, "print('(10.0, 20.5]')", "dummies['(1.0, 2.0]']"],
        ["d = {'a': 1}\nd['(10.0, 20.5]']"],
        [_START, "named = pd.get_dummies(bins.astype(str))\nn = named['(10.0, 20.5]'].sum()"],
    ],
)
def test_other_texts_stay(repair: Callable[..., Any], cells: list[str]) -> None:
    repaired = repair(cells)
    assert repaired.cells[:2] == cells[:2]
