"""Filling, resampling, levels and windows: the present methods give what the old arguments and functions gave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import numpy as np
import pandas as pd
nan = float('nan')
s = pd.Series([1.0, nan, 3.0, nan])
df = pd.DataFrame({'a': s, 'b': [nan, 2.0, nan, 4.0]})
ts = pd.Series([1.0, 2, 3, 4], index=pd.date_range('2016-01-01', periods=4, freq='D'))
days = ts.to_frame().T
mixed = pd.DataFrame({'a': [1], 'b': [2.5]})
class Own:
    def rolling(self, width, axis): return self
    def sum(self, level): return 3
    def to_dict(self, orient): return orient
own = Own()
two = pd.Series([1, 2, 3, 4], index=pd.MultiIndex.from_product([['x', 'y'], [1, 2]], names=['k', 'n']))
wide = two.unstack('n').T
wide.columns = pd.MultiIndex.from_tuples([('p', 'x'), ('p', 'y')])
v = np.array([1.0, 2.0, 4.0])
n = pd.Series([1.0, 2, 4, 8])"""


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("s.fillna(method='ffill').tolist()", "s.ffill().tolist()", [1.0, 1.0, 3.0, 3.0]),
        ("s.fillna(method='pad', limit=1).tolist()", "s.ffill(limit=1).tolist()", [1.0, 1.0, 3.0, 3.0]),
        ("df.fillna(method='bfill', axis=0).b.tolist()", "df.bfill(axis=0).b.tolist()", [2.0, 2.0, 4.0, 4.0]),
        ("df.fillna(axis=1, method='ffill').b.tolist()", "df.ffill(axis=1).b.tolist()", [1.0, 2.0, 3.0, 4.0]),
        ("df.fillna(value=None, method='ffill').a.tolist()", "df.ffill().a.tolist()", [1.0, 1.0, 3.0, 3.0]),
        ("s.pct_change(fill_method='ffill').tolist()[1:]", "s.ffill().pct_change().tolist()[1:]", [0.0, 2.0, 0.0]),
        (
            "df.rolling(2, axis=1, min_periods=1).sum().b.tolist()",
            "df.T.rolling(2, min_periods=1).sum().T.b.tolist()",
            [1.0, 2.0, 3.0, 4.0],
        ),
        ("days.resample('2D', axis='columns').mean().values[0]", "days.T.resample('2D').mean().T.values[0]", [1.5, 3.5]),
        ("df.rolling(2, axis=0).sum().a.isna().all()", "df.rolling(2).sum().a.isna().all()", True),
        ("days.to_dict('r')[0][ts.index[1]]", "days.to_dict('records')[0][ts.index[1]]", 2.0),
        ("days.set_axis(list('abcd'), axis=1, inplace=False).d[0]", "days.set_axis(list('abcd'), axis=1).d[0]", 4.0),
        ("ts.resample('2D', how='sum').tolist()", "ts.resample('2D').sum().tolist()", [3.0, 7.0]),
        ("ts.resample('2D', 'mean').tolist()", "ts.resample('2D').mean().tolist()", [1.5, 3.5]),
        ("ts.resample('2D', how=np.max).tolist()", "ts.resample('2D').max().tolist()", [2.0, 4.0]),
        ("ts.resample('2D', how=['min', 'max']).shape", "ts.resample('2D').agg(['min', 'max']).shape", [2, 2]),
        ("ts.resample('12h', fill_method='ffill').tolist()[:3]", "ts.resample('12h').ffill().tolist()[:3]", [1.0, 1.0, 2.0]),
        ("two.sum(level='k').tolist()", "two.groupby(level='k', sort=False).sum().tolist()", [3, 7]),
        ("two.max(level=1).tolist()", "two.groupby(level=1, sort=False).max().tolist()", [3, 4]),
        ("wide.sum(axis=1, level=0).p.tolist()", "wide.T.groupby(level=0, sort=False).sum().T.p.tolist()", [4, 6]),
        ("pd.rolling_mean(n, 2).tolist()[1:]", "n.rolling(2).mean().tolist()[1:]", [1.5, 3.0, 6.0]),
        (
            "pd.rolling_sum(n, window=2, min_periods=1).tolist()",
            "n.rolling(2, min_periods=1).sum().tolist()",
            [1.0, 3.0, 6.0, 12.0],
        ),
        ("pd.rolling_std(n * 2, 2).round(2).tolist()[1:]", "(n * 2).rolling(2).std().round(2).tolist()[1:]", [1.41, 2.83, 5.66]),
        ("pd.rolling_mean(v, 2).tolist()[1:]", "pd.Series(v).rolling(2).mean().values.tolist()[1:]", [1.5, 3.0]),
        (
            "pd.rolling_apply(n, 2, lambda w: w[0]).tolist()[1:]",
            "n.rolling(2).apply(lambda w: w[0], raw=True).tolist()[1:]",
            [1.0, 2.0, 4.0],
        ),
        ("pd.rolling_corr(n, n * 2, 3).tolist()[2:]", "n.rolling(3).corr(n * 2).tolist()[2:]", [1.0, 1.0]),
        ("pd.expanding_max(n).tolist()", "n.expanding().max().tolist()", [1.0, 2.0, 4.0, 8.0]),
        ("pd.ewma(n, span=3).round(3).tolist()", "n.ewm(span=3).mean().round(3).tolist()", [1.0, 1.667, 3.0, 5.667]),
        ("pd.ewma(n, 1).round(3).tolist()", "n.ewm(com=1).mean().round(3).tolist()", [1.0, 1.667, 3.0, 5.667]),
    ],
)
def test_the_values_are_the_old_ones(repair: Callable[..., Any], before: str, after: str, value: object) -> None:
    repaired = repair([_START, f"r = {before}"])
    assert repaired.cells[1] == f"r = {after}"
    assert repaired.value("r") == pytest.approx(value)


def test_filling_in_place_stays_in_place(repair: Callable[..., Any]) -> None:
    repaired = repair([_START, "df.fillna(method='ffill', inplace=True)"])
    assert repaired.cells[1] == "df.ffill(inplace=True)"
    assert repaired.value("df.a.tolist()") == [1.0, 1.0, 3.0, 3.0]


@pytest.mark.parametrize(
    "cell",
    [
        "r = s.fillna(0)",
        "r = mixed.rolling(2, axis=1).sum()",
        "r = df.rolling(2, axis=1).count()",
        "r = own.rolling(2, axis=1).sum()",
        "r = own.sum(level=0)",
        "r = two.groupby(level='k').sum()",
        "r = ts.resample('2D').mean()",
    ],
)
def test_present_spellings_are_left_alone(rewrite: Callable[..., Any], cell: str) -> None:
    assert rewrite([_START, cell])[1] == cell


def test_an_orient_of_another_class_stays(repair: Callable[..., Any]) -> None:
    repaired = repair([_START, "r = own.to_dict('r'), df.to_dict('r')[1]['b']"])
    assert repaired.cells[1] == "r = own.to_dict('r'), df.to_dict('records')[1]['b']"
    assert repaired.value("r") == ["r", 2.0]
