"""grid_scores_ as a list of the same named tuples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

CELLS = [
    "from sklearn.datasets import load_iris\nfrom sklearn.neighbors import KNeighborsClassifier",
    "from sklearn.grid_search import GridSearchCV\nX, y = load_iris(return_X_y=True)",
    "grid = GridSearchCV(KNeighborsClassifier(), {'n_neighbors': [1, 3]}, cv=5, scoring='accuracy').fit(X, y)",
    "# look\nshown = repr(grid.grid_scores_)",
    "means = [round(mean, 4) for params, mean, scores in grid.grid_scores_]\nfirst = grid.grid_scores_[0].parameters",
]


def test_the_list_reads_as_in_2018(repair: Callable[..., Any]) -> None:
    """scikit-learn 0.19.1 displayed this text."""
    repaired = repair(CELLS)
    assert repaired.value("shown") == (
        "[mean: 0.96000, std: 0.02494, params: {'n_neighbors': 1}, mean: 0.96667, std: 0.02108, params: {'n_neighbors': 3}]"
    )
    assert repaired.value("[means, first]") == [[0.96, 0.9667], {"n_neighbors": 1}]


def test_the_function_is_defined_once_where_it_is_first_used(rewrite: Callable[..., Any]) -> None:
    after = rewrite(CELLS)
    assert ["def grid_scores" in cell for cell in after] == [False, False, False, True, False]
    assert after[3].startswith("# look\nimport numpy\nfrom collections import namedtuple\n\n\nclass GridScore")
    assert after[3].endswith("\n\n\nshown = repr(grid_scores(grid))")
    assert "in grid_scores(grid)]" in after[4]


def test_an_attribute_of_another_class_stays(rewrite: Callable[..., Any]) -> None:
    source = "class Mine:\n    grid_scores_ = []\nprint(Mine().grid_scores_)"
    assert rewrite(source) == source
