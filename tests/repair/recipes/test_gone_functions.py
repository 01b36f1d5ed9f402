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
        (
            "import matplotlib.font_manager as fm\nfm._rebuild()",
            "import matplotlib.font_manager as fm\nfm.fontManager.__init__()",
        ),
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
        (
            [MLAB + "X = np.array([0.0, 1.0])", "Z = 1 / mlab.bivariate_normal(X, X, sigmax=1.0, sigmay=2.0)"],
            "Z.round(4)",
            [12.5664, 23.4771],
        ),
        (
            [
                "import numpy as np\nfrom sklearn.utils.linear_assignment_ import linear_assignment",
                "r = linear_assignment(np.array([[4, 1], [2, 3]]))",
            ],
            "r",
            [[0, 1], [1, 0]],
        ),
        (
            ["from scipy.special import sph_harm", "r = sph_harm(1, 2, .3, .4)"],
            "[r.real.round(4), r.imag.round(4)]",
            [-0.2647, -0.0819],
        ),
        (["from scipy.special import lpn", "r = lpn(2, .5)"], "[list(r[0]), list(r[1])]", [[1.0, 0.5, -0.125], [0.0, 1.0, 1.5]]),
        (["from scipy.spatial.distance import wminkowski", "r = wminkowski([1, 2], [3, 5], 2, [1, 2])"], "round(r, 4)", 6.3246),
        (["from scipy.constants import C2K, F2C", "r = C2K(0), F2C(32)"], "[round(one, 3) for one in r]", [273.15, 0.0]),
        (
            ["from matplotlib.cbook import is_string_like, is_numlike", "r = is_string_like('a'), is_numlike('a')"],
            "r",
            [True, False],
        ),
        (["import matplotlib.dates as d", "r = d.num2epoch(d.epoch2num(86400 * 400))"], "r", 34560000.0),
        (["import matplotlib.dates as d", "r = d.bytespdate2num('%Y')(b'1971') - d.bytespdate2num('%Y')(b'1970')"], "r", 365.0),
        (["from matplotlib.dates import strpdate2num", "r = strpdate2num('%Y-%m')('1970-01') * 0"], "r", 0.0),
        (["import pkg_resources", "r = pkg_resources.get_distribution('numpy').version.split('.')[0]"], "int(r) > 0", True),
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


def test_an_import_stays_with_a_call_that_has_no_form(rewrite: Callable[..., Any]) -> None:
    before = (
        "from matplotlib.mlab import bivariate_normal\na = bivariate_normal(x, y)\nb = bivariate_normal(x, y, 1, 2, 0, 0, .3)"
    )
    assert rewrite(before, recipe=RECIPE).splitlines()[-3] == before.splitlines()[0]


def test_a_function_is_known_by_the_name_that_another_cell_gives_it(repair: Callable[..., Any]) -> None:
    repaired = repair(["import pandas as pd\nfrom pandas import rolling_mean as smooth", "r = smooth(pd.Series([1.0, 3.0]), 2)"])
    assert repaired.value("r.tolist()[1]") == 2.0
