"""Tick labels that don't match, parameters gone from grids, samples of mixtures, an unknown keyword of axis()."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_PLOT = "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nnames = ['a', 'b']"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("plt.xticks(range(3), names)", "plt.xticks(range(3), list(names) + [''])"),
        ("plt.yticks([0], labels=names)", "plt.yticks([0], labels=list(names)[:1])"),
        (
            "ax.set_xticks([0, 1, 2, 3])\nax.set_xticklabels(names, rotation=90)",
            "ax.set_xticks([0, 1, 2, 3])\nax.set_xticklabels(list(names) + [''] * 2, rotation=90)",
        ),
        ("plt.axis(aspect='image')", "plt.axis()"),
    ],
)
def test_plots_draw_what_they_drew(repair: Callable[..., Any], before: str, after: str) -> None:
    repaired = repair([_PLOT, before])
    assert repaired.cells[1] == after
    assert repaired.last.failure is None


def test_normalize_leaves_the_grid_of_least_squares(repair: Callable[..., Any]) -> None:
    start = (
        "import numpy as np\nfrom sklearn.linear_model import LinearRegression\n"
        "from sklearn.model_selection import GridSearchCV\n"
        "from sklearn.pipeline import make_pipeline\nX = np.arange(40.).reshape(20, 2)\ny = X[:, 0]"
    )
    grid = "grid = {'linearregression__fit_intercept': [True, False],\n        'linearregression__normalize': [True, False]}"
    repaired = repair([start, grid, "GridSearchCV(make_pipeline(LinearRegression()), grid, cv=3).fit(X, y);"])
    assert repaired.cells[1] == "grid = {'linearregression__fit_intercept': [True, False]}"
    assert repaired.last.failure is None


@pytest.mark.parametrize(("before", "after"), [("[0]", "score_samples(X)"), ("[1]", "predict_proba(X)")])
def test_one_of_the_two_scores_of_an_old_mixture(repair: Callable[..., Any], before: str, after: str) -> None:
    start = "import numpy as np\nfrom sklearn.mixture import GMM\nX = np.random.RandomState(0).randn(60, 2)"
    repaired = repair([start, "g = GMM(2, random_state=0).fit(X)", f"r = g.score_samples(X){before}"])
    assert repaired.cells[2] == f"r = g.{after}"
    assert repaired.last.failure is None


def test_samples_of_an_old_mixture(repair: Callable[..., Any]) -> None:
    start = "import numpy as np\nfrom sklearn.mixture import GMM\nX = np.random.RandomState(0).randn(60, 2)"
    repaired = repair([start, "g = GMM(2, random_state=0).fit(X)", "new = g.sample(5, random_state=1)"])
    assert repaired.cells[2] == "new = g.set_params(random_state=1).sample(5)[0]"
    assert repaired.value("new.shape") == [5, 2]


@pytest.mark.parametrize("source", ["plt.xticks(range(3))", "f(names)", "grid = {'normalize': [True]}"])
def test_other_code_stays(rewrite: Callable[..., Any], failure: Callable[..., Any], source: str) -> None:
    broken = failure("ValueError", "The number of FixedLocator locations (3) does not match the number of labels (2).")
    assert rewrite(source, recipe="matplotlib-tick-labels", failure=broken) == source
