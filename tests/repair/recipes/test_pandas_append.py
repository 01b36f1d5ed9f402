"""DataFrame.append and Series.append become pandas.concat; list.append stays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import numpy as np
import pandas as pd
df = pd.DataFrame({'a': [1, 2]})
more = pd.DataFrame({'a': [3]})
s = pd.Series([1, 2])
row = {'a': 9}
line = pd.Series({'a': 7}, name='seven')
frames = [more, more]"""


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("df.append(more)", "pd.concat([df, more])", {"a": [1, 2, 3]}),
        (
            "df.append(more, ignore_index=True).index.tolist()",
            "pd.concat([df, more], ignore_index=True).index.tolist()",
            [0, 1, 2],
        ),
        ("df.append(more, True).index.tolist()", "pd.concat([df, more], ignore_index=True).index.tolist()", [0, 1, 2]),
        ("df.append(more, ignore_index=False)", "pd.concat([df, more])", {"a": [1, 2, 3]}),
        (
            "df.append({'a': 5}, ignore_index=True)",
            "pd.concat([df, pd.DataFrame([{'a': 5}])], ignore_index=True)",
            {"a": [1, 2, 5]},
        ),
        ("df.append(row, ignore_index=True)", "pd.concat([df, pd.DataFrame([row])], ignore_index=True)", {"a": [1, 2, 9]}),
        ("df.append(line).index.tolist()", "pd.concat([df, pd.DataFrame([line])]).index.tolist()", [0, 1, "seven"]),
        ("df.append([more, more])", "pd.concat([df, *[more, more]])", {"a": [1, 2, 3, 3]}),
        ("df.append(frames)", "pd.concat([df, *frames])", {"a": [1, 2, 3, 3]}),
        (
            "df.append([row, row], ignore_index=True)",
            "pd.concat([df, pd.DataFrame([row, row])], ignore_index=True)",
            {"a": [1, 2, 9, 9]},
        ),
        ("df.append(pd.DataFrame({'a': [4]}))", "pd.concat([df, pd.DataFrame({'a': [4]})])", {"a": [1, 2, 4]}),
        ("s.append(pd.Series([3])).tolist()", "pd.concat([s, pd.Series([3])]).tolist()", [1, 2, 3]),
        ("s.append([s, s]).tolist()", "pd.concat([s, *[s, s]]).tolist()", [1, 2, 1, 2, 1, 2]),
        ("df.append(df[df.a > 1]).append(more)", "pd.concat([pd.concat([df, df[df.a > 1]]), more])", {"a": [1, 2, 2, 3]}),
    ],
)
def test_append_joins_the_same_rows(repair: Callable[..., Any], before: str, after: str, value: object) -> None:
    repaired = repair([_START, f"r = {before}"])
    assert repaired.cells[1] == f"r = {after}"
    assert repaired.value("r") == value


def test_list_append_beside_it_is_left_alone(repair: Callable[..., Any]) -> None:
    repaired = repair(
        [_START, "out = []\nfor i in range(2):\n    out.append(i)\n    df = df.append(more)\nnames = []\nnames.append('x')"]
    )
    assert repaired.cells[1] == (
        "out = []\nfor i in range(2):\n    out.append(i)\n    df = pd.concat([df, more])\nnames = []\nnames.append('x')"
    )
    assert repaired.value("(out, df['a'].tolist())") == [[0, 1], [1, 2, 3, 3]]


def test_rows_are_collected_in_a_loop(repair: Callable[..., Any]) -> None:
    cell = "t = pd.DataFrame(columns=['k', 'v'])\nfor k in 'xy':\n    t = t.append({'k': k, 'v': 1}, ignore_index=True)"
    assert repair([_START, cell]).value("t.values.tolist()") == [["x", 1], ["y", 1]]


def test_what_is_appended_must_be_known(repair: Callable[..., Any]) -> None:
    cell = "def anything():\n    return more\nr = df.append(anything())"
    assert repair([_START, cell]).cells[1] == cell


def test_pandas_is_imported_where_no_name_is_bound_to_it(repair: Callable[..., Any]) -> None:
    repaired = repair(["from pandas import DataFrame\ndf = DataFrame({'a': [1]})", "r = df.append(df)"])
    assert repaired.cells[1] == "import pandas\nr = pandas.concat([df, df])"
    assert repaired.value("r.a.tolist()") == [1, 1]
