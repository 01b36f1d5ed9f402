from __future__ import annotations

import json

import pytest

from modernizer.notebook import parse_notebook
from modernizer.repair.program import Program
from modernizer.repair.silent_lint import silent_assumptions


def program(source: str) -> Program:
    cells = [
        {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": text.splitlines(keepends=True)}
        for text in ("%matplotlib inline\nimport pandas as pd\nimport numpy as np", source)
    ]
    raw = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}).encode()
    return Program(parse_notebook(raw, name="n.ipynb"), {})


@pytest.mark.parametrize(
    "source",
    [
        "cats = [c for c in df if df[c].dtype == object]",
        "cats = [c for c in df if df[c].dtype == 'object']",
        "text = df.dtypes[df.dtypes != np.object_]",
        "if 'O' == df.a.dtype: pass",
        "s = pd.to_datetime(df.t).astype('int64') // 10**9",
        "s = df.index.astype(np.int64) / 1e9",
        "s = df.t.view('i8').values // 1000000",
        "s = df.index.asi8 // 10**9",
        "cats = [c for c in df if df[c].dtype.name == 'object']",
        "cats = [c for c in df if str(df[c].dtype) == 'object']",
    ],
)
def test_an_assumption_is_told_with_its_place(source: str) -> None:
    notes = silent_assumptions(program(source), {"pandas": "3.1.1"})
    assert len(notes) == 1
    assert notes[0].startswith("cell 1, line 1: ")


@pytest.mark.parametrize(
    "source",
    [
        "df[c].dtype == float",
        "x == object",
        "df.a.astype(int) // 3",
        "n // 10**9",
        "df.select_dtypes('object')",
        "print 1",
        "df[c].dtype in (object, 'str')",
        "df.columns[(df.dtypes == object) | (df.dtypes == 'str')]",
        "df.t.astype('datetime64[ns]').astype('int64') // 10**9",
        "df.index.as_unit('ns').asi8 // 10**9",
    ],
)
def test_other_code_is_not(source: str) -> None:
    assert silent_assumptions(program(source), {"pandas": "3.1.1"}) == ()


@pytest.mark.parametrize("packages", [{}, {"pandas": "2.3.0"}, {"pandas": "unknown"}])
def test_older_packages_keep_the_old_meaning(packages: dict[str, str]) -> None:
    assert silent_assumptions(program("df.a.dtype == object"), packages) == ()
