"""Positional arguments of pandas methods, named by their old order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import io
import numpy as np
import pandas as pd
df = pd.DataFrame({'a': [2, 1, 2], 'b': [1, 5, 0], 'k': list('xyx')})
ts = pd.Series(range(4), index=pd.date_range('2016-01-01', periods=4))"""


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("df.drop('a', 1).columns.tolist()", "df.drop('a', axis=1).columns.tolist()", ["b", "k"]),
        ("df.drop(['a', 'b'], 1, inplace=False).shape", "df.drop(['a', 'b'], axis=1, inplace=False).shape", [3, 1]),
        ("df.drop([0], 0).shape", "df.drop([0], axis=0).shape", [2, 3]),
        ("df.dropna(0).shape", "df.dropna(axis=0).shape", [3, 3]),
        ("df.dropna(1, 'any').shape", "df.dropna(axis=1, how='any').shape", [3, 3]),
        ("df[['a', 'b']].any(1).tolist()", "df[['a', 'b']].any(axis=1).tolist()", [True, True, True]),
        ("df.sort_values('a', 0, False).a.tolist()", "df.sort_values('a', axis=0, ascending=False).a.tolist()", [2, 2, 1]),
        ("df.sort_index(1).columns.tolist()", "df.sort_index(axis=1).columns.tolist()", ["a", "b", "k"]),
        ("df.set_index('k', False).shape", "df.set_index('k', drop=False).shape", [3, 3]),
        ("df.pivot('b', 'k', 'a').shape", "df.pivot(index='b', columns='k', values='a').shape", [3, 2]),
        ("df.drop_duplicates(['k'], 'last').a.tolist()", "df.drop_duplicates(['k'], keep='last').a.tolist()", [1, 2]),
        ("pd.concat([df, df], 1).shape", "pd.concat([df, df], axis=1).shape", [3, 6]),
        (
            "pd.read_csv(io.StringIO('a;b\\n1;2'), ';').b.tolist()",
            "pd.read_csv(io.StringIO('a;b\\n1;2'), sep=';').b.tolist()",
            [2],
        ),
        (
            "df.rename({'a': 'z'}, None, None, 1).columns[0]",
            "df.rename({'a': 'z'}, index=None, columns=None, axis=1).columns[0]",
            "z",
        ),
    ],
)
def test_positions_get_the_names_they_had(repair: Callable[..., Any], before: str, after: str, value: object) -> None:
    repaired = repair([_START, f"r = {before}"])
    assert repaired.cells[1] == f"r = {after}"
    assert repaired.value("r") == value


def test_all_cells_change_at_once_but_other_objects_do_not(repair: Callable[..., Any]) -> None:
    cells = [_START, "a = df.drop('a', 1)", "x = np.ones((2, 2)).any(1)\nb = a.drop('b', 1)", "c = df.a.max()"]
    repaired = repair(cells, rounds=1)
    assert repaired.cells[1:3] == ["a = df.drop('a', axis=1)", "x = np.ones((2, 2)).any(1)\nb = a.drop('b', axis=1)"]


def test_a_call_over_several_lines_keeps_its_layout(repair: Callable[..., Any]) -> None:
    repaired = repair([_START, "r = df.drop(\n    'a',  # not wanted\n    1,\n).shape"])
    assert repaired.cells[1] == "r = df.drop(\n    'a',  # not wanted\n    axis=1,\n).shape"


def test_positions_that_only_warn_are_left_alone(repair: Callable[..., Any]) -> None:
    cells = [_START, "a = df[['a', 'b']].mean(1)\nb = df.drop('a', 1)"]
    assert repair(cells).cells[1] == "a = df[['a', 'b']].mean(1)\nb = df.drop('a', axis=1)"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("r = df.set_index(ts.index[:3]).groupby(pd.TimeGrouper('M')).a.sum().tolist()", "pd.Grouper(freq='ME')"),
        ("r = df.set_index(ts.index[:3]).groupby(pd.TimeGrouper(freq='M')).a.sum().tolist()", "pd.Grouper(freq='ME')"),
    ],
)
def test_a_time_grouper_goes_by_its_frequency(repair: Callable[..., Any], before: str, after: str) -> None:
    repaired = repair([_START, before])
    assert after in repaired.cells[1]
    assert repaired.value("r") == [5]
