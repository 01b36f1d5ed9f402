"""Rows and columns that methods picked, and rows by a part of a date."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import numpy as np
import pandas as pd
df = pd.DataFrame({'p': [1, 2, 3], 'q': [4, 6, 5]}, index=list('uvw'))
ts = pd.Series(range(60), index=pd.date_range('2016-01-28', periods=60))
days = ts.to_frame('v')
starts = lambda label: label in ('q', 'w')"""


# What pandas 0.23 gave.
@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("ts.first('3D').tolist()", "ts[ts.index < ts.index[0] + pd.Timedelta(days=3)].tolist()", [0, 1, 2]),
        (
            "(ts  # days\n    .last('1D').tolist())",
            "(ts  # days\n    [ts.index > ts.index[-1] - pd.Timedelta(days=1)].tolist())",
            [59],
        ),
        ("len(ts.first('M'))", "len(ts[ts.index <= ts.index[0] + pd.offsets.MonthEnd(1)])", 4),
        ("days.last('48H').v.tolist()", "days[days.index > days.index[-1] - pd.Timedelta(hours=48)].v.tolist()", [58, 59]),
        ("df.select(starts, axis=1).q.tolist()", "df[[label for label in df.columns if starts(label)]].q.tolist()", [4, 6, 5]),
        ("df.select(lambda i: i > 'u').p.tolist()", "df.loc[[i for i in df.index if i > 'u']].p.tolist()", [2, 3]),
        ("df.loc[df.q.argmax(), 'p']", "df.loc[df.q.idxmax(), 'p']", 2),
        (
            "df.select(lambda i: [i for i in 'ab'] == 3).shape",
            "df.loc[[label for label in df.index if (lambda i: [i for i in 'ab'] == 3)(label)]].shape",
            [0, 2],
        ),
        ("days['2016-02'].v.sum()", "days.loc['2016-02'].v.sum()", 522),
        ("ts.to_frame('v')['2016-01'].v.sum()", "ts.to_frame('v').loc['2016-01'].v.sum()", 6),
        ("[len(days['2016']), days['2016-03-01':].shape[0]]", "[len(days.loc['2016']), days['2016-03-01':].shape[0]]", [60, 27]),
    ],
)
def test_the_same_rows_are_picked(repair: Callable[..., Any], before: str, after: str, value: object) -> None:
    repaired = repair([_START, f"r = {before}"])
    assert repaired.cells[1] == f"r = {after}"
    assert repaired.value("r") == value


@pytest.mark.parametrize(
    "cell",
    [
        "r = ts.first('2B')",
        "r = df.groupby('p').first()",
        "r = df.select(nowhere, axis=1)",
        "r = df.loc[df.q.values.argmax()]",
        "r = df['2016-02']",
        "r = days['2016-02-x']",
        "r = {'a': 1}['2016-02']",
        "days['2016-02']['v'] = 1",
        "days['2016-02']['v'] += 1",
        "days['2016-02'].v = 1",
        "days['2016-02'] = 1\nr = days['2016-03']",
    ],
)
def test_what_picks_nothing_of_that_kind_is_left_alone(repair: Callable[..., Any], cell: str) -> None:
    assert repair([_START, cell]).cells[1] == cell
