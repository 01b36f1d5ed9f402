"""The seaborn style sheets under their new names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

RECIPE = "matplotlib-seaborn-style"
IMPORTS = "import matplotlib as mpl\nimport matplotlib.pyplot as plt\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("plt.style.use('seaborn')", "plt.style.use('seaborn-v0_8')"),
        ('plt.style.use("seaborn-whitegrid")', 'plt.style.use("seaborn-v0_8-whitegrid")'),
        ("plt.style.use(['seaborn-talk', 'ggplot'])", "plt.style.use(['seaborn-v0_8-talk', 'ggplot'])"),
        ("mpl.style.use('seaborn-white')", "mpl.style.use('seaborn-v0_8-white')"),
        ("with plt.style.context(('seaborn-white')):\n    f()", "with plt.style.context(('seaborn-v0_8-white')):\n    f()"),
        ("plt.style.library['seaborn-paper']", "plt.style.library['seaborn-v0_8-paper']"),
    ],
)
def test_a_style_keeps_its_look_under_its_new_name(rewrite: Callable[..., Any], before: str, after: str) -> None:
    assert rewrite(IMPORTS + before, recipe=RECIPE) == IMPORTS + after


@pytest.mark.parametrize(
    "unchanged",
    [
        "plt.style.use('ggplot')",
        "plt.style.use('seaborn-v0_8')",
        "name = 'seaborn'",
        "print('seaborn-white')",
        "df.style.use('seaborn')",
        "plt.style.use('seaborn-unknown')",
    ],
)
def test_other_texts_are_left_alone(rewrite: Callable[..., Any], unchanged: str) -> None:
    assert rewrite(IMPORTS + unchanged, recipe=RECIPE) == IMPORTS + unchanged


def test_a_style_kept_in_a_variable_is_followed_by_the_error(repair: Callable[..., Any]) -> None:
    repaired = repair(["STYLE = 'seaborn-whitegrid'", IMPORTS + "plt.style.use(STYLE)", "grid = plt.rcParams['axes.grid']"])
    assert repaired.value("grid") is True
    assert repaired.value("STYLE", as_then=False) == "seaborn-v0_8-whitegrid"
