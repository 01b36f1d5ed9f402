"""Durations in units that they are not converted to any more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import numpy as np
import pandas as pd
t = pd.Series(pd.to_timedelta(['36h', '-36h', '400 days', None]))
a = pd.to_datetime(pd.Series(['2016-01-05', '2017-03-02']))"""


# What pandas 0.23 gave; the last value is missing.
@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("t.astype('timedelta64[D]')", "(t // pd.Timedelta(days=1)).astype(float)", [1.0, -2.0, 400.0]),
        ("t.astype('<m8[h]')", "(t // pd.Timedelta(hours=1)).astype(float)", [36.0, -36.0, 9600.0]),
        ("t.astype(dtype='timedelta64[Y]')", "(t // pd.Timedelta(seconds=31556952)).astype(float)", [0.0, -1.0, 1.0]),
        ("t / np.timedelta64(1, 'M')", "t / pd.Timedelta(seconds=2629746)", [0.04928, -0.04928, 13.14195]),
        (
            "t[:1] / np.timedelta64(1, 'M') + np.timedelta64(3, 'M') / np.timedelta64(1, 'M')",
            "t[:1] / pd.Timedelta(seconds=2629746) + np.timedelta64(3, 'M') / np.timedelta64(1, 'M')",
            [3.04928],
        ),
        (
            "(a - a.min()).astype('timedelta64[M]') + 1",
            "((a - a.min()) // pd.Timedelta(seconds=2629746)).astype(float) + 1",
            [1.0, 14.0],
        ),
    ],
)
def test_durations_are_the_numbers_that_they_were(repair: Callable[..., Any], before: str, after: str, value: object) -> None:
    repaired = repair([_START, f"r = {before}"])
    assert repaired.cells[1] == f"r = {after}"
    assert repaired.value("r.dropna().round(5).tolist()") == value


@pytest.mark.parametrize(
    "cell",
    [
        "r = t.astype('timedelta64[ms]')",
        "r = t / np.timedelta64(1, 'D')",
        "r = t / np.timedelta64(3, 'M')",
        "r = pd.to_timedelta([1], unit='M')",
    ],
)
def test_other_units_are_left_alone(repair: Callable[..., Any], cell: str) -> None:
    assert repair([_START, cell]).cells[1] == cell
