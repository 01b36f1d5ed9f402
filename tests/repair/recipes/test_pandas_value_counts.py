"""Names in tables of counted values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = "import pandas as pd\nimport seaborn as sns\ndf = pd.DataFrame({'a': list('xxy'), 'n': [1, 2, 3]})"


# What pandas 0.23 gave.
@pytest.mark.parametrize(
    ("cell", "after", "expression", "value"),
    [
        (
            "v = df['a'].value_counts().reset_index()\nr = v['index'].tolist(), v['a'].tolist()",
            "v = df['a'].value_counts().rename_axis('index').reset_index(name='a')\nr = v['index'].tolist(), v['a'].tolist()",
            "r",
            [["x", "y"], [2, 1]],
        ),
        (
            "v = df.a.value_counts(sort=True).to_frame()\nr = v['a']",
            "v = df.a.value_counts(sort=True).rename_axis(None).to_frame('a')\nr = v['a']",
            "r.tolist()",
            [2, 1],
        ),
        (
            "v = df['a'].value_counts().reset_index().rename(columns={'index': 'k', 'a': 'count'})\nr = v['k']",
            (
                "v = df['a'].value_counts().rename_axis('index').reset_index(name='a')"
                ".rename(columns={'index': 'k', 'a': 'count'})\nr = v['k']"
            ),
            "[list(v), r.tolist()]",
            [["k", "count"], ["x", "y"]],
        ),
        (
            "v = df['a'].value_counts().reset_index()\nr = sns.barplot(x='index', y='a', data=v)",
            "v = df['a'].value_counts().rename_axis('index').reset_index(name='a')\nr = sns.barplot(x='index', y='a', data=v)",
            "v['a'].tolist()",
            [2, 1],
        ),
    ],
)
def test_the_old_names_stay(repair: Callable[..., Any], cell: str, after: str, expression: str, value: object) -> None:
    repaired = repair([_START, *cell.split("\n")])
    assert "\n".join(repaired.cells[1:]) == after
    assert repaired.value(expression) == value


@pytest.mark.parametrize(
    "cell",
    [
        "v = df['a'].value_counts().reset_index()\nv.columns = ['k', 'n']",
        "v = df['a'].value_counts().reset_index()\nr = v['nowhere']",
        "v = df['a'].value_counts().reset_index(name='n')\nr = v['index']",
        "v = df['a'].value_counts()\nr = df['index']",
    ],
)
def test_without_such_a_name_missing_it_stays(repair: Callable[..., Any], cell: str) -> None:
    assert "\n".join(repair([_START, cell]).cells[1:]) == cell
