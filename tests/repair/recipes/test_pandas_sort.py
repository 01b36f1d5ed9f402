"""sort() of pandas objects: what sorted in place still does, what gave a copy still does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import numpy as np
import pandas as pd
df = pd.DataFrame({'a': [2, 1, 2], 'b': [1, 5, 0]}, index=[2, 0, 1])
s = pd.Series([3, 1, 2], index=list('xyz'))"""


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("r = df.sort('a').a.tolist()", "r = df.sort_values('a').a.tolist()", [1, 2, 2]),
        ("r = df.sort(columns='b').b.tolist()", "r = df.sort_values(by='b').b.tolist()", [0, 1, 5]),
        (
            "r = df.sort(['a', 'b'], ascending=[0, 1]).b.tolist()",
            "r = df.sort_values(['a', 'b'], ascending=[0, 1]).b.tolist()",
            [0, 1, 5],
        ),
        ("r = df.sort().index.tolist()", "r = df.sort_index().index.tolist()", [0, 1, 2]),
        ("df.sort('b', inplace=True)\nr = df.b.tolist()", "df.sort_values('b', inplace=True)\nr = df.b.tolist()", [0, 1, 5]),
        ("r = df.sort_index(by='b').b.tolist()", "r = df.sort_values(by='b').b.tolist()", [0, 1, 5]),
        ("s.sort()\nr = s.tolist()", "s.sort_values(inplace=True)\nr = s.tolist()", [1, 2, 3]),
        ("s.sort(ascending=False)\nr = s.tolist()", "s.sort_values(ascending=False, inplace=True)\nr = s.tolist()", [3, 2, 1]),
        ("r = s.sort(inplace=False).tolist()", "r = s.sort_values().tolist()", [1, 2, 3]),
    ],
)
def test_sorts_as_it_did(repair: Callable[..., Any], before: str, after: str, value: object) -> None:
    repaired = repair([_START, before])
    assert repaired.cells[1] == after
    assert repaired.value("r") == value


@pytest.mark.parametrize("cell", ["x = [3, 1]\nx.sort()", "x = np.array([3, 1])\nx.sort()", "r = df.sort_index()"])
def test_sort_of_lists_and_arrays_is_left_alone(repair: Callable[..., Any], cell: str) -> None:
    repaired = repair([_START, f"{cell}\ns.sort()"])
    assert repaired.cells[1] == f"{cell}\ns.sort_values(inplace=True)"
