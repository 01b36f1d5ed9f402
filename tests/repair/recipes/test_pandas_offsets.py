"""Frequency aliases: the same frequency under its present name, for offsets and for periods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modernizer.repair.recipes.pandas_offsets import OFFSETS, PERIODS, translated

_START = """import pandas as pd
from pandas import Grouper
ts = pd.Series(range(100), index=pd.date_range('2016-01-01', periods=100, freq='D'))
per = ts.to_period('M').groupby(level=0).sum()
df = ts.to_frame('v')"""


@pytest.mark.parametrize(
    ("old", "offset", "period"),
    [
        ("M", "ME", None),
        ("3M", "3ME", None),
        ("A-DEC", "YE-DEC", "Y-DEC"),
        ("Q-NOV", "QE-NOV", None),
        ("2H30T", "2h30min", "2h30min"),
        ("BM", "BME", None),
        ("AS", "YS", None),
        ("BQ", "BQE", None),
        ("D", None, None),
        ("MS", None, None),
        ("W-SUN", None, None),
        ("h", None, None),
        ("min", None, None),
        ("ME", None, None),
        ("-1S", "-1s", "-1s"),
        ("not a freq!", None, None),
    ],
)
def test_aliases_translate_part_by_part(old: str, offset: str | None, period: str | None) -> None:
    assert (translated(old, OFFSETS), translated(old, PERIODS)) == (offset, period)


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("ts.resample('M').sum().tolist()", "ts.resample('ME').sum().tolist()", [465, 1305, 2325, 855]),
        ('ts.resample("M").sum().size', 'ts.resample("ME").sum().size', 4),
        ("ts.resample(rule='A').sum().tolist()", "ts.resample(rule='YE').sum().tolist()", [4950]),
        ("ts[ts > 3].resample('M').sum().size", "ts[ts > 3].resample('ME').sum().size", 4),
        (
            "pd.date_range('2011', periods=2, freq='M').day.tolist()",
            "pd.date_range('2011', periods=2, freq='ME').day.tolist()",
            [31, 28],
        ),
        ("pd.date_range('2011', '2012', None, 'Q').size", "pd.date_range('2011', '2012', None, 'QE').size", 4),
        (
            "pd.date_range('2011', periods=2, freq='H').hour.tolist()",
            "pd.date_range('2011', periods=2, freq='h').hour.tolist()",
            [0, 1],
        ),
        ("df.groupby(pd.Grouper(freq='M')).v.sum().size", "df.groupby(pd.Grouper(freq='ME')).v.sum().size", 4),
        ("df.groupby(Grouper(freq='M')).v.sum().size", "df.groupby(Grouper(freq='ME')).v.sum().size", 4),
        ("ts.asfreq('M').tolist()", "ts.asfreq('ME').tolist()", [30, 59, 90]),
        ("ts.index.floor('H').size", "ts.index.floor('h').size", 100),
        ("ts.shift(1, freq='M').size", "ts.shift(1, freq='ME').size", 100),
        (
            "pd.period_range('2011', periods=2, freq='A').year.tolist()",
            "pd.period_range('2011', periods=2, freq='Y').year.tolist()",
            [2011, 2012],
        ),
        ("pd.Period('2011', freq='A-DEC').year", "pd.Period('2011', freq='Y-DEC').year", 2011),
        ("ts.to_period('A').index.year.max()", "ts.to_period('Y').index.year.max()", 2016),
        ("per.resample('A').sum().tolist()", "per.resample('Y').sum().tolist()", [4950]),
        (
            "pd.to_timedelta([1], unit='T').total_seconds().tolist()",
            "pd.to_timedelta([1], unit='min').total_seconds().tolist()",
            [60.0],
        ),
        ("pd.to_datetime([1], unit='S').second.tolist()", "pd.to_datetime([1], unit='s').second.tolist()", [1]),
        ("ts.rolling('2880T').sum().tolist()[:3]", "ts.rolling('2880min').sum().tolist()[:3]", [0.0, 1.0, 3.0]),
    ],
)
def test_the_frequency_stays_the_same(repair: Callable[..., Any], before: str, after: str, value: object) -> None:
    repaired = repair([_START, f"r = {before}"])
    assert repaired.cells[1] == f"r = {after}"
    assert repaired.value("r") == value


def test_a_frequency_kept_in_a_variable_is_translated_there(repair: Callable[..., Any]) -> None:
    repaired = repair([_START, "how_often = 'M'\nr = ts.resample(how_often).sum().size"])
    assert repaired.cells[1] == "how_often = 'ME'\nr = ts.resample(how_often).sum().size"


def test_periods_keep_their_aliases_and_later_cells_change_at_once(repair: Callable[..., Any]) -> None:
    cells = [
        _START,
        "a = ts.resample('M').sum()",
        "b = per.resample('M').sum()\nc = ts.to_period('M')\nd = df.resample('M').sum()",
    ]
    repaired = repair(cells, rounds=1)
    assert repaired.cells[1] == "a = ts.resample('ME').sum()"
    assert repaired.cells[2] == cells[2].replace("df.resample('M')", "df.resample('ME')")
    assert repaired.last.failure is None


@pytest.mark.parametrize(
    "cell",
    [
        "r = round(3.7)\nq = 'abc'.replace('M', 'A')",
        "class S:\n    def resample(self, r):\n        return r\nr = S().resample('M')",
    ],
)
def test_other_calls_are_left_alone(repair: Callable[..., Any], cell: str) -> None:
    assert repair([_START, f"{cell}\nq = ts.resample('M')"]).cells[1] == f"{cell}\nq = ts.resample('ME')"
