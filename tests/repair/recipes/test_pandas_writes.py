"""Writing into frames, columns and arrays: what changed the data still does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import numpy as np
import pandas as pd
df = pd.DataFrame({'a': [1, 2, 3], 'b': [1.5, None, 3.5], 't': list('xyz')})
s = pd.Series([1, 2, 3])
labelled = df.set_index('t')
d = {'c': np.array([1, 2, 3])}"""
_FAIL = "df.as_matrix()"


@pytest.mark.parametrize(
    ("before", "after", "expression", "value"),
    [
        ("df.loc[0, 'a'] = 2.5", "df['a'] = df['a'].astype(float)\ndf.loc[0, 'a'] = 2.5", "df.a.tolist()", [2.5, 2.0, 3.0]),
        ("df.loc[0, 'a'] = 'no'", "df['a'] = df['a'].astype(object)\ndf.loc[0, 'a'] = 'no'", "df.a.tolist()", ["no", 2, 3]),
        (
            "df.loc[df.a > 1, 't'] = 0",
            "df['t'] = df['t'].astype(object)\ndf.loc[df.a > 1, 't'] = 0",
            "df.t.tolist()",
            ["x", 0, 0],
        ),
        ("v = df['a'].values\nv[0] = 9", "v = df['a'].values.copy()\nv[0] = 9", "v.tolist()", [9, 2, 3]),
        ("v = df['a'].values\nv += 1", "v = df['a'].values.copy()\nv += 1", "v.tolist()", [2, 3, 4]),
        (
            "v, w = df['a'].values, s.values\nw.sort()",
            "v, w = df['a'].values, s.values.copy()\nw.sort()",
            "w.tolist()",
            [1, 2, 3],
        ),
        ("v = s.values\nnp.random.shuffle(v)", "v = s.values.copy()\nnp.random.shuffle(v)", "sorted(v)", [1, 2, 3]),
    ],
)
def test_a_refused_write_is_made_possible(
    repair: Callable[..., Any], before: str, after: str, expression: str, value: object
) -> None:
    repaired = repair([_START, before])
    assert repaired.cells[1] == after
    assert repaired.value(expression) == value


@pytest.mark.parametrize(
    ("before", "after", "expression", "value"),
    [
        ("s[1] = 0.5", "s = s.astype(float)\ns[1] = 0.5", "s.tolist()", [1.0, 0.5, 3.0]),
        (
            "# per row\nfor i in range(3):\n    df.at[i, 'a'] = i / 2",
            "# per row\ndf['a'] = df['a'].astype(float)\nfor i in range(3):\n    df.at[i, 'a'] = i / 2",
            "df.a.tolist()",
            [0.0, 0.5, 1.0],
        ),
    ],
)
def test_numbers_are_not_cut_as_they_were_before_pandas_1(
    repair: Callable[..., Any], before: str, after: str, expression: str, value: object
) -> None:
    """Releases before 1.0 cut them to whole numbers, which later ones repaired as a fault."""
    repaired = repair([_START, before])
    assert repaired.cells[1] == after
    assert repaired.value(expression, as_then=False) == value


@pytest.mark.parametrize(
    ("before", "after", "expression", "value"),
    [
        ("df['b'].fillna(0, inplace=True)", "df['b'] = df['b'].fillna(0)", "df.b.tolist()", [1.5, 0.0, 3.5]),
        ("df.b.fillna(0, inplace=True)", "df.b = df.b.fillna(0)", "df.b.tolist()", [1.5, 0.0, 3.5]),
        ("df['t'].replace('x', 'q', inplace=True)", "df['t'] = df['t'].replace('x', 'q')", "df.t.tolist()", ["q", "y", "z"]),
        (
            "for c in ['a', 'b']:\n    df[c].fillna(0, inplace=True)",
            "for c in ['a', 'b']:\n    df[c] = df[c].fillna(0)",
            "df.b.tolist()",
            [1.5, 0.0, 3.5],
        ),
        ("df['a'][df.b > 2] = 7", "df.loc[df.b > 2, 'a'] = 7", "df.a.tolist()", [1, 2, 7]),
        ("df.a[df.b > 2] += 7", "df.loc[df.b > 2, 'a'] += 7", "df.a.tolist()", [1, 2, 10]),
        ("df['a'][0] = 5", "df.loc[0, 'a'] = 5", "df.a.tolist()", [5, 2, 3]),
        ("df['a'].loc[1:] = 5", "df.loc[1:, 'a'] = 5", "df.a.tolist()", [1, 5, 5]),
        ("df['a'].iloc[-1] = 5", "df.iloc[-1, df.columns.get_loc('a')] = 5", "df.a.tolist()", [1, 2, 5]),
        ("labelled['a']['y'] = 5", "labelled.loc['y', 'a'] = 5", "labelled.a.tolist()", [1, 5, 3]),
        ("df.a[df.b > 2] = 5", "df.loc[df.b > 2, 'a'] = 5", "df.a.tolist()", [1, 2, 5]),
        ("df['a'][:2] = 5", "df.iloc[:2, df.columns.get_loc('a')] = 5", "df.a.tolist()", [5, 5, 3]),
        (
            "df['t'] = df['t'].astype('category')\ndf['t'].cat.set_categories(list('zyx'), inplace=True)",
            "df['t'] = df['t'].astype('category')\ndf['t'] = df['t'].cat.set_categories(list('zyx'))",
            "df.t.cat.categories.tolist()",
            ["z", "y", "x"],
        ),
    ],
)
def test_a_write_without_effect_has_its_effect_again(
    repair: Callable[..., Any], before: str, after: str, expression: str, value: object
) -> None:
    repaired = repair([_START, f"{before}\n{_FAIL}"])
    assert repaired.cells[1] == f"{after}\ndf.values"
    assert repaired.value(expression) == value


@pytest.mark.parametrize(
    "cell",
    [
        "d['c'][d['c'] > 1] = 0",
        "df.fillna(0, inplace=True)",
        "df[['a', 'b']].fillna(0, inplace=True)",
        "r = df['b'].fillna(0)",
        "df['a'] = 1",
        # What every frame has is no column.
        "try:\n    df.index[0] = 15\nexcept TypeError:\n    pass",
        "df.index.where(df.index > 0, 1)",
    ],
)
def test_writes_that_work_or_never_did_are_left_alone(repair: Callable[..., Any], cell: str) -> None:
    assert repair([_START, f"{cell}\n{_FAIL}"]).cells[1] == f"{cell}\ndf.values"


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("r = s.reindex([1, 5], fill_value=0)", "r = s.astype(object).reindex([1, 5], fill_value=0)", ["y", 0]),
        ("r = s.shift(1, fill_value=0)", "r = s.astype(object).shift(1, fill_value=0)", [0, "x"]),
        (
            "r = f.reindex([1, 5], fill_value=0)['t']",
            "r = f.astype({'t': object}).reindex([1, 5], fill_value=0)['t']",
            ["y", 0],
        ),
        # Nothing names the columns of a frame made on the spot.
        ("r = f[['t']].reindex([1, 5], fill_value=0)['t']", None, None),
        (
            "r = f.set_index(['n', 'k'])['t'].unstack(fill_value=0)[7]",
            "r = f.set_index(['n', 'k'])['t'].astype(object).unstack(fill_value=0)[7]",
            ["x", 0],
        ),
    ],
)
def test_texts_are_objects_before_they_get_a_fill_value_of_another_kind(
    repair: Callable[..., Any], before: str, after: str | None, value: list[object] | None
) -> None:
    start = "import pandas as pd\nf = pd.DataFrame({'n': [1, 2], 'k': [7, 8], 't': ['x', 'y']})\ns = f['t']"
    repaired = repair([start, before])
    assert repaired.cells == [start, after or before]
    if value is not None:
        assert repaired.value("r.tolist()") == value
