"""Patterns, mixed dates and single values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import pandas as pd
s = pd.Series(['a.b', 'cc.d'])
df = pd.DataFrame({'v': [1, 2]}, index=['p', 'q'])
mixed = ['2016-01-02', '03/04/2016']"""


@pytest.mark.parametrize(
    ("before", "after", "expression", "value"),
    [
        ("r = s.str.split('.', 1)", "r = s.str.split('.', n=1)", "r.tolist()", [["a", "b"], ["cc", "d"]]),
        ("r = pd.to_datetime(mixed)", "r = pd.to_datetime(mixed, format='mixed')", "r.month.tolist()", [1, 3]),
        ("df.set_value('p', 'v', 9)", "df.at['p', 'v'] = 9", "df.v.tolist()", [9, 2]),
        ("df = df.set_value('p', 'v', 9)", "df.at['p', 'v'] = 9", "df.v.tolist()", [9, 2]),
        ("r = df.v\nr.set_value('q', 5)", "r = df.v\nr.at['q'] = 5", "r.tolist()", [1, 5]),
    ],
)
def test_the_result_is_the_old_one(repair: Callable[..., Any], before: str, after: str, expression: str, value: object) -> None:
    repaired = repair([_START, before])
    assert repaired.cells[1] == after
    assert repaired.value(expression) == value


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("s.str.replace('[ab]', '')", "s.str.replace('[ab]', '', regex=True)"),
        ("s.str.replace(r'c+', lambda m: 'x')", "s.str.replace(r'c+', lambda m: 'x', regex=True)"),
        ("s.str.replace('.', '')", "s.str.replace('.', '')"),
        ("s.str.replace('cc', '')", "s.str.replace('cc', '')"),
        ("'a.b'.replace('[a]', '')", "'a.b'.replace('[a]', '')"),
        ("'a b'.split(' ', 1)", "'a b'.split(' ', 1)"),
    ],
)
def test_patterns_are_said_to_be_patterns(rewrite: Callable[..., Any], before: str, after: str) -> None:
    assert rewrite([_START, before])[1] == after
