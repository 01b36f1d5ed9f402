"""Spellings of pandas that are gone: new axes, ranges, categories, values that can't be converted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import numpy as np
import pandas as pd
df = pd.DataFrame({'a': [1, 2], 'g': ['u', 'v']})
s = df['a']
gaps = pd.DataFrame({'t': ['u', 'v', 'w'], 'v': [1, np.nan, 3]})
texts = pd.DataFrame({'n': ['1', 'x'], 't': ['u', 'v']})"""
_NUMBERS = "lambda x: n if x.dtype.kind == 'O' and (n := pd.to_numeric(x, errors='coerce')).notna().any() else x"


# What pandas 0.23 gave.
@pytest.mark.parametrize(
    ("before", "after", "expression", "value"),
    [
        (
            "r = texts.convert_objects(convert_numeric=True)",
            f"r = texts.apply({_NUMBERS})",
            "[r.n[0], r.t.tolist(), str(r.n.dtype)]",
            [1.0, ["u", "v"], "float64"],
        ),
        ("r = texts.n.convert_objects(convert_numeric=True)", f"r = texts.n.pipe({_NUMBERS})", "r[0]", 1.0),
        (
            "r = gaps.interpolate(limit=1)",
            "r = gaps.assign(**gaps.select_dtypes('number').interpolate(limit=1))",
            "[list(r), r.v.tolist(), r.t.tolist()]",
            [["t", "v"], [1, 2, 3], ["u", "v", "w"]],
        ),
        ("r = s[:, None]", "r = s.values[:, None]", "r", [[1], [2]]),
        ("r = df['a'][np.newaxis, :]", "r = df['a'].values[np.newaxis, :]", "r", [[1, 2]]),
        (
            "r = pd.DatetimeIndex(start='2018-01-31', periods=2, freq='D')",
            "r = pd.date_range(start='2018-01-31', periods=2, freq='D')",
            "r.day.tolist()",
            [31, 1],
        ),
        (
            "r = pd.PeriodIndex(start='2018-01', end='2018-03', freq='M')",
            "r = pd.period_range(start='2018-01', end='2018-03', freq='M')",
            "len(r)",
            3,
        ),
        (
            "r = pd.PeriodIndex(year=[2017, 2018], quarter=[4, 1], freq='Q-DEC')",
            "r = pd.PeriodIndex.from_fields(year=[2017, 2018], quarter=[4, 1], freq='Q-DEC')",
            "r.strftime('%YQ%q').tolist()",
            ["2017Q4", "2018Q1"],
        ),
        (
            "r = df['g'].astype('category', categories=['v', 'u'], ordered=True)",
            "r = df['g'].astype(pd.CategoricalDtype(categories=['v', 'u'], ordered=True))",
            "[r.cat.categories.tolist(), r.cat.ordered]",
            [["v", "u"], True],
        ),
        (
            "df['g'] = df['g'].astype('category')\ndf['g'].cat.categories = ['p', 'q']",
            "df['g'] = df['g'].astype('category')\ndf['g'] = df['g'].cat.rename_categories(['p', 'q'])",
            "df['g'].tolist()",
            ["p", "q"],
        ),
        ("df.set_axis(['x', 'y'], axis=1, inplace=True)", "df.columns = ['x', 'y']", "list(df)", ["x", "y"]),
        (
            "s = s.copy()\ns.set_axis(['x', 'y'], inplace=True)",
            "s = s.copy()\ns.index = ['x', 'y']",
            "s.index.tolist()",
            ["x", "y"],
        ),
        ("r = df[['g']].apply(pd.value_counts)", "r = df[['g']].apply(pd.Series.value_counts)", "r.shape", [2, 1]),
        ("r = list(df.columns - ['g'])", "r = list(df.columns.difference(['g']))", "r", ["a"]),
        ("r = pd.DataFrame([[1], [2]], columns={'q'})", "r = pd.DataFrame([[1], [2]], columns=['q'])", "r.q.tolist()", [1, 2]),
        ("r = df.stack(dropna=True)", "r = df.stack().dropna(how='all')", "r.shape", [4]),
        ("r = df.loc[[0, 7], 'a']", "r = df.reindex([0, 7])['a']", "r.fillna(-1).tolist()", [1.0, -1.0]),
        (
            "r = df.to_dict('records'), df.to_dict(outtype='list')",
            "r = df.to_dict('records'), df.to_dict(orient='list')",
            "r[1]['a']",
            [1, 2],
        ),
    ],
)
def test_the_result_is_the_old_one(repair: Callable[..., Any], before: str, after: str, expression: str, value: object) -> None:
    repaired = repair([_START, before])
    assert repaired.cells[1] == after
    assert repaired.value(expression) == value


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("pd.to_numeric(pd.Series(['1', 'x']), errors='ignore').tolist()", ["1", "x"]),
        ("pd.to_numeric(pd.Series(['1', '2']), errors='ignore').tolist()", [1, 2]),
        ("pd.to_datetime('no date', errors='ignore')", "no date"),
        ("df.assign(n=['3', '4']).apply(pd.to_numeric, errors='ignore')['n'].tolist()", [3, 4]),
        ("df.apply(pd.to_numeric, errors='ignore')['g'].tolist()", ["u", "v"]),
    ],
)
def test_values_that_can_not_be_converted_stay(repair: Callable[..., Any], expression: str, value: object) -> None:
    repaired = repair([_START, f"r = {expression}", f"again = {expression}"])
    assert repaired.value("r") == value
    assert [cell.count("def ") for cell in repaired.cells] == [0, 1, 0]


@pytest.mark.parametrize(
    "cell",
    [
        "r = np.arange(2)[:, None]",
        "r = pd.DatetimeIndex(['2018-01-01'], freq='D')",
        "r = df['g'].astype('category')",
        "r = pd.to_numeric(s, errors='coerce')",
        "r = df.rename(columns=str, errors='ignore')",
        "r = df.loc[[0], 'nowhere']",
        "twice = gaps.set_axis(['v', 'v'], axis=1)\nr = twice.interpolate()",
    ],
)
def test_what_is_not_gone_stays(repair: Callable[..., Any], cell: str) -> None:
    assert repair([_START, cell]).cells[1] == cell


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("gaps.stack().shape", "gaps.stack().dropna(how='all').shape", [3]),
        ("gaps.stack(0).shape", "gaps.stack(0).dropna(how='all').shape", [3]),
        ("gaps['u'].pct_change().tolist()[1]", "gaps['u'].ffill().pct_change().tolist()[1]", 0.0),
    ],
)
def test_missing_values_are_treated_as_they_were_where_a_score_asks(
    rewrite: Callable[..., Any], run: Callable[..., Any], before: str, after: str, value: object
) -> None:
    start = f"{_START}\ngaps = pd.DataFrame({{'u': [1.0, None], 'v': [1.0, 2.0]}})"
    cells = rewrite([start, f"r = {before}"], recipe="pandas-missing-values")
    assert cells[1] == f"r = {after}"
    assert run(cells).value("r") == value


@pytest.mark.parametrize(
    "cell",
    ["r = np.stack([s, s])", "r = df.stack(dropna=False)", "r = s.ffill().pct_change()", "r = s.pct_change(fill_method=None)"],
)
def test_what_says_how_missing_values_are_treated_stays(rewrite: Callable[..., Any], cell: str) -> None:
    assert rewrite([_START, cell], recipe="pandas-missing-values")[1] == cell
