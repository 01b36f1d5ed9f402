"""Functions that are gone, replaced by expressions that give the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modernizer.repair.recipes.gone_functions import gone_functions

RECIPE = "gone-function"
MLAB = "import matplotlib.mlab as mlab\nimport numpy as np\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("i = mlab.find(x > 3)", "i = np.nonzero(np.ravel(x > 3))[0]"),
        ("y = mlab.movavg(x, 3)", "y = np.convolve(x, np.full(3, 1.0 / 3), mode='valid')"),
        ("y = mlab.movavg(x, n + 1)", "y = np.convolve(x, np.full(n + 1, 1.0 / (n + 1)), mode='valid')"),
        ("q = mlab.prctile(x, p=50)", "q = np.percentile(x, 50)"),
        ("y = mlab.normpdf(*args)", "y = mlab.normpdf(*args)"),
        ("f = mlab.find", "f = mlab.find"),
        ("i = text.find('a')", "i = text.find('a')"),
    ],
)
def test_a_call_becomes_an_expression(rewrite: Callable[..., Any], before: str, after: str) -> None:
    assert rewrite(MLAB + before, recipe=RECIPE) == MLAB + after


def test_an_import_of_the_function_goes_with_it(rewrite: Callable[..., Any]) -> None:
    before = (
        "import numpy as np\nfrom matplotlib.mlab import find  # where\nfrom matplotlib.mlab import detrend, find as f\ni = f(x)"
    )
    after = "import numpy as np\nfrom matplotlib.mlab import detrend\ni = np.nonzero(np.ravel(x))[0]"
    assert rewrite(before, recipe=RECIPE) == after


def test_names_of_a_star_import_are_known(rewrite: Callable[..., Any]) -> None:
    assert rewrite(["%pylab inline", "i = find(x > 3)"], recipe=RECIPE)[1] == "i = np.nonzero(np.ravel(x > 3))[0]"


# Values as matplotlib 2.2, Python 3.6 and Python 2.7 gave them.
@pytest.mark.parametrize(
    ("cells", "expression", "value"),
    [
        ([MLAB + "x = np.array([0.0, 1.0])", "y = mlab.normpdf(x, 0, 1)"], "y.round(6)", [0.398942, 0.241971]),
        ([MLAB + "x = np.array([5, 1, 7])", "i = mlab.find(x > 3)"], "i", [0, 2]),
        ([MLAB + "x = np.array([1.0, 2.0, 6.0])", "y = mlab.movavg(x, 2)"], "y", [1.5, 4.0]),
        ([MLAB + "x = np.array([1.0, 2.0, 6.0])", "y = mlab.prctile(x)"], "y", [1.0, 1.5, 2.0, 4.0, 6.0]),
        ([MLAB + "x = np.array([3.0, 4.0])", "y = mlab.rms_flat(x)"], "round(float(y), 6)", 3.535534),
        ([MLAB + "x = np.array([3.0, 4.0])", "y = mlab.dist(x, np.zeros(2))"], "float(y)", 5.0),
        (
            [MLAB + "X = np.array([0.0, 1.0])", "Z = mlab.bivariate_normal(X, X, 1.0, 2.0, 0.5, 0.0)"],
            "Z.round(6)",
            [0.070227, 0.061975],
        ),
        (["import cgi", "t = cgi.escape('<\"a\">')"], "t", '&lt;"a"&gt;'),
        (["from cgi import escape", "t = escape('<\"a\">', True)"], "t", "&lt;&quot;a&quot;&gt;"),
        (["import string", "t = 'abc'.translate(string.maketrans('ab', 'xy'))"], "t", "xyc"),
        (["from string import join, split", "t = join(split('a b'), '-')"], "t", "a-b"),
        (["import string", "n = string.atoi('12') + string.atof('0.5')"], "n", 12.5),
        (["from distutils.util import strtobool", "t = strtobool('Yes')"], "t", 1),
    ],
)
def test_the_expression_gives_what_the_function_gave(
    repair: Callable[..., Any], cells: list[str], expression: str, value: object
) -> None:
    assert repair(cells).value(expression) == value


def test_every_form_of_the_table_names_parameters_in_their_order() -> None:
    for row in gone_functions().values():
        for form in row.forms:
            given = form.split(",") if form else []
            assert [name for name in row.parameters if name in given] == given, row.name
