"""Columns and keys of groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = "import pandas as pd\ndf = pd.DataFrame({'g': ['x', 'x', 'y'], 'a': [1, 2, 3], 'b': [4, 5, 6]})"


# What pandas 0.23 gave.
@pytest.mark.parametrize(
    ("before", "after", "expression", "value"),
    [
        ("r = df.groupby('g')['a', 'b'].sum()", "r = df.groupby('g')[['a', 'b']].sum()", "r.values", [[3, 9], [3, 6]]),
        ("r = df.groupby(['g']).get_group('x')", "r = df.groupby('g').get_group('x')", "r.shape", [2, 3]),
        (
            "r = df.groupby('g').apply(lambda part: part['g'].iloc[0] * part['a'].sum())",
            "r = df.groupby('g')[list(df.columns)].apply(lambda part: part['g'].iloc[0] * part['a'].sum())",
            "r.tolist()",
            ["xxx", "yyy"],
        ),
        (
            "def first(part):\n    return part.g.iloc[0]\nr = df.groupby(['g', 'a']).apply(first)",
            "def first(part):\n    return part.g.iloc[0]\nr = df.groupby(['g', 'a'])[list(df.columns)].apply(first)",
            "r.tolist()",
            ["x", "x", "y"],
        ),
    ],
)
def test_groups_give_what_they_gave(repair: Callable[..., Any], before: str, after: str, expression: str, value: object) -> None:
    repaired = repair([_START, before])
    assert repaired.cells[1] == after
    assert repaired.value(expression) == value


@pytest.mark.parametrize(
    "cell",
    [
        "r = df.groupby('g').apply(lambda part: part['a'].sum())",
        "r = df.groupby('g').apply(lambda part: part['nowhere'])",
        "r = df.groupby(['g', 'a']).get_group('x')",
        "r = df.loc['x', 'a']",
    ],
)
def test_other_errors_are_left_alone(repair: Callable[..., Any], cell: str) -> None:
    assert repair([_START, cell]).cells[1] == cell
