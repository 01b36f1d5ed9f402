"""normalize=True of the penalised linear models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

CELLS = [
    "import numpy as np\nfrom sklearn.datasets import load_diabetes\nfrom sklearn.linear_model import Ridge, Lasso, LassoCV",
    "X, y = load_diabetes(return_X_y=True)\nZ = X * np.arange(1, 11) ** 2 + 5",
    "ridge = Ridge(alpha=.1, normalize=True).fit(X, y)",
    "lasso = Lasso(normalize=True)\nlasso.set_params(alpha=.1)\nlasso.fit(Z, y)\ncv = LassoCV(normalize=True, cv=3).fit(Z, y)",
]


def test_coefficients_are_those_of_2018(repair: Callable[..., Any]) -> None:
    """scikit-learn 0.19.1 gave these numbers."""
    repaired = repair(CELLS)
    assert repaired.value("[ridge.coef_[2], lasso.coef_[2], lasso.intercept_]") == pytest.approx(
        [489.6911, 57.46467, -26.5515], rel=1e-3
    )
    assert repaired.value("[cv.alpha_, cv.coef_[2]]") == pytest.approx([0.015154, 58.49617], rel=1e-2)
    assert repaired.value("type(ridge).__name__") == "Ridge"


def test_the_function_is_defined_once(rewrite: Callable[..., Any]) -> None:
    after = rewrite(CELLS)
    assert ["def normalized(" in cell for cell in after] == [False, False, True, False]
    assert after[3].startswith("lasso = normalized(Lasso)()")


@pytest.mark.parametrize("call", ["Ridge(alpha=1)", "Ridge(normalize=False)", "scale(normalize=True)"])
def test_no_function_without_need(rewrite: Callable[..., Any], call: str) -> None:
    assert "normalized" not in rewrite(f"from sklearn.linear_model import Ridge\n{call}")
