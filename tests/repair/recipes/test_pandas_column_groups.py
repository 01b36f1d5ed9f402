"""Groups of columns: of the transpose's rows, with pieces that keep their dtypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import numpy as np
import pandas as pd
df = pd.DataFrame({'p': [1, 2], 'q': [4, 5], 'r': [7.5, 8.5]}, index=['u', 'v'])
mixed = pd.DataFrame({'a': [1, 2], 'b': [4.5, 5.5], 'c': ['x', 'y'], 'd': [7, 8]})
twice = pd.DataFrame([[1, 2, 3]], columns=['a', 'a', 'b'])
keys = {'p': 'A', 'q': 'A', 'r': 'B'}"""

_KINDS = "mixed.dtypes.map(lambda kind: np.dtype(object) if kind == 'str' else kind)"


# What pandas 0.23 gave.
@pytest.mark.parametrize(
    ("before", "after", "expression", "value"),
    [
        ("r = df.groupby(keys, axis=1).sum()", "r = df.T.groupby(keys).sum().T", "r.values", [[5.0, 7.5], [7.0, 8.5]]),
        (
            "r = df.groupby(axis='columns', by=keys).agg(np.mean)",
            "r = df.T.groupby(by=keys).agg(np.mean).T",
            "r.A.tolist()",
            [2.5, 3.5],
        ),
        (
            "r = df.groupby(len, axis=1).transform('sum')",
            "r = df.T.groupby(len).transform('sum').T",
            "r.p.tolist()",
            [12.5, 15.5],
        ),
        (
            "r = mixed.groupby(dict(a='A', b='A', c='B', d='B'), axis=1).count()",
            "r = mixed.T.groupby(dict(a='A', b='A', c='B', d='B')).count().T",
            "r.values.tolist()",
            [[2, 2], [2, 2]],
        ),
        ("r = df.groupby(keys, axis=1).size()", "r = df.T.groupby(keys).size()", "r.tolist()", [2, 1]),
        ("r = list(df.groupby(keys, axis=1).groups)", "r = list(df.T.groupby(keys).groups)", "r", ["A", "B"]),
        (
            "r = df.groupby(keys, axis=1).get_group('A')",
            "r = df[df.T.groupby(keys).get_group('A').index]",
            "r.dtypes.astype(str).tolist()",
            ["int64", "int64"],
        ),
        (
            "by = df.groupby(keys, axis=1)\nr = by.max()\ns = len(list(by))",
            "by = df.T.groupby(keys)\nr = by.max().T\ns = len([(key, df[rows.index]) for key, rows in by])",
            "[s, *r.A.tolist()]",
            [2, 4.0, 5.0],
        ),
        (
            "r = dict(list(mixed.groupby(mixed.dtypes, axis=1)))",
            f"r = dict([(key, mixed[rows.index]) for key, rows in mixed.T.groupby({_KINDS})])",
            "[(str(key), list(part), part.values.tolist()) for key, part in r.items()]",
            [["int64", ["a", "d"], [[1, 7], [2, 8]]], ["float64", ["b"], [[4.5], [5.5]]], ["object", ["c"], [["x"], ["y"]]]],
        ),
        (
            "r = []\nfor k, part in df.groupby(df.dtypes, axis=1):\n    r.append(part.values)",
            "r = []\nfor k, part in [(key, df[rows.index]) for key, rows in df.T.groupby(df.dtypes)]:\n    r.append(part.values)",
            "r",
            [[[1, 4], [2, 5]], [[7.5], [8.5]]],
        ),
    ],
)
def test_groups_of_columns_give_what_they_gave(
    repair: Callable[..., Any], before: str, after: str, expression: str, value: object
) -> None:
    repaired = repair([_START, before])
    assert repaired.cells[1] == after
    assert repaired.value(expression) == value


@pytest.mark.parametrize(
    "cell",
    [
        "r = list(twice.groupby(['A', 'B', 'A'], axis=1))",
        "r = df.groupby(keys, axis=1).agg(lambda part: part.shape[1])",
        "by = df.groupby(keys, axis=1)\nr = by.describe()",
        "by = df.groupby(keys, axis=1)\nby = by.sum()",
        "r = df.groupby('nowhere').sum()",
        "r = mixed.groupby(dict(a='A', b='A', c='B', d='B'), axis=1).sum()",
        "by = mixed.groupby(dict(a='A', b='A', c='B', d='B'), axis=1)\nr = by.max()",
        "r = df.groupby(keys, axis=1).sum(axis=1)",
        "rows = df.copy()\nr = [part.shape for _, part in rows.groupby(keys, axis=1)]",
        "def tuple(groups):\n    return 7\nr = tuple(df.groupby(keys, axis=1))",
    ],
)
def test_what_rows_would_not_give_is_left_alone(repair: Callable[..., Any], cell: str) -> None:
    assert repair([_START, cell]).cells[1] == cell


def test_groupings_of_other_classes_are_left_alone(repair: Callable[..., Any]) -> None:
    own = "class Own:\n    def groupby(self, keys, axis):\n        return self\n    def sum(self):\n        return 5\nown = Own()"
    repaired = repair([_START, own, "r = own.groupby(keys, axis=1).sum()\ns = df.groupby(keys, axis=1).sum()"])
    assert repaired.cells[2] == "r = own.groupby(keys, axis=1).sum()\ns = df.T.groupby(keys).sum().T"
    assert repaired.value("r") == 5


def test_a_grouping_in_a_name_is_followed_into_other_cells(repair: Callable[..., Any]) -> None:
    cells = ["by = df.groupby(keys, axis=1)", "r = by.sum()", "s = [part.shape for _, part in by]"]
    repaired = repair([_START, *cells])
    pieces = "s = [part.shape for _, part in [(key, df[rows.index]) for key, rows in by]]"
    assert repaired.cells[1:] == ["by = df.T.groupby(keys)", "r = by.sum().T", pieces]
    assert repaired.value("[r.values.tolist(), s]") == [[[5.0, 7.5], [7.0, 8.5]], [[2, 2], [2, 1]]]


def test_a_grouping_is_left_alone_when_its_frame_is_another_by_then(repair: Callable[..., Any]) -> None:
    cells = ["by = df.groupby(keys, axis=1)", "df = mixed", "s = [part.shape for _, part in by]"]
    assert repair([_START, *cells]).cells[1:] == cells
