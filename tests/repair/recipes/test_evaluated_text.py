"""Old code inside literals that a program evaluates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modernizer.execution.outcome import CellError, Frame
from modernizer.repair.recipe import Failure
from modernizer.verdict.outcome import Diagnosis

_START = """import numpy as np
import pandas as pd
df = pd.DataFrame({'p': [1, 2], 'q': [4, 5]}, index=['u', 'v'])
class display:
    def __init__(self, *args):
        self.args = args
    def __repr__(self):
        return '\\n'.join(a + repr(eval(a)) for a in self.args)
def shown(text):
    return eval(text)
def named(text):
    return text
def labelled(label, text):
    return label, eval(text)
class places: ix = [7]"""


# What pandas 0.23 and numpy 1.14 gave.
@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("r = eval('df.ix[0].tolist()')", "r = eval('df.iloc[0].tolist()')", [1, 4]),
        ("r = eval('df.as_matrix().tolist()')", "r = eval('df.values.tolist()')", [[1, 4], [2, 5]]),
        ("r = shown('np.product([2, 3])')", "r = shown('np.prod([2, 3])')", 6),
        (
            "r = len(repr(display('df', 'pd.concat([df, df], axis=1, join_axes=[df.index])'))) > 9",
            "r = len(repr(display('df', 'pd.concat([df, df], axis=1).reindex(index=df.index)'))) > 9",
            True,
        ),
        ("r = labelled('df.ix[1]', 'df.ix[0].sum()')", "r = labelled('df.ix[1]', 'df.iloc[0].sum()')", ["df.ix[1]", 5]),
        (
            "r = labelled(text='df.ix[0].sum()', label='df.ix[1]')",
            "r = labelled(text='df.iloc[0].sum()', label='df.ix[1]')",
            ["df.ix[1]", 5],
        ),
        (
            "r = eval('df.ix[0]', {'df': places}) + eval('df.ix[0].sum()')",
            "r = eval('df.ix[0]', {'df': places}) + eval('df.iloc[0].sum()')",
            12,
        ),
        ("""r = eval("df.ix['u'].sum()")""", """r = eval("df.loc['u'].sum()")""", 5),
        ("r = [named('df.ix[0]'), eval('df.ix[1].sum()')]", "r = [named('df.ix[0]'), eval('df.iloc[1].sum()')]", ["df.ix[0]", 7]),
    ],
)
def test_the_text_is_repaired_as_code(repair: Callable[..., Any], before: str, after: str, value: object) -> None:
    repaired = repair([_START, before])
    assert repaired.cells[1] == after
    assert repaired.value("r") == value


@pytest.mark.parametrize(
    "cell",
    [
        "r = shown('df.nowhere[0]')",
        "r = named('df.ix[0]') + eval('1 + [2]')",
        "text = 'df.ix[0]'\nr = eval('undefined_name')",
        "r = eval('df')['df.ix[0]']",
    ],
)
def test_text_that_was_not_evaluated_is_left_alone(repair: Callable[..., Any], cell: str) -> None:
    assert repair([_START, cell]).cells[1] == cell


def test_what_a_cell_shows_at_its_end_leaves_no_line_of_it(rewrite: Callable[..., Any]) -> None:
    frames = (Frame(8, "__repr__", cell=0), Frame(1, "<module>", file="<string>"))
    message = "concat() got an unexpected keyword argument 'join_axes'"
    failure = Failure(0, 8, CellError(1, "TypeError", message, None, frames), Diagnosis("other"))
    cells = [_START, "s = 1\ndisplay('pd.concat([df], join_axes=[df.columns])')"]
    assert rewrite(cells, failure=failure)[1] == "s = 1\ndisplay('pd.concat([df]).reindex(columns=df.columns)')"
