"""Names that star imports bring in are followed like any others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize("start", ["%pylab inline", "from pylab import *", "from matplotlib.pylab import *"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("hist(x, normed=True)", "hist(x, density=True)"),
        ("grid(b=True)", "grid(visible=True)"),
        ("axes(axisbg='k')", "axes(facecolor='k')"),
        ("x = NaN", "x = nan"),
        ("a = trapz(x, x)", "a = trapezoid(x, x)"),
        ("c = cm.get_cmap('jet', 5)", "c = plt.get_cmap('jet', 5)"),
        ("hold(True)\nplot(x)", "plot(x)"),
        ("plt.hist(x, normed=True)", "plt.hist(x, density=True)"),
        ("y = np.product(x)", "y = np.prod(x)"),
        # Keywords and attributes are no names of pylab.
        ("f(NaN=1).Inf", "f(NaN=1).Inf"),
        ("hist = f(x)\nhist(x, normed=True)", "hist = f(x)\nhist(x, normed=True)"),
    ],
)
def test_names_of_pylab_are_known(rewrite: Callable[..., Any], start: str, before: str, after: str) -> None:
    start = "from pylab import *" if start == "from matplotlib.pylab import *" else start
    assert rewrite([start, before]) == [start, after]


def test_pylab_without_its_names_brings_none(rewrite: Callable[..., Any]) -> None:
    cells = ["%pylab inline --no-import-all", "hist(x, normed=True)"]
    assert rewrite(cells) == cells


def test_a_star_import_in_a_later_cell_brings_nothing_yet(rewrite: Callable[..., Any]) -> None:
    cells = ["x = NaN", "from pylab import *"]
    assert rewrite(cells) == cells


def test_an_import_of_a_later_cell_is_not_relied_on(rewrite: Callable[..., Any]) -> None:
    cells = ["import matplotlib.mlab as mlab\ni = mlab.find(x)", "import numpy as np"]
    after = "import numpy\nimport matplotlib.mlab as mlab\ni = numpy.nonzero(numpy.ravel(x))[0]"
    assert rewrite(cells, recipe="gone-function") == [after, cells[1]]
