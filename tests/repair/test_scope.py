from __future__ import annotations

import libcst as cst
import pytest

from modernizer.repair.scope import Names, collect_names


def names_of(*cells: str) -> Names:
    return collect_names((number, cst.parse_module(cell)) for number, cell in enumerate(cells))


@pytest.mark.parametrize(
    ("cells", "expression", "meaning"),
    [
        (["import numpy as np"], "np.float", "numpy.float"),
        (["import numpy as np", "x = 1"], "np.linalg.norm", "numpy.linalg.norm"),
        (["import sklearn.svm"], "sklearn.svm.SVC", "sklearn.svm.SVC"),
        (["from sklearn import svm as s"], "s.SVC", "sklearn.svm.SVC"),
        (["from sklearn.svm import SVC"], "SVC", "sklearn.svm.SVC"),
        (["import numpy as np\nf = np.float"], "f", "numpy.float"),
        (["x = 1"], "np.float", None),
        (["from a import KFold\nclass KFold: pass"], "KFold", None),
        (["from .helpers import f"], "f", None),
    ],
)
def test_names_are_followed_through_imports(cells: list[str], expression: str, meaning: str | None) -> None:
    names = names_of(*cells, expression)
    assert names.qualified(cst.parse_expression(expression), len(cells)) == meaning


def test_the_nearest_import_above_wins() -> None:
    names = names_of("from a import f", "f()", "from b import f", "f()")
    assert names.imported("f", 1) == "a.f"
    assert names.imported("f", 3) == "b.f"


def test_a_function_above_its_imports_sees_later_cells() -> None:
    names = names_of("def f(): return np.pi", "import numpy as np")
    assert names.imported("np", 0) == "numpy"


@pytest.mark.parametrize(
    ("cells", "expression", "type_name"),
    [
        (["import pandas as pd\ndf = pd.read_csv('x')"], "df", "pandas.DataFrame"),
        (["import pandas as pd\ndf = pd.read_csv('x')"], "df['a']", "pandas.Series"),
        (["import pandas as pd\ndf = pd.read_csv('x')"], "df[['a']]", "pandas.DataFrame"),
        (["import pandas as pd\ndf = pd.read_csv('x')"], "df.dropna()", "pandas.DataFrame"),
        (["from sklearn.svm import SVC\nm = SVC().fit(X, y)"], "m", "sklearn.svm.SVC"),
        (["x = []"], "x", "list"),
        (["import pandas as pd\ndf = pd.read_csv('x')\nfor df in frames: pass"], "df", None),
        (["def f(df): pass"], "df", None),
        (["x = x"], "x", None),
    ],
)
def test_types_are_only_told_when_the_text_proves_them(cells: list[str], expression: str, type_name: str | None) -> None:
    names = names_of(*cells)
    assert names.type_of(cst.parse_expression(expression), len(cells)) == type_name


def test_modules_do_not_see_the_notebooks_names() -> None:
    names = collect_names([(0, cst.parse_module("import numpy as np")), ("helper.py", cst.parse_module("np.float(3)"))])
    assert names.imported("np", "helper.py") is None


@pytest.mark.parametrize(
    ("cell", "expression", "meaning"),
    [
        ("from preamble import *", "np.float", "numpy.float"),
        ("from preamble import np", "np.float", "numpy.float"),
        ("from preamble import cv", "cv", "preamble.cv"),
        ("from preamble import *", "cv", None),
        ("from preamble import *\nnp = 3", "np.float", None),
    ],
)
def test_packages_are_known_through_the_modules_that_import_them(cell: str, expression: str, meaning: str | None) -> None:
    preamble = cst.parse_module("import numpy as np\nfrom sklearn.cross_validation import KFold as cv")
    names = collect_names([(0, cst.parse_module(cell)), ("preamble.py", preamble)])
    assert names.qualified(cst.parse_expression(expression), 0) == meaning


def test_names_given_by_imports_are_listed() -> None:
    assert names_of("import numpy as np\nfrom pandas import rolling_mean as rm, Series").aliases() == {
        "np": "numpy",
        "rm": "pandas.rolling_mean",
    }
