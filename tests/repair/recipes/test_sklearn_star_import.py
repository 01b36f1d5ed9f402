"""Star imports of a module with experimental names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def test_the_names_in_use_are_imported(repair: Callable[..., Any]) -> None:
    repaired = repair(
        ["from sklearn.cross_validation import *", "folds = [list(test) for train, test in KFold(6, 3)]\nscore = cross_val_score"]
    )
    assert repaired.cells[0].endswith("from sklearn.model_selection import KFold, cross_val_score")
    assert repaired.value("folds") == [[0, 1], [2, 3], [4, 5]]
