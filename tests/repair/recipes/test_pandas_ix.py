""".ix by the live index: labels stay labels, positions positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import numpy as np
import pandas as pd
text = pd.DataFrame({'a': [1, 2, 3], 'b': [4, 5, 6]}, index=list('xyz'))
ints = pd.DataFrame({'a': [1, 2, 3], 'b': [4, 5, 6]}, index=[10, 20, 30])
days = pd.DataFrame({'v': [1, 2, 3]}, index=pd.date_range('2016-02-01', periods=3))
wide = pd.DataFrame(np.arange(6).reshape(2, 3), index=['p', 'q'])
s = pd.Series([1, 2, 3], index=list('xyz'))
two = pd.DataFrame({'v': [1, 2, 3]}, index=pd.MultiIndex.from_tuples([(5, 'a'), (5, 'b'), (6, 'a')]))
i, n, key, mask, many = 1, np.int64(2), 'y', text.a > 1, ['x', 'z']
tree = {'leaves': [2, 0]}"""


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("text.ix[0].tolist()", "text.iloc[0].tolist()", [1, 4]),
        ("text.reset_index().ix[1, 'b']", "text.reset_index().loc[1, 'b']", 5),
        ("[text.ix[j, 1] for j in range(2)]", "[text.iloc[j, 1] for j in range(2)]", [4, 5]),
        ("text.ix['y'].tolist()", "text.loc['y'].tolist()", [2, 5]),
        ("text.ix[0:2].a.tolist()", "text.iloc[0:2].a.tolist()", [1, 2]),
        ("text.ix['x':'y'].a.tolist()", "text.loc['x':'y'].a.tolist()", [1, 2]),
        ("text.ix[[0, 2]].a.tolist()", "text.iloc[[0, 2]].a.tolist()", [1, 3]),
        ("text.ix[tree['leaves'][::-1]].a.tolist()", "text.iloc[tree['leaves'][::-1]].a.tolist()", [1, 3]),
        ("text.ix[many].a.tolist()", "text.loc[many].a.tolist()", [1, 3]),
        ("text.ix[:, 'a'].tolist()", "text.loc[:, 'a'].tolist()", [1, 2, 3]),
        ("text.ix[:, 1].tolist()", "text.iloc[:, 1].tolist()", [4, 5, 6]),
        ("text.ix[:, :1].a.tolist()", "text.iloc[:, :1].a.tolist()", [1, 2, 3]),
        ("text.ix[1, 'b']", "text.loc[text.index[1], 'b']", 5),
        ("text.ix[0:2, 'b'].tolist()", "text.loc[text.index[0:2], 'b'].tolist()", [4, 5]),
        ("text.ix['z', 0]", "text.loc['z', text.columns[0]]", 3),
        ("text.ix[-1, -1]", "text.iloc[-1, -1]", 6),
        ("text.ix[mask, 'a'].tolist()", "text.loc[mask, 'a'].tolist()", [2, 3]),
        ("text.ix[text.a > 2, ['b']].b.tolist()", "text.loc[text.a > 2, ['b']].b.tolist()", [6]),
        ("text.ix[mask, 0].tolist()", "text.loc[mask, text.columns[0]].tolist()", [2, 3]),
        ("text.ix[i, 0]", "text.iloc[i, 0]", 2),
        ("text.ix[n].tolist()", "text.iloc[n].tolist()", [3, 6]),
        ("text.ix[key].tolist()", "text.loc[key].tolist()", [2, 5]),
        ("text.ix[len(text) - 1].tolist()", "text.iloc[len(text) - 1].tolist()", [3, 6]),
        ("ints.ix[10].tolist()", "ints.loc[10].tolist()", [1, 4]),
        ("ints.ix[10:20].a.tolist()", "ints.loc[10:20].a.tolist()", [1, 2]),
        ("ints.ix[20, 1]", "ints.loc[20, ints.columns[1]]", 5),
        ("days.ix['2016-02-02', 'v']", "days.loc['2016-02-02', 'v']", 2),
        ("days.ix[2, 0]", "days.iloc[2, 0]", 3),
        ("days.ix[pd.Timestamp('2016-02-03')].v", "days.loc[pd.Timestamp('2016-02-03')].v", 3),
        ("wide.ix[0, 2]", "wide.loc[wide.index[0], 2]", 2),
        ("wide.ix[:, 1].tolist()", "wide.loc[:, 1].tolist()", [1, 4]),
        ("s.ix[0]", "s.iloc[0]", 1),
        ("s.ix['z']", "s.loc['z']", 3),
        ("two.ix[5].v.tolist()", "two.loc[5].v.tolist()", [1, 2]),
    ],
)
def test_ix_finds_what_it_found(repair: Callable[..., Any], before: str, after: str, value: object) -> None:
    repaired = repair([_START, f"r = {before}"])
    assert repaired.cells[1] == f"r = {after}"
    assert repaired.value("r") == value


def test_ix_can_be_assigned_to(repair: Callable[..., Any]) -> None:
    repaired = repair([_START, "text.ix[0, 'a'] = 9\ntext.ix[text.b > 5, 'a'] = 7"])
    assert repaired.cells[1] == "text.loc[text.index[0], 'a'] = 9\ntext.loc[text.b > 5, 'a'] = 7"
    assert repaired.value("text.a.tolist()") == [9, 2, 7]


def test_the_argument_of_a_function_is_looked_at_when_it_is_there(repair: Callable[..., Any]) -> None:
    repaired = repair([_START, "def first(d):\n    return d.ix[0]\nr = first(s)"])
    assert repaired.cells[1].startswith(
        "def first(d):\n    return (d.loc if pd.api.types.is_numeric_dtype(d.index) else d.iloc)[0]"
    )
    assert repaired.value("r") == 1


def test_a_table_that_a_function_or_module_is_given_is_looked_at(repair: Callable[..., Any]) -> None:
    module = (
        "def pick(table, row):\n    found = table.ix[row, 'a']\n    array = table.as_matrix()\n    return found, array.shape\n"
    )
    repaired = repair([_START, "import picker\nr = picker.pick(text, 'y')"], modules={"picker.py": module})
    assert repaired.modules["picker.py"] == module.replace(".ix[", ".loc[").replace(".as_matrix()", ".values")
    assert repaired.value("r[0]") == repaired.value("text.at['y', 'a']")


def test_a_position_in_a_function_stays_as_other_tables_may_come(repair: Callable[..., Any]) -> None:
    cell = "def cell_of(table, row):\n    return table.ix[row, 'a']\nr = cell_of(text, 0)"
    assert repair([_START, cell]).cells[1] == cell


def test_later_cells_wait_when_their_index_is_not_known_yet(repair: Callable[..., Any]) -> None:
    cells = [_START, "a = text.ix[0, 0]", "text = text.reset_index(drop=True)\ntext.index += 1", "b = text.ix[1, 'a']"]
    repaired = repair(cells)
    assert repaired.cells[1:] == ["a = text.iloc[0, 0]", cells[2], "b = text.loc[1, 'a']"]
    assert repaired.value("(a, b)") == [1, 1]


@pytest.mark.parametrize("cell", ["class Own:\n    ix = [5]\nr = Own().ix[0]"])
def test_other_objects_are_left_alone(repair: Callable[..., Any], cell: str) -> None:
    assert repair([_START, f"{cell}\nq = s.ix[0]"]).cells[1] == f"{cell}\nq = s.iloc[0]"
