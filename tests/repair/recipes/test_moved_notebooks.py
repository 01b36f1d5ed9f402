"""Paths of notebooks that were moved, once the diagnosis has found the file above them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modernizer.repair.recipe import Failure
from modernizer.verdict.outcome import Diagnosis

FOUND = "Data/x.csv doesn't exist in the notebook's folder, but from there the same file is ../Data/x.csv"


@pytest.mark.parametrize(
    ("cell", "detail", "after"),
    [
        ("pd.read_csv('Data/x.csv')", FOUND, "pd.read_csv('../Data/x.csv')"),
        ('path = r"Data/x.csv"', FOUND, 'path = r"../Data/x.csv"'),
        ("pd.read_csv('Data/other.csv')", FOUND, "pd.read_csv('Data/other.csv')"),
        ("print('see Data/x.csv')", FOUND, "print('see Data/x.csv')"),
        (
            "pd.read_csv('Data/x.csv')",
            "Data/x.csv doesn't exist in the notebook's folder; the repository has old/x.csv",
            "pd.read_csv('Data/x.csv')",
        ),
    ],
)
def test_the_path_starts_from_the_folder_above(
    rewrite: Callable[..., Any], failure: Callable[..., Failure], cell: str, detail: str, after: str
) -> None:
    missing = failure(
        "FileNotFoundError",
        "[Errno 2] No such file or directory: 'Data/x.csv'",
        diagnosis=Diagnosis("other", "Data/x.csv", "", detail),
    )
    assert rewrite(cell, recipe="path-of-moved-notebook", failure=missing) == after
