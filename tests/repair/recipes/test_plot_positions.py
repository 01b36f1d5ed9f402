"""Positional arguments of plotting functions get the names of their old places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

RECIPE = "positional-plot-argument"
SEABORN = "import seaborn as sns\n"
PYPLOT = "import matplotlib.pyplot as plt\n"

NAMED = [
    ("sns.boxplot('g', 'a', data=df)", "sns.boxplot(x='g', y='a', data=df)"),
    ("sns.boxplot('g', 'a', 'h', df)", "sns.boxplot(x='g', y='a', hue='h', data=df)"),
    ("sns.barplot(df.g, df.a, ax=ax,)", "sns.barplot(x=df.g, y=df.a, ax=ax,)"),
    ("sns.countplot('g', data=df)", "sns.countplot(x='g', data=df)"),
    ("sns.lmplot('a', 'b', df)", "sns.lmplot(x='a', y='b', data=df)"),
    ("sns.lmplot('a', 'b',\n           data=df)", "sns.lmplot(x='a', y='b',\n           data=df)"),
    ("sns.regplot('a', 'b', df, color='r')", "sns.regplot(x='a', y='b', data=df, color='r')"),
    ("sns.jointplot('a', 'b', df, 'kde')", "sns.jointplot(x='a', y='b', data=df, kind='kde')"),
    ("sns.kdeplot(df.a, df.b, shade=True)", "sns.kdeplot(x=df.a, y=df.b, shade=True)"),
    ("sns.kdeplot(df.a, data2=df.b)", "sns.kdeplot(x=df.a, y=df.b)"),
    ("sns.FacetGrid(df, 'g', 'h')", "sns.FacetGrid(df, row='g', col='h')"),
    ("sns.pairplot(df, 'g')", "sns.pairplot(df, hue='g')"),
    ("sns.heatmap(df, 0, 1)", "sns.heatmap(df, vmin=0, vmax=1)"),
    # scatterplot and lineplot named style and size in another order.
    ("sns.scatterplot('a', 'b', 'h', 'g', data=df)", "sns.scatterplot(x='a', y='b', hue='h', style='g', data=df)"),
    ("sns.lineplot('a', 'b', 'h', 'g', data=df)", "sns.lineplot(x='a', y='b', hue='h', size='g', data=df)"),
    ("sns.barplot('g', 'a', **options)", "sns.barplot(x='g', y='a', **options)"),
    ("sns.boxplot([1, 2, 3])", "sns.boxplot(x=[1, 2, 3])"),
]


@pytest.mark.parametrize(("before", "after"), NAMED)
def test_seaborn_arguments_get_the_names_of_their_old_places(rewrite: Callable[..., Any], before: str, after: str) -> None:
    assert rewrite(SEABORN + before, recipe=RECIPE) == SEABORN + after


@pytest.mark.parametrize(
    "unchanged",
    [
        "sns.boxplot(x='g', y='a', data=df)",
        "sns.boxplot(df, x='g', y='a')",
        "sns.boxplot(df, y='a')",
        "sns.lineplot(df)",
        "sns.kdeplot(df.a, shade=True)",
        "sns.heatmap(df, annot=True)",
        "sns.boxplot(*columns)",
        "sns.boxplot('g', 'a', y='b')",
        "sns.distplot(df.a, 10, False)",
        "df.boxplot('g', 'a')",
        "sns.set_style('white', rc)",
    ],
)
def test_calls_that_mean_the_same_today_are_left_alone(rewrite: Callable[..., Any], unchanged: str) -> None:
    assert rewrite(SEABORN + unchanged, recipe=RECIPE) == SEABORN + unchanged


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("plt.tight_layout(1)", "plt.tight_layout(pad=1)"),
        ("fig.tight_layout(1.5, 2)", "fig.tight_layout(pad=1.5, h_pad=2)"),
        ("plt.legend(lines, names, 'upper right')", "plt.legend(lines, names, loc='upper right')"),
        ("ax.legend([a], ['b'], 2)", "ax.legend([a], ['b'], loc=2)"),
        ("fig, ax = plt.subplots(2, 2, True)", "fig, ax = plt.subplots(2, 2, sharex=True)"),
        ("plt.stem(x, y, 'r-', 'bo')", "plt.stem(x, y, 'r-', markerfmt='bo')"),
        (
            "from matplotlib.collections import LineCollection as L\nL([], 3, 'r')",
            "from matplotlib.collections import LineCollection as L\nL([], linewidths=3, colors='r')",
        ),
        ("plt.Rectangle((0, 0), 1, 1, 30)", "plt.Rectangle((0, 0), 1, 1, angle=30)"),
        ("grid.tight_layout(fig)", "grid.tight_layout(fig)"),
        ("plt.legend(['a'], loc=3)", "plt.legend(['a'], loc=3)"),
        ("plt.plot(x, y, 'r')", "plt.plot(x, y, 'r')"),
    ],
)
def test_matplotlib_arguments_get_the_names_of_their_old_places(rewrite: Callable[..., Any], before: str, after: str) -> None:
    assert rewrite(PYPLOT + before, recipe=RECIPE) == PYPLOT + after


FRAME = (
    "import matplotlib.pyplot as plt\nimport pandas as pd\nimport seaborn as sns\n"
    "df = pd.DataFrame({'a': [1.0, 2.5, 4.0, 3.0], 'b': [2.0, 1.0, 3.5, 0.5], 'g': list('xyxy')})\nfig = plt.figure()"
)
LABELS = "[ax.get_xlabel(), ax.get_ylabel()]"


# The labels are those that seaborn 0.8.1 gave.
@pytest.mark.parametrize(
    ("call", "labels"),
    [
        ("ax = sns.boxplot('g', 'a', data=df)", ["g", "a"]),
        ("ax = sns.violinplot(df.a, df.g)", ["a", "g"]),
        ("ax = sns.countplot('g', data=df)", ["g", "count"]),
        ("ax = sns.countplot(df['g'], hue=df['a'])", ["g", "count"]),
        ("ax = sns.regplot('a', 'b', df)", ["a", "b"]),
        ("ax = sns.kdeplot(df.a, df.b)", ["a", "b"]),
        ("ax = sns.stripplot('g', 'a', 'g', df, split=True)", ["g", "a"]),
        ("ax = sns.lmplot('a', 'b', df, size=3).ax", ["a", "b"]),
        ("ax = sns.jointplot('a', 'b', data=df, size=3, stat_func=None).ax_joint", ["a", "b"]),
        ("ax = sns.factorplot('g', 'a', data=df, kind='bar', size=3).ax", ["g", "a"]),
        ("ax = sns.FacetGrid(df, hue='g', size=3).map(plt.scatter, 'a', 'b').ax", ["a", "b"]),
        ("ax = sns.JointGrid('a', 'b', df).plot(sns.regplot, sns.distplot).ax_joint", ["a", "b"]),
    ],
)
def test_plots_show_what_they_showed(repair: Callable[..., Any], call: str, labels: list[str]) -> None:
    assert repair([FRAME, call]).value(LABELS) == labels


def test_a_series_alone_lies_along_x_as_it_did(repair: Callable[..., Any]) -> None:
    repaired = repair([FRAME, "ax = sns.boxplot(df['a'])", "sns.boxplot('g', 'b', data=df)"])
    assert repaired.value(LABELS) == ["a", ""]


def test_a_frame_alone_is_left_alone(repair: Callable[..., Any]) -> None:
    repaired = repair([FRAME, "ax = sns.boxplot(df[['a', 'b']])", "sns.boxplot('g', 'b', data=df)"])
    assert repaired.cells[1] == "ax = sns.boxplot(df[['a', 'b']])"
    assert repaired.last.failure is None
