"""The mode's shape, Fourier transforms and names that numpy lent to SciPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = "import numpy as np\nimport scipy as sp\nfrom scipy import stats\nx = np.array([1, 2, 2])"


# What SciPy 1.1 gave.
@pytest.mark.parametrize(
    ("before", "after", "expression", "value"),
    [
        ("r = stats.mode(x)[0][0]", "r = stats.mode(x, keepdims=True)[0][0]", "r", 2),
        ("r = abs(sp.fft(x))[0]", "r = abs(np.fft.fft(x))[0]", "r", 5.0),
        ("from scipy import fft\nr = abs(fft(x))[0]", "from scipy import fft\nr = abs(np.fft.fft(x))[0]", "r", 5.0),
        ("r = sp.isnan(x).any(), sp.inf", "r = np.isnan(x).any(), np.inf", "str(r[1])", "inf"),
        ("from scipy import sqrt\nr = sqrt(-4)", "from numpy.lib.scimath import sqrt\nr = sqrt(-4)", "str(r)", "2j"),
        ("r = sp.random.rand(2).shape", "r = np.random.rand(2).shape", "r", [2]),
        (
            "from scipy.sparse import csr_matrix\nr = csr_matrix(x).A",
            "from scipy.sparse import csr_matrix\nr = csr_matrix(x).toarray()",
            "r",
            [[1, 2, 2]],
        ),
        (
            "from scipy.signal import bartlett\nr = bartlett(3)",
            "from scipy.signal.windows import bartlett\nr = bartlett(3)",
            "r",
            [0.0, 1.0, 0.0],
        ),
        ("import pylab as pl\nr = pl.product(x), pl.Inf", "import pylab as pl\nr = np.prod(x), np.inf", "str(r[0])", "4"),
    ],
)
def test_the_value_is_that_of_scipy_1_1(
    repair: Callable[..., Any], before: str, after: str, expression: str, value: object
) -> None:
    repaired = repair([_START, before])
    assert repaired.cells[1] == after
    assert repaired.value(expression) == value


@pytest.mark.parametrize("cell", ["r = stats.mode(x, axis=None)[0][0]", "r = stats.mode(x)[0]", "r = x[0][0]"])
def test_other_look_ups_stay(repair: Callable[..., Any], cell: str) -> None:
    assert repair([_START, cell]).cells[1] == cell
