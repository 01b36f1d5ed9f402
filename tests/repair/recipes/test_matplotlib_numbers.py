"""Widths given as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = "import io\nimport matplotlib\nmatplotlib.use('agg')\nimport matplotlib.pyplot as plt\nfig, ax = plt.subplots()"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("ax.scatter([1, 2], [1, 2], linewidths='1')", "ax.scatter([1, 2], [1, 2], linewidths=1)"),
        ("ax.scatter([1, 2], [1, 2], alpha='.5')", "ax.scatter([1, 2], [1, 2], alpha=.5)"),
    ],
)
def test_a_number_given_as_text_becomes_one(repair: Callable[..., Any], before: str, after: str) -> None:
    repaired = repair([_START, f"{before}\nfig.savefig(io.BytesIO())"])
    assert repaired.cells[1] == f"{after}\nfig.savefig(io.BytesIO())"
    assert repaired.last.failure is None


@pytest.mark.parametrize("source", ["f(linewidths='thin')", "f(label='1')", "f(linewidths=1)"])
def test_other_texts_stay(rewrite: Callable[..., Any], failure: Callable[..., Any], source: str) -> None:
    broken = failure("RuntimeError", "Unable to cast Python instance of type <class 'tuple'> to C++ type '?'")
    assert rewrite(source, recipe="matplotlib-number-as-text", failure=broken) == source


def test_nothing_happens_without_such_an_error(rewrite: Callable[..., Any]) -> None:
    assert rewrite("f(lw='1')", recipe="matplotlib-number-as-text") == "f(lw='1')"
