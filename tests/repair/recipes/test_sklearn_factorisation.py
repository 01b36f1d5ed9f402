"""The penalty of NMF, relative to the size of the data since scikit-learn 1.0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = "import numpy as np\nfrom sklearn.decomposition import NMF\nX = np.random.RandomState(0).rand(20, 6)"


def test_components_are_those_of_2018(repair: Callable[..., Any]) -> None:
    """scikit-learn 0.19.1 gave these numbers."""
    cell = "nmf = NMF(n_components=2, random_state=1, alpha=.1, l1_ratio=.5, init='nndsvd').fit(X)"
    repaired = repair([_START, cell])
    assert "alpha_W=.1 / X.shape[1], alpha_H=.1 / X.shape[0]" in repaired.cells[1]
    assert repaired.value("nmf.components_[0].round(2)") == pytest.approx([1.0, 0.0, 1.39, 0.09, 1.09, 0.47], abs=0.02)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("m = NMF(n_components=2, alpha=0.0)", "m = NMF(n_components=2)"),
        ("m = NMF(n_components=2, alpha=.1)\nm.fit(X)", "m = NMF(n_components=2, alpha=.1)\nm.fit(X)"),
        ("m = NMF(alpha=.1).fit(f(X))", "m = NMF(alpha=.1).fit(f(X))"),
        ("m = Lasso(alpha=.1).fit(X)", "m = Lasso(alpha=.1).fit(X)"),
    ],
)
def test_a_penalty_without_known_data_stays(rewrite: Callable[..., Any], before: str, after: str) -> None:
    assert rewrite(f"{_START}\n{before}") == f"{_START}\n{after}"
