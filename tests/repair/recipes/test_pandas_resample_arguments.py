"""Arguments that resample() lost: kinds of index, the base of bins, shifted labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import pandas as pd
ts = pd.Series(range(10), index=pd.date_range('2016-01-28', periods=10))
minutes = pd.Series(range(12), index=pd.date_range('2000-01-01', periods=12, freq='min'))
df = minutes.to_frame('v')
months = pd.Series([1, 2, 3, 4], index=pd.period_range('2016-01', periods=4, freq='M'))"""
_LABELS = "[str(label) for label in r.index]"


# What pandas 0.23 gave.
@pytest.mark.parametrize(
    ("before", "after", "labels", "values"),
    [
        ("ts.resample('M', kind='period').sum()", "ts.to_period('M').resample('M').sum()", ["2016-01", "2016-02"], [6, 39]),
        ("ts.resample('A', how='sum', kind='period')", "ts.to_period('Y').resample('Y').sum()", ["2016"], [45]),
        ("ts.resample('Q-NOV', kind='period').max()", "ts.to_period('Q-NOV').resample('Q-NOV').max()", ["2016Q1"], [9]),
        (
            "ts.resample('M', kind='timestamp').sum()",
            "ts.resample('ME').sum()",
            ["2016-01-31 00:00:00", "2016-02-29 00:00:00"],
            [6, 39],
        ),
        (
            "ts.resample('M', kind=None, base=3).sum().to_period('M')",
            "ts.resample('ME').sum().to_period('M')",
            ["2016-01", "2016-02"],
            [6, 39],
        ),
        ("months.resample('Q', kind='period').sum()", "months.resample('Q').sum()", ["2016Q1", "2016Q2"], [6, 4]),
        (
            "months.resample('Q', kind='timestamp', convention='end').sum()",
            "months.to_timestamp(how='end').resample('QE').sum()",
            ["2016-03-31 00:00:00", "2016-06-30 00:00:00"],
            [6, 4],
        ),
        (
            "ts.to_period('D').resample('M', kind='timestamp').sum()",
            "ts.to_period('D').to_timestamp().resample('ME').sum()",
            ["2016-01-31 00:00:00", "2016-02-29 00:00:00"],
            [6, 39],
        ),
        (
            "minutes.resample('10T', base=12).sum()",
            "minutes.resample('10min', offset='2min').sum()",
            ["1999-12-31 23:52:00", "2000-01-01 00:02:00"],
            [1, 65],
        ),
        ("minutes.resample('10T', base=0).sum()[:1]", "minutes.resample('10min').sum()[:1]", ["2000-01-01 00:00:00"], [45]),
        (
            "minutes.groupby(pd.Grouper(freq='10T', base=2)).sum()",
            "minutes.groupby(pd.Grouper(freq='10min', offset='2min')).sum()",
            ["1999-12-31 23:52:00", "2000-01-01 00:02:00"],
            [1, 65],
        ),
        (
            "minutes.resample('10T', loffset='-1T').mean()",
            "minutes.resample('10min').mean().shift(freq='-1min')",
            ["1999-12-31 23:59:00", "2000-01-01 00:09:00"],
            [4.5, 10.5],
        ),
    ],
)
def test_bins_and_their_labels_are_those_of_old(
    repair: Callable[..., Any], before: str, after: str, labels: list[str], values: list[float]
) -> None:
    repaired = repair([_START, f"r = {before}"])
    assert repaired.cells[1] == f"r = {after}"
    assert repaired.value(_LABELS) == labels
    assert repaired.value("r.tolist()") == values


@pytest.mark.parametrize(
    "cell",
    [
        "r = ts.resample('2M', kind='period')",
        "r = ts.resample('7D', base=1)",
        "r = minutes.resample('10min', loffset='1s')",
        "r = minutes.resample('10min', loffset='1s').agg(['sum', 'mean'])",
        "r = df.resample('10min', loffset='1s').v.mean()",
        "r = ts.resample('12h', loffset='1h').interpolate()",
        "r = ts.groupby(ts.index.month).resample('W', loffset='1D').sum()",
        "class Own:\n    def resample(self, rule, base):\n        return self\nr = Own().resample('5min', base=2)",
        "n = 2\nr = minutes.resample('10min', base=n).sum()",
        "r = minutes.resample('10min', offset='2min').sum()",
    ],
)
def test_bins_that_nothing_gives_are_left_alone(rewrite: Callable[..., Any], cell: str) -> None:
    assert rewrite([_START, cell], recipe="pandas-resample-argument")[1] == cell
