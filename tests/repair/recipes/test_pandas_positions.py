"""Positions between the brackets of a series with labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import numpy as np
import pandas as pd
s = pd.Series([1.5, 2.5, 3.5], index=list('xyz'))
t = pd.Series([1, 2, 3], index=pd.date_range('2016-01-01', periods=3))
ints = pd.Series([1, 2, 3], index=[2, 1, 0])
mixed = pd.Series([7, 8], index=pd.Index(['a', 'b'], dtype=object))
class Fit:
    params = s
    def fit(self):
        return self
fit = Fit()
i = 2"""


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("s[0]", "s.iloc[0]", 1.5),
        ("s[-1]", "s.iloc[-1]", 3.5),
        ("t[0] + t[2]", "t.iloc[0] + t.iloc[2]", 4),
        ("s[i]", "s.iloc[i]", 3.5),
        ("s[[0, 2]].tolist()", "s.iloc[[0, 2]].tolist()", [1.5, 3.5]),
        ("mixed[0]", "mixed.iloc[0]", 7),
        ("fit.params[1]", "fit.params.iloc[1]", 2.5),
        ("fit.fit().params[1]", "fit.fit().params.iloc[1]", 2.5),
        ("[s[k] for k in range(2)]", "[s.iloc[k] for k in range(2)]", [1.5, 2.5]),
        ("s.to_frame().apply(lambda c: c[0]).tolist()", "s.to_frame().apply(lambda c: c.iloc[0]).tolist()", [1.5]),
        ("(ints[0], s[0], [4, 5][0])", "(ints[0], s.iloc[0], [4, 5][0])", [3, 1.5, 4]),
        ("s['x'] + s[1]", "s['x'] + s.iloc[1]", 4.0),
        ("s.tolist()[0] + s[0]", "s.tolist()[0] + s.iloc[0]", 3.0),
        ("(s.astype(str).str[0].tolist(), s[0])", "(s.astype(str).str[0].tolist(), s.iloc[0])", [["1", "2", "3"], 1.5]),
        ("s[np.int64(1)]", "s.iloc[np.int64(1)]", 2.5),
    ],
)
def test_a_position_is_looked_up_by_position(repair: Callable[..., Any], before: str, after: str, value: object) -> None:
    repaired = repair([_START, f"r = {before}"])
    assert repaired.cells[1] == f"r = {after}"
    assert repaired.value("r") == value


@pytest.mark.parametrize("cell", ["r = ints[9]", "r = {0: 1}[5]", "r = s.to_frame()[0]"])
def test_a_missing_label_is_no_position(repair: Callable[..., Any], cell: str) -> None:
    assert repair([_START, cell]).cells[1] == cell


def test_a_cell_that_ran_is_left_alone_although_its_name_means_another_object_now(repair: Callable[..., Any]) -> None:
    cells = [_START, "x = ints\nr = x[0]", "x = s", "q = x[0]"]
    assert repair(cells).cells[1:] == [*cells[1:3], "q = x.iloc[0]"]


# Every cell ends in a call that is gone, as writing to a new label raises nothing. What pandas 0.23 gave.
@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("s[-1] = 9", "s.iloc[-1] = 9", [1.5, 2.5, 9.0]),
        ("t[0] += 5", "t.iloc[0] += 5", [6, 2, 3]),
        ("s[0], s[1] = 8, 9", "s.iloc[0], s.iloc[1] = 8, 9", [8.0, 9.0, 3.5]),
        ("for k in range(2):\n    s[k] = k", "for k in range(2):\n    s.iloc[k] = k", [0.0, 1.0, 3.5]),
        ("s = pd.Series({'a': 1, 'b': 2}).copy()\ns[1] = 7", "s = pd.Series({'a': 1, 'b': 2}).copy()\ns.iloc[1] = 7", [1, 7]),
    ],
)
def test_a_position_is_written_by_position(repair: Callable[..., Any], before: str, after: str, value: object) -> None:
    name = "t" if before.startswith("t") else "s"
    repaired = repair([_START, f"{before}\nnp.product([1])"])
    assert repaired.cells[1] == f"{after}\nnp.prod([1])"
    assert repaired.value(f"{name}.tolist()") == value


@pytest.mark.parametrize(
    "cell",
    [
        "ints[9] = 1",
        "s['w'] = 1",
        "d = {'a': 1}\nd[0] = 2",
        "s.index = [5, 6, 7]\ns[0] = 1",
        "a = np.zeros(2)\na[0] = 1",
        "def write(s):\n    s[0] = 1",
        "for k in range(2):\n    k = s.index[k]\n    s[k] = 1",
        "q = pd.Series([1], index=unknown)\nq[0] = 1",
    ],
)
def test_a_label_is_written_as_a_label(rewrite: Callable[..., Any], cell: str) -> None:
    assert rewrite([_START, cell], recipe="pandas-position-write")[1] == cell
