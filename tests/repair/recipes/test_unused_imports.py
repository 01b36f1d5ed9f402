"""Imports of gone names that nothing uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

GONE = "`load_boston` has been removed from scikit-learn since version 1.2."


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "from sklearn.datasets import load_iris, load_boston\nload_iris()",
            "from sklearn.datasets import load_iris\nload_iris()",
        ),
        ("import sys\nfrom sklearn.datasets import load_boston\nsys.path", "import sys\nsys.path"),
        ("from sklearn.linear_model import RandomizedLasso\nx = 1", "x = 1"),
    ],
)
def test_an_import_without_use_is_dropped(rewrite: Callable[..., Any], failure: Callable[..., Any], old: str, new: str) -> None:
    assert rewrite(old, failure=failure("ImportError", f"sklearn: {GONE}")) == new


@pytest.mark.parametrize(
    "source",
    [
        "from sklearn.datasets import load_boston\nboston = load_boston()",
        "from sklearn.datasets import load_boston\nfrom sklearn import datasets\nd = datasets.load_boston()",
        "from not_installed_anywhere import thing",
    ],
)
def test_an_import_in_use_or_of_a_missing_package_stays(
    rewrite: Callable[..., Any], failure: Callable[..., Any], source: str
) -> None:
    assert rewrite(source, recipe="unused-gone-import", failure=failure("ImportError", f"sklearn: {GONE}")) == source


def test_nothing_is_dropped_without_the_error(rewrite: Callable[..., Any]) -> None:
    source = "from sklearn.datasets import load_boston"
    assert rewrite(source) == source


HELPERS = '''\
import numpy as np
from sklearn.datasets import load_iris, fetch_mldata


def prices(size=3):
    """Return prices."""
    boston = fetch_mldata()
    return boston.data[:size]


class Flowers:
    def size(self):
        return load_iris().data.shape
'''


def test_a_helper_module_imports_what_is_gone_where_it_is_used(repair: Callable[..., Any]) -> None:
    cells = ["from lab import Flowers", "n = Flowers().size()[0]"]
    repaired = repair(cells, modules={"lab.py": HELPERS})
    assert repaired.cells == cells
    assert repaired.value("n") == 150
    assert repaired.modules["lab.py"] == HELPERS.replace("load_iris, fetch_mldata", "load_iris").replace(
        '    """Return prices."""\n', '    """Return prices."""\n    from sklearn.datasets import fetch_mldata\n'
    )


def test_a_notebook_that_imports_the_same_by_itself_leaves_the_module_its_way(repair: Callable[..., Any]) -> None:
    cells = ["from lab import Flowers\nn = Flowers().size()[0]", "from sklearn.datasets import fetch_mldata"]
    assert "    from sklearn.datasets import fetch_mldata" in repair(cells, modules={"lab.py": HELPERS}).modules["lab.py"]


def test_a_gone_name_that_is_taken_from_the_module_stays(repair: Callable[..., Any]) -> None:
    cells = ["from lab import fetch_mldata, Flowers", "boston = fetch_mldata()"]
    assert repair(cells, modules={"lab.py": HELPERS}).modules == {"lab.py": HELPERS}


@pytest.mark.parametrize(
    "source",
    [
        "from sklearn.datasets import fetch_mldata\nboston = fetch_mldata()\ndef f():\n    return boston\n",
        "from sklearn.datasets import fetch_mldata\ndef f(load=fetch_mldata):\n    return load()\n",
        "from sklearn.datasets import fetch_mldata\nclass Data:\n    load = fetch_mldata\n",
    ],
)
def test_a_gone_name_that_the_module_itself_needs_stays(repair: Callable[..., Any], source: str) -> None:
    assert repair(["import lab"], modules={"lab.py": source}).modules == {"lab.py": source}
