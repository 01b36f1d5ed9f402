"""Grouped columns, renaming aggregations, keys that are sets or miss labels, operators of indexes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import numpy as np
import pandas as pd
df = pd.DataFrame({'g': list('aab'), 'x': [1, 2, 3], 'y': [4, 5, 6]})
num = df[['x', 'y']]
s = pd.Series([1.0, 2.0, 3.0], index=list('pqr'))
t = pd.Series([1.0, 2.0], index=list('qz'))
wanted, names = ['p', 'zz'], {'x', 'y'}"""


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        (
            "num.groupby({'x': 'k', 'y': 'k'}, axis=1).sum().k.tolist()",
            "num.T.groupby({'x': 'k', 'y': 'k'}).sum().T.k.tolist()",
            [5, 7, 9],
        ),
        ("df.groupby('g', axis=0).x.sum().tolist()", "df.groupby('g').x.sum().tolist()", [3, 3]),
        (
            "df.groupby('g')['x'].agg({'m': np.mean, 'n': 'count'}).m.tolist()",
            "df.groupby('g')['x'].agg([('m', np.mean), ('n', 'count')]).m.tolist()",
            [1.5, 3.0],
        ),
        (
            "df.groupby('g').agg({'x': {'m': 'mean'}, 'y': 'sum'}).shape",
            "df.groupby('g').agg({'x': [('m', 'mean')], 'y': 'sum'}).shape",
            [2, 2],
        ),
        (
            "pd.concat([s, t], axis=1, join_axes=[s.index]).shape",
            "pd.concat([s, t], axis=1).reindex(index=s.index).shape",
            [3, 2],
        ),
        ("sorted(df[names].columns)", "sorted(df[list(names)].columns)", ["x", "y"]),
        ("sorted(df[set(['x', 'y'])].columns)", "sorted(df[list(set(['x', 'y']))].columns)", ["x", "y"]),
        ("s.loc[wanted].count()", "s.reindex(wanted).count()", 1),
        ("s[['p', 'zz']].count()", "s.reindex(['p', 'zz']).count()", 1),
        ("(s.index | t.index).tolist()", "(s.index.union(t.index)).tolist()", ["p", "q", "r", "z"]),
        ("(s.index & t.index).tolist()", "(s.index.intersection(t.index)).tolist()", ["q"]),
    ],
)
def test_the_table_is_the_old_one(repair: Callable[..., Any], before: str, after: str, value: object) -> None:
    repaired = repair([_START, f"r = {before}"])
    assert repaired.cells[1] == f"r = {after}"
    assert repaired.value("r") == value


@pytest.mark.parametrize(
    "cell",
    [
        "r = df[['x', 'zz']]",
        "r = s.loc[['aa', 'zz']]",
        "r = s.loc['zz']",
        "r = (s > 1) | (s < 0)\nq = 3 | 4",
        "s.loc[['p', 'zz']] = 1",
    ],
)
def test_what_never_worked_and_what_works_is_left_alone(repair: Callable[..., Any], cell: str) -> None:
    assert repair([_START, cell]).cells[1] == cell
