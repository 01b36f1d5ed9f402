"""Functions and options of pandas that are gone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

_START = """import io
import numpy as np
import pandas as pd
from pandas import Series, DataFrame
s = pd.Series(['a', 'b', 'a'])
words = ['b', 'a', 'b']"""


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("pd.value_counts(s).to_dict()", "s.value_counts().to_dict()", {"a": 2, "b": 1}),
        ("pd.value_counts(words).to_dict()", "Series(words).value_counts().to_dict()", {"a": 1, "b": 2}),
        ("pd.value_counts(s, sort=False).size", "s.value_counts(sort=False).size", 2),
        ("pd.unique(words).tolist()", "pd.unique(Series(words).to_numpy()).tolist()", ["b", "a"]),
        ("pd.unique([3, 1, 3]).tolist()", "pd.unique(Series([3, 1, 3]).to_numpy()).tolist()", [3, 1]),
        ("pd.factorize(words)[0].tolist()", "pd.factorize(Series(words).to_numpy())[0].tolist()", [0, 1, 0]),
        (
            "DataFrame.from_items([('b', [1]), ('a', [2])]).columns.tolist()",
            "DataFrame(dict([('b', [1]), ('a', [2])])).columns.tolist()",
            ["b", "a"],
        ),
        (
            "pd.DataFrame.from_items([('r', [1, 2])], orient='index', columns=['x', 'y']).y.tolist()",
            "DataFrame.from_dict(dict([('r', [1, 2])]), orient='index', columns=['x', 'y']).y.tolist()",
            [2],
        ),
        (
            "pd.DataFrame.from_csv(io.StringIO('d,v\\n2016-01-02,5')).index.day.tolist()",
            "pd.read_csv(io.StringIO('d,v\\n2016-01-02,5'), index_col=0, parse_dates=True).index.day.tolist()",
            [2],
        ),
        (
            "Series.from_csv(io.StringIO('2016-01-02,5')).tolist()",
            "pd.read_csv(io.StringIO('2016-01-02,5'), index_col=0, parse_dates=True, header=None).squeeze('columns').tolist()",
            [5],
        ),
        ("pd.read_json('[{\"a\": 1}]').a.tolist()", "pd.read_json(io.StringIO('[{\"a\": 1}]')).a.tolist()", [1]),
        ("pd.Float64Index([1, 2]).dtype.name", "pd.Index([1, 2], dtype='float64').dtype.name", "float64"),
    ],
)
def test_a_gone_function_gives_what_it_gave(repair: Callable[..., Any], before: str, after: str, value: object) -> None:
    repaired = repair([_START, f"r = {before}"])
    assert repaired.cells[1] == f"r = {after}"
    assert repaired.value("r") == value


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("pd.set_option('display.mpl_style', 'default')\nr = 1", "r = 1"),
        ("pd.options.display.mpl_style = 'default'; r = 1", "r = 1"),
        ("pd.set_option('display.height', 100); r = 1", "r = 1"),
        ("pd.set_option('precision', 3)", "pd.set_option('display.precision', 3)"),
        ('pd.set_option("max_columns", 10)', 'pd.set_option("display.max_columns", 10)'),
        ("pd.set_option('html', False)", "pd.set_option('display.notebook_repr_html', False)"),
        ("pd.set_option('display.line_width', 90)", "pd.set_option('display.width', 90)"),
        ("pd.set_option('display.max_colwidth', -1)", "pd.set_option('display.max_colwidth', None)"),
        ("pd.set_option('max_colwidth', -1)", "pd.set_option('max_colwidth', None)"),
        ("pd.options.display.max_colwidth = -1", "pd.options.display.max_colwidth = None"),
        ("pd.options.mode.use_inf_as_na = False\nr = 1", "r = 1"),
        ("if True:\n    pd.set_option('display.height', 10)\nr = 1", "if True:\n    pass\nr = 1"),
        ("pd.set_option('display.max_rows', 10)", "pd.set_option('display.max_rows', 10)"),
    ],
)
def test_options_are_set_by_their_present_names(repair: Callable[..., Any], before: str, after: str) -> None:
    repaired = repair([_START, before])
    assert repaired.cells[1] == after
    assert repaired.last.failure is None


def test_an_option_that_changes_results_is_not_dropped(repair: Callable[..., Any]) -> None:
    cell = "pd.options.mode.use_inf_as_na = True"
    assert repair([_START, cell]).cells[1] == cell


def test_a_missing_file_is_no_json_text(repair: Callable[..., Any], tmp_path: Path) -> None:
    cell = f"r = pd.read_json({str(tmp_path / 'none.json')!r})"
    assert repair([_START, cell]).cells[1] == cell
