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


@pytest.mark.parametrize(
    "call",
    [
        "Ridge(alpha=1)",
        "Ridge(normalize=False)",
        "scale(normalize=True)",
        "RidgeCV(normalize=True, cv=5)",
        "LarsCV(normalize=True)",
        "BayesianRidge(normalize=True).fit(X, y).predict(X, return_std=True)",
    ],
)
def test_no_function_without_need(rewrite: Callable[..., Any], call: str) -> None:
    """Nor where the folds of a cross-validation were scaled one by one, or a spread is told in scaled columns."""
    assert "normalized" not in rewrite(f"from sklearn.linear_model import BayesianRidge, LarsCV, Ridge, RidgeCV\n{call}")


# scikit-learn 0.19.1 gave these coefficients of the second and the fourth column, and the intercept.
MODELS = [
    ("Lars(n_nonzero_coefs=2, normalize=True).fit(X, y)", [-1.90571, 0.480514, 0.358914]),
    ("OrthogonalMatchingPursuit(n_nonzero_coefs=2, normalize=True).fit(X, y)", [-2.004659, 0.51367, 0.31741]),
    ("BayesianRidge(normalize=True).fit(X, y)", [-1.988583, 0.512497, -0.471926]),
    ("MultiTaskLasso(alpha=.1, normalize=True).fit(X, y[:, None])", [-1.767643, 0.434249, 0.416837]),
    ("Ridge(normalize=True).fit(X, y, sample_weight=w)", [-1.913304, 0.508952, -0.975404]),
    ("Ridge(normalize=True).fit(X, y, w)", [-1.913304, 0.508952, -0.975404]),
]


@pytest.mark.parametrize(("model", "expected"), MODELS)
def test_models_beside_lasso_and_ridge_scale_their_columns(repair: Callable[..., Any], model: str, expected: list[float]) -> None:
    cell = (
        "import numpy as np\nfrom sklearn.linear_model import *\nX = np.random.RandomState(1).rand(60, 5) * [1, 9, 2, 30, 4]\n"
        f"w = np.arange(60) + 1.0\ny = X @ [1, -2, 0, .5, 0] + np.sin(w)\nmodel = {model}"
    )
    value = repair(cell).value("[np.ravel(model.coef_)[1], np.ravel(model.coef_)[3], float(np.ravel(model.intercept_)[0])]")
    assert value == pytest.approx(expected, rel=1e-3)
