"""Settings of matplotlib that are gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

RECIPE = "matplotlib-settings"
IMPORTS = "import matplotlib as mpl\nimport matplotlib.pyplot as plt\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("plt.rcParams['axes.color_cycle'] = ['r', 'b']", "plt.rcParams['axes.prop_cycle'] = plt.cycler(color=['r', 'b'])"),
        ("first = plt.rcParams['axes.color_cycle'][0]", "first = plt.rcParams['axes.prop_cycle'].by_key()['color'][0]"),
        ("plt.rc('axes', color_cycle=colors, grid=True)", "plt.rc('axes', prop_cycle=plt.cycler(color=colors), grid=True)"),
        (
            "mpl.rcParams.update({\"axes.color_cycle\": colors, 'font.size': 9})",
            "mpl.rcParams.update({\"axes.prop_cycle\": plt.cycler(color=colors), 'font.size': 9})",
        ),
        ("# above\nplt.rcParams['text.latex.unicode'] = True\nx = 1", "# above\nx = 1"),
        ("mpl.rcParams['axes.hold'] = True; x = 1", "x = 1"),
        ("mpl.rcParams.update({'font.size': 9, 'savefig.frameon': False})", "mpl.rcParams.update({'font.size': 9})"),
        ("plt.rcParams['text.latex.preamble'] = [r'\\x']", "plt.rcParams['text.latex.preamble'] = r'\\x'"),
        (
            "mpl.rcParams.update({'pgf.preamble': ['a', 'b'], 'font.size': 9})",
            "mpl.rcParams.update({'pgf.preamble': '\\n'.join(['a', 'b']), 'font.size': 9})",
        ),
        ("plt.rc('text.latex', preamble=['a', 'b'])", "plt.rc('text.latex', preamble='\\n'.join(['a', 'b']))"),
        ("if tex:\n    # not needed\n    plt.rcParams['text.latex.unicode'] = True", "if tex:\n    pass\n    # not needed"),
    ],
)
def test_a_gone_setting_is_translated_or_dropped(rewrite: Callable[..., Any], before: str, after: str) -> None:
    assert rewrite(IMPORTS + before, recipe=RECIPE) == IMPORTS + after


@pytest.mark.parametrize(
    "unchanged",
    [
        "plt.rcParams['axes.grid'] = True",
        "plt.rcParams['text.latex.preamble'] = 'a'",
        "options['text.latex.unicode'] = True",
        "plt.rc('font', size=9)",
        "d = {'axes.grid': 1}",
    ],
)
def test_other_settings_are_left_alone(rewrite: Callable[..., Any], unchanged: str) -> None:
    assert rewrite(IMPORTS + unchanged, recipe=RECIPE) == IMPORTS + unchanged


def test_the_colours_come_in_the_order_asked_for(repair: Callable[..., Any]) -> None:
    cells = [
        IMPORTS + "plt.rcParams['axes.color_cycle'] = ['#112233', '#445566']",
        "fig, ax = plt.subplots()\ncolors = [ax.plot([0, 1], [0, k])[0].get_color() for k in range(3)]",
        "kept = plt.rcParams['axes.color_cycle']\nplt.rcdefaults()",
    ]
    assert repair(cells).value("[colors, kept]") == [["#112233", "#445566", "#112233"], ["#112233", "#445566"]]
