"""Removed SciPy functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "from scipy import stats\nstats.binom_test(3, n=10, p=.5)",
            "from scipy import stats\nstats.binomtest(3, n=10, p=.5).pvalue",
        ),
        ("from scipy import stats\nstats.binom_test(x=3, n=10)", "from scipy import stats\nstats.binomtest(k=3, n=10).pvalue"),
        ("from scipy import stats\nstats.chisqprob(3.84, 1)", "from scipy import stats\nstats.chi2.sf(3.84, 1)"),
        (
            "import numpy as np\nfrom scipy import stats\nstats.nanstd(x)",
            "import numpy as np\nfrom scipy import stats\nnp.nanstd(x, axis=0, ddof=1)",
        ),
        ("from scipy.misc import derivative\nderivative(f, 2.0)", "(f(2.0 + 1.0) - f(2.0 - 1.0)) / (2 * 1.0)"),
        (
            "import numpy as np\nfrom scipy.misc import imread, comb\na = imread('x.png')",
            "from PIL import Image\nimport numpy as np\nfrom scipy.special import comb\na = np.array(Image.open('x.png'))",
        ),
        (
            "import numpy as np\nimport scipy.misc\nscipy.misc.imread(p, flatten=True)",
            "from PIL import Image\nimport numpy as np\nimport scipy.misc\nnp.array(Image.open(p).convert('F'))",
        ),
        (
            "from scipy.misc import derivative\ny = x0 - f(x0) / derivative(f, x0, dx=1e-3)",
            "y = x0 - f(x0) / ((f(x0 + 1e-3) - f(x0 - 1e-3)) / (2 * 1e-3))",
        ),
        (
            "from scipy.misc import derivative\nderivative(f, a + 1, n=2)",
            "(f((a + 1) + 1.0) - 2 * f((a + 1)) + f((a + 1) - 1.0)) / 1.0**2",
        ),
        (
            "from scipy.misc import derivative\nderivative(f, 2.0, n=3)",
            "from scipy.misc import derivative\nderivative(f, 2.0, n=3)",
        ),
    ],
)
def test_the_expression_gives_the_same(rewrite: Callable[..., Any], old: str, new: str) -> None:
    assert rewrite(old) == new


def test_values_are_those_of_scipy_1_1(repair: Callable[..., Any]) -> None:
    repaired = repair(
        [
            "import scipy.stats\nfrom scipy.stats import binom_test, itemfreq\nfrom scipy.integrate import simps, cumtrapz",
            "p = binom_test(3, 10, .5)\nfreq = itemfreq([1, 1, 2])\narea = simps([1, 4, 9], dx=1)",
        ]
    )
    assert repaired.value("[p, area]") == pytest.approx([0.34375, 8.6667], abs=1e-4)
    assert repaired.value("freq") == [[1, 2], [2, 1]]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("r = minimize(f, start, method='CG')", "r = minimize(f, np.ravel(start), method='CG')"),
        ("r = minimize(fun=f, x0=[[3.0], [1.0]])", "r = minimize(fun=f, x0=np.ravel([[3.0], [1.0]]))"),
    ],
)
def test_a_starting_point_has_one_axis(repair: Callable[..., Any], before: str, after: str) -> None:
    head = "import numpy as np\nfrom scipy.optimize import minimize\nstart = np.ones((2, 1))\nf = lambda x: float((x ** 2).sum())"
    repaired = repair([head, before, "ok = bool(abs(r.x).max() < 1e-4)"])
    assert repaired.cells[1] == after
    assert repaired.value("ok") is True


def test_a_starting_point_with_one_axis_stays(repair: Callable[..., Any]) -> None:
    cell = "import scipy.optimize\nr = scipy.optimize.minimize(lambda x: x[0] ** 2, [1.0])"
    assert repair(cell).cells == [cell]
