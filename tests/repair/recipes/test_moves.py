"""Moved and renamed symbols: every row of the table, and every way to spell one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modernizer.environment.installed import Installed
from modernizer.repair.recipes.moves import moves, sources

# Packages that the test environment does not hold are checked for their form only.
_INSTALLED = ("sklearn", "numpy", "pandas", "scipy", "matplotlib", "seaborn", "IPython", "statsmodels", "xgboost", "lightgbm")
_NEEDS_MORE = frozenset({"pandas.formats.style"})  # its new home wants jinja2, which the environment has not
_STANDARD = ("math", "io", "pickle", "datetime", "builtins", "joblib", "ipywidgets", "traitlets", "matplotlib_inline")


@pytest.mark.parametrize("old", sorted(moves()))
def test_each_row_names_something_that_exists(old: str, installed: Installed) -> None:
    new = moves()[old]
    assert sources()[old], "a row without a release note"
    if old not in _NEEDS_MORE and old.partition(".")[0] in _INSTALLED and new.partition(".")[0] in (*_INSTALLED, *_STANDARD):
        assert installed.resolves(new)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "from sklearn.cross_validation import KFold, train_test_split",
            "from sklearn.model_selection import KFold, train_test_split",
        ),
        (
            "from sklearn.cross_validation import (KFold,\n    LeaveOneOut)  # two",
            "from sklearn.model_selection import (KFold,\n    LeaveOneOut)  # two",
        ),
        ("from sklearn import cross_validation, svm", "from sklearn import model_selection as cross_validation, svm"),
        ("from sklearn import cross_validation as cv", "from sklearn import model_selection as cv"),
        ("import sklearn.cross_validation", "import sklearn.model_selection"),
        ("import sklearn.cross_validation as cv", "import sklearn.model_selection as cv"),
        (
            "import sklearn.grid_search\nsklearn.grid_search.GridSearchCV",
            "import sklearn.model_selection\nsklearn.model_selection.GridSearchCV",
        ),
        ("from sklearn.grid_search import *", "from sklearn.model_selection import *"),
        ("from sklearn.externals import joblib", "import joblib"),
        ("from sklearn.externals import joblib as jl", "import joblib as jl"),
        (
            "from sklearn.tree.export import export_graphviz, _criterion",
            "from sklearn.tree import export_graphviz\nfrom sklearn.tree._export import _criterion",
        ),
        ("from sklearn.ensemble.forest import RandomForestClassifier", "from sklearn.ensemble import RandomForestClassifier"),
        (
            "from sklearn.lda import LDA\nLDA()",
            "from sklearn.discriminant_analysis import LinearDiscriminantAnalysis\nLinearDiscriminantAnalysis()",
        ),
        (
            "from sklearn.lda import LDA as L\nL()",
            "from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as L\nL()",
        ),
        (
            "import os; from sklearn.cross_validation import KFold; x = 1",
            "import os; from sklearn.model_selection import KFold; x = 1",
        ),
        ("import numpy as np\nx = np.float(3)", "import numpy as np\nx = float(3)"),
        ("import numpy\nx = numpy.NaN", "import numpy\nx = numpy.nan"),
        ("import numpy as np\n%time x = np.int(3)", "import numpy as np\n%time x = int(3)"),
        ("from numpy import NaN, array\nx = NaN", "from numpy import nan, array\nx = nan"),
        ("import numpy as np\nx = np.math.pi", "import math\nimport numpy as np\nx = math.pi"),
        ("import pandas as pd\npd.scatter_matrix", "import pandas as pd\npd.plotting.scatter_matrix"),
        ("from pandas.tools.plotting import scatter_matrix", "from pandas.plotting import scatter_matrix"),
        ("import pandas as pd\npd.np.mean", "import numpy\nimport pandas as pd\nnumpy.mean"),
        ("import numpy as np, pandas as pd\npd.np.mean", "import numpy as np, pandas as pd\nnp.mean"),
        (
            "from matplotlib import cm, pyplot as plt\ncm.get_cmap('x', 3)",
            "from matplotlib import cm, pyplot as plt\nplt.get_cmap('x', 3)",
        ),
        (
            "def f():\n    from sklearn.cross_validation import KFold\n",
            "def f():\n    from sklearn.model_selection import KFold\n",
        ),
    ],
)
def test_every_spelling_follows(rewrite: Callable[..., Any], before: str, after: str) -> None:
    assert rewrite(before, recipe="moved-symbol") == after


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\nx = np.bool_(1)\ny = np.nan",
        "np.float(3)",
        "class np:\n    float = int\nnp.float(3)",
        "from sklearn.model_selection import KFold",
        "try:\n    from sklearn.model_selection import KFold\nexcept ImportError:\n    from sklearn.cross_validation import *\n",
        "from sklearn.cross_validation import no_such_name",
        "from .cross_validation import KFold",
        "x = {'np.float': 1}",
        "import numpy as np\nf(float=np.float64)",
    ],
)
def test_what_is_not_gone_or_not_meant_stays(rewrite: Callable[..., Any], source: str) -> None:
    assert rewrite(source, recipe="moved-symbol") == source


def test_a_move_reaches_every_cell_and_module(rewrite: Callable[..., Any]) -> None:
    cells, modules = rewrite(
        ["import numpy as np", "x = np.float(1)", "y = [np.NaN]"],
        recipe="moved-symbol",
        modules={"tools.py": "import numpy as n\nz = n.Inf\n"},
    )
    assert cells == ["import numpy as np", "x = float(1)", "y = [np.nan]"]
    assert modules == {"tools.py": "import numpy as n\nz = n.inf\n"}
