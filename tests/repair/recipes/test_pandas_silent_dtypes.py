"""Tests for ``object`` and integers of times, which pandas 3 changes without an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import numpy as np
import pandas as pd
df = pd.DataFrame({'t': ['u', 'v'], 'n': [1, 2], 'o': [1, 'x']})
when = pd.to_datetime(pd.Series(['1970-01-01 00:00:04', '1970-01-01 00:00:08']))
days = pd.DatetimeIndex(when)"""


# What pandas 0.23 gave for the code before.
@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("[c for c in df if df[c].dtype == object]", "[c for c in df if df[c].dtype in (object, 'str')]", ["t", "o"]),
        ("[c for c in df if df[c].dtype == 'object']", "[c for c in df if df[c].dtype in ('object', 'str')]", ["t", "o"]),
        ("[c for c in df if 'O' != df[c].dtype]", "[c for c in df if df[c].dtype not in ('O', 'str')]", ["n"]),
        ("[c for c in df if df.dtypes[c] == np.object_]", "[c for c in df if df.dtypes[c] in (np.object_, 'str')]", ["t", "o"]),
        (
            "[c for c in df if df[c].dtype.name == 'object']",
            "[c for c in df if df[c].dtype.name in ('object', 'str')]",
            ["t", "o"],
        ),
        (
            "[c for c in df if str(df[c].dtype) == 'object']",
            "[c for c in df if str(df[c].dtype) in ('object', 'str')]",
            ["t", "o"],
        ),
        ("list(df.columns[df.dtypes == object])", "list(df.columns[(df.dtypes == object) | (df.dtypes == 'str')])", ["t", "o"]),
        ("list(df.columns[df.dtypes != 'O'])", "list(df.columns[(df.dtypes != 'O') & (df.dtypes != 'str')])", ["n"]),
        ("(df.dtypes == object).sum()", "((df.dtypes == object) | (df.dtypes == 'str')).sum()", 2),
        ("when.astype('int64') // 10**9", "when.astype('datetime64[ns]').astype('int64') // 10**9", {"0": 4, "1": 8}),
        ("when.values.astype(np.int64) / 1e9", "when.values.astype('datetime64[ns]').astype(np.int64) / 1e9", [4.0, 8.0]),
        ("days.astype(int).values // 1000000", "days.astype('datetime64[ns]').astype(int).values // 1000000", [4000, 8000]),
        ("days.asi8 // 10**9", "days.as_unit('ns').asi8 // 10**9", [4, 8]),
        (
            "(when - when[0]).astype('int64') / 10**9",
            "(when - when[0]).astype('timedelta64[ns]').astype('int64') / 10**9",
            {"0": 0.0, "1": 4.0},
        ),
        ("days.astype('int64')[0]", "days.astype('datetime64[ns]').astype('int64')[0]", 4 * 10**9),
    ],
)
def test_the_old_meaning_is_spelled_out(
    rewrite: Callable[..., Any], run: Callable[..., Any], before: str, after: str, value: object
) -> None:
    cells = rewrite([_START, f"r = {before}"])
    assert cells[1] == f"r = {after}"
    assert run(cells).value("r") == value


@pytest.mark.parametrize(
    "cell",
    [
        "r = df['n'].dtype == 'int64'",
        "r = kind == object",
        "r = df['n'].astype('int64')",
        "r = df['n'] // 10**9",
        "r = when.astype('datetime64[ns]').astype('int64') // 10**9",
        "object = 3\nr = df['n'].dtype == object",
    ],
)
def test_other_code_stays(rewrite: Callable[..., Any], cell: str) -> None:
    assert rewrite([_START, cell])[1] == cell


def test_an_error_about_text_shows_that_the_test_should_have_found_it(repair: Callable[..., Any]) -> None:
    cells = [
        _START
        + "\nfrom sklearn.preprocessing import LabelEncoder\nfrom sklearn.linear_model import LinearRegression\ndel df['o']",
        "for c in df.columns:\n    if df[c].dtype == 'object':\n        df[c] = LabelEncoder().fit_transform(df[c])",
        "m = LinearRegression().fit(df, [0.0, 1.0])",
    ]
    repaired = repair(cells)
    assert "df[c].dtype in ('object', 'str')" in repaired.cells[1]
    assert repaired.value("m.coef_.round(2)") == [0.5, 0.5]


def test_another_error_changes_nothing(repair: Callable[..., Any]) -> None:
    cells = [_START, "r = [c for c in df if df[c].dtype == object]", "df.nowhere"]
    assert repair(cells).cells == cells
