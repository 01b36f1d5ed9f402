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
    assert rewrite(source, failure=failure("ImportError", f"sklearn: {GONE}")) == source


def test_nothing_is_dropped_without_the_error(rewrite: Callable[..., Any]) -> None:
    source = "from sklearn.datasets import load_boston"
    assert rewrite(source) == source
