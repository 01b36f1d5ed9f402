"""Reductions over text columns leave them out again; values are those of pandas 0.23."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import numpy as np
import pandas as pd
df = pd.DataFrame({'g': list('abab'), 't': list('wxyz'), 'a': [1, 2, 3, 5], 'b': [1.5, 2, 3, 4]})
days = df.set_index(pd.date_range('2016-01-01', periods=4))
num = df[['a', 'b']]"""


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("df.mean()", "df.mean(numeric_only=True)", {"a": 2.75, "b": 2.625}),
        ("df.median().tolist()", "df.median(numeric_only=True).tolist()", [2.5, 2.5]),
        ("df.std().round(3).tolist()", "df.std(numeric_only=True).round(3).tolist()", [1.708, 1.109]),
        ("df.quantile(.5).tolist()", "df.quantile(.5, numeric_only=True).tolist()", [2.5, 2.5]),
        ("df.corr().shape", "df.corr(numeric_only=True).shape", [2, 2]),
        ("df.corr(method='spearman').shape", "df.corr(method='spearman', numeric_only=True).shape", [2, 2]),
        ("df.cov().loc['a', 'a'].round(3)", "df.cov(numeric_only=True).loc['a', 'a'].round(3)", 2.917),
        ("df.skew().size", "df.skew(numeric_only=True).size", 2),
        ("df.sum(axis=1).tolist()", "df.sum(axis=1, numeric_only=True).tolist()", [2.5, 4.0, 6.0, 9.0]),
        ("df.max(axis=1).tolist()", "df.max(axis=1, numeric_only=True).tolist()", [1.5, 2.0, 3.0, 5.0]),
        ("df.groupby('g').mean()['a'].tolist()", "df.groupby('g').mean(numeric_only=True)['a'].tolist()", [2.0, 3.5]),
        (
            "df.groupby(['g']).std().round(3).a.tolist()",
            "df.groupby(['g']).std(numeric_only=True).round(3).a.tolist()",
            [1.414, 2.121],
        ),
        ("df.groupby('g').agg('mean').a.tolist()", "df.groupby('g').agg('mean', numeric_only=True).a.tolist()", [2.0, 3.5]),
        ("df.groupby('g').agg(np.mean).a.tolist()", "df.groupby('g').agg('mean', numeric_only=True).a.tolist()", [2.0, 3.5]),
        (
            "df.groupby('g').transform('mean').a.tolist()",
            "df.groupby('g').transform('mean', numeric_only=True).a.tolist()",
            [2, 3.5, 2, 3.5],
        ),
        ("df.pivot_table(index='g').a.tolist()", "df.pivot_table(index='g', numeric_only=True).a.tolist()", [2.0, 3.5]),
        (
            "pd.pivot_table(df, index='g', aggfunc=np.mean).a.tolist()",
            "pd.pivot_table(df, index='g', aggfunc='mean', numeric_only=True).a.tolist()",
            [2.0, 3.5],
        ),
        ("days.resample('2D').mean().a.tolist()", "days.resample('2D').mean(numeric_only=True).a.tolist()", [1.5, 4.0]),
        ("df.rolling(2).mean().a.tolist()[1:]", "df.rolling(2).mean(numeric_only=True).a.tolist()[1:]", [1.5, 2.5, 4.0]),
        ("df.fillna(df.mean()).shape", "df.fillna(df.mean(numeric_only=True)).shape", [4, 4]),
        ("df.mean()['a'] - df.a.mean()", "df.mean(numeric_only=True)['a'] - df.a.mean()", 0.0),
        ("df.agg('mean').tolist()", "df.agg('mean', numeric_only=True).tolist()", [2.75, 2.625]),
    ],
)
def test_text_columns_are_left_out_as_before(repair: Callable[..., Any], before: str, after: str, value: object) -> None:
    repaired = repair([_START, f"r = {before}"])
    assert repaired.cells[1] == f"r = {after}"
    assert repaired.value("r") == value


def test_other_cells_with_the_same_frame_change_at_once(repair: Callable[..., Any]) -> None:
    cells = [
        _START,
        "a = df.mean()",
        "b = df.groupby('g').median()\nc = num.mean()\nd = df.a.mean()\ne = df.groupby('g')['a'].mean()",
    ]
    repaired = repair(cells, rounds=1)
    assert repaired.cells[1] == "a = df.mean(numeric_only=True)"
    assert repaired.cells[2] == cells[2].replace("median()", "median(numeric_only=True)")
    assert repaired.last.failure is None


@pytest.mark.parametrize("cell", ["r = float('abc') + num.mean().sum()", "r = np.array(['a']).astype(float).mean()"])
def test_errors_about_text_from_elsewhere_are_left_alone(repair: Callable[..., Any], cell: str) -> None:
    assert repair([_START, cell]).cells[1] == cell


@pytest.mark.parametrize(
    ("before", "after", "expression", "value"),
    [
        (
            "y = f['t'].values.reshape((2, 1))\nr = (y == 'x')",
            "y = f['t'].to_numpy().reshape((2, 1))\nr = (y == 'x')",
            "r",
            [[True], [False]],
        ),
        ("r = f.t.values.argpartition(1)", "r = f.t.to_numpy().argpartition(1)", "r", [0, 1]),
        (
            "y = f['n'].values\nr = f['t'].values[:, None].flatten()",
            "y = f['n'].values\nr = f['t'].to_numpy()[:, None].flatten()",
            "r",
            ["x", "y"],
        ),
    ],
)
def test_values_of_text_are_an_array_of_numpy_again(
    repair: Callable[..., Any], before: str, after: str, expression: str, value: object
) -> None:
    start = "import pandas as pd\nf = pd.DataFrame({'n': [1, 2], 't': ['x', 'y']})"
    repaired = repair([start, before])
    assert repaired.cells == [start, after]
    assert repaired.value(expression) == value


def test_an_error_in_a_local_module_leads_to_the_values_of_text_in_a_cell(repair: Callable[..., Any]) -> None:
    cells = [
        "import pandas as pd\nfrom lab import same\nf = pd.DataFrame({'n': [1, 2], 't': ['x', 'y']})",
        "y = f['t'].values.reshape((2, 1))",
        "r = same(y, 'y')",
    ]
    repaired = repair(cells, modules={"lab.py": "def same(labels, one):\n    return (labels == one).astype(float)\n"})
    assert repaired.cells == [cells[0], "y = f['t'].to_numpy().reshape((2, 1))", cells[2]]
    assert repaired.value("r") == [[0.0], [1.0]]


def test_values_of_text_stay_where_another_error_stands(repair: Callable[..., Any]) -> None:
    cells = ["import pandas as pd\nf = pd.DataFrame({'t': ['x', 'y']})\ny = f['t'].values", "raise ValueError('no')"]
    assert repair(cells).cells == cells
