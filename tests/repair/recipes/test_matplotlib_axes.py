"""Axes: projections, hold, dates, counts of subplots, colours, lost methods and arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

PYPLOT = "import matplotlib.pyplot as plt\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("fig = plt.figure()\nax = fig.gca(projection='3d')", "fig = plt.figure()\nax = fig.add_subplot(projection='3d')"),
        ("ax = plt.figure().gca(projection='3d')", "ax = plt.figure().add_subplot(projection='3d')"),
        ("ax = plt.gca(projection='3d')", "ax = plt.subplot(projection='3d')"),
        # The axes is there already: gca() gave it back.
        (
            "ax = fig.add_subplot(111, projection='3d')\nfig.gca(projection='3d').view_init(30, 0)",
            "ax = fig.add_subplot(111, projection='3d')\nfig.gca().view_init(30, 0)",
        ),
        ("ax = plt.gca()", "ax = plt.gca()"),
        ("ax = fig.gca()", "ax = fig.gca()"),
        ("ax = plt.subplot(projection='3d')", "ax = plt.subplot(projection='3d')"),
    ],
)
def test_axes_of_a_projection_are_made_by_name(rewrite: Callable[..., Any], before: str, after: str) -> None:
    assert rewrite(PYPLOT + before, recipe="matplotlib-gca-projection") == PYPLOT + after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("plt.hold(True)\nplt.plot(x)", "plt.plot(x)"),
        ("# first\nplt.hold('on')\nplt.plot(x)", "# first\nplt.plot(x)"),
        ("plt.plot(x); plt.hold(True)", "plt.plot(x)"),
        ("if x:\n    plt.hold(True)", "if x:\n    pass"),
        # These would have cleared the axes or switched to that.
        ("plt.hold(False)", "plt.hold(False)"),
        ("plt.hold()", "plt.hold()"),
        ("door.hold(True)", "door.hold(True)"),
    ],
)
def test_hold_is_dropped_where_it_was_on(rewrite: Callable[..., Any], before: str, after: str) -> None:
    assert rewrite(PYPLOT + before, recipe="matplotlib-hold") == PYPLOT + after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("plt.imshow(x, cmap='spectral')", "plt.imshow(x, cmap='nipy_spectral')"),
        ('plt.get_cmap("Vega20", 3)', 'plt.get_cmap("tab20", 3)'),
        ("plt.axis('normal')", "plt.axis('auto')"),
        ("plt.scatter(x, y, linewidths=1, linewidth=2)", "plt.scatter(x, y, linewidth=2)"),
        ("plt.subplots(subplot_kw=dict(axisbg='w'))", "plt.subplots(subplot_kw=dict(facecolor='w'))"),
        ("sns.distplot(x, hist_kws={'normed': True})", "sns.distplot(x, hist_kws={'density': True})"),
        ("plt.imshow(x, cmap='Spectral')", "plt.imshow(x, cmap='Spectral')"),
        ("name = 'spectral'", "name = 'spectral'"),
        ("plt.scatter(x, y, linewidths=1)", "plt.scatter(x, y, linewidths=1)"),
        ("d = {'normed': True}", "d = {'normed': True}"),
    ],
)
def test_colours_and_options_have_their_present_names(rewrite: Callable[..., Any], before: str, after: str) -> None:
    assert rewrite(PYPLOT + before, recipe="matplotlib-colors") == PYPLOT + after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("plt.plot_date(d, y)", "plt.gca().xaxis_date()\nplt.plot(d, y, 'o')"),
        ("plt.plot_date(d, y, 'r-', label='x')", "plt.gca().xaxis_date()\nplt.plot(d, y, 'r-', label='x')"),
        ("plt.plot_date(d, y, fmt='r-', label='x')", "plt.gca().xaxis_date()\nplt.plot(d, y, 'r-', label='x')"),
        ("# dates\nl = plt.plot_date(d, y, lw=2)", "# dates\nplt.gca().xaxis_date()\nl = plt.plot(d, y, 'o', lw=2)"),
        ("plt.plot_date(d, y, xdate=False)", "plt.plot_date(d, y, xdate=False)"),
        ("plt.plot_date(*points)", "plt.plot_date(*points)"),
    ],
)
def test_a_plot_over_dates_is_a_plot_on_an_axis_of_dates(rewrite: Callable[..., Any], before: str, after: str) -> None:
    assert rewrite(PYPLOT + before, recipe="matplotlib-plot-date") == PYPLOT + after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("plt.hist(x, bins=5, normed=True)", "plt.hist(x, bins=5, density=True)"),
        ("ax.hist(x, normed=1)", "ax.hist(x, density=1)"),
        ("plt.axes(axisbg='k')", "plt.axes(facecolor='k')"),
        ("fig.add_subplot(1, 1, 1, axisbg='k')", "fig.add_subplot(1, 1, 1, facecolor='k')"),
        ("plt.grid(b=True)", "plt.grid(visible=True)"),
        ("ax.grid(b=True, which='major')", "ax.grid(visible=True, which='major')"),
        ("plt.bar(left=x, height=y)", "plt.bar(x=x, height=y)"),
        ("plt.barh(bottom=x, width=y)", "plt.barh(y=x, width=y)"),
        ("ax.annotate(s='a', xy=(0, 0))", "ax.annotate(text='a', xy=(0, 0))"),
        ("ax.boxplot(x, labels=names)", "ax.boxplot(x, tick_labels=names)"),
        ("plt.boxplot(x, whis='range')", "plt.boxplot(x, whis=(0, 100))"),
        ("plt.scatter(x, y, c='', edgecolor='k')", "plt.scatter(x, y, c='none', edgecolor='k')"),
        ("plt.savefig('a.png', frameon=False)", "plt.savefig('a.png')"),
        ("plt.savefig('a.png', papertype=None)", "plt.savefig('a.png')"),
        ("plt.scatter(x, y, edgecolors='')", "plt.scatter(x, y, edgecolors='none')"),
        ("plt.title(s='a')", "plt.title(label='a')"),
        ("plt.axvline(1, hold=None)", "plt.axvline(1)"),
        ("plt.axvline(1,  # one\n    hold=None,  # kept\n)", "plt.axvline(1,  # one\n)"),
        ("plt.axvline(1,  # one\n    hold=None)", "plt.axvline(1,  # one\n    )"),
        ("ax.set_thetagrids(x, names, frac=1.2)", "ax.set_thetagrids(x, names)"),
        ("ax.set_aspect(1, adjustable='box-forced')", "ax.set_aspect(1, adjustable='box')"),
        ("plt.stem(x, y, use_line_collection=True)", "plt.stem(x, y)"),
        ("plt.semilogx(x, y, basex=2)", "plt.semilogx(x, y, base=2)"),
        ("ax.set_yscale('symlog', linthreshy=2, basey=3)", "ax.set_yscale('symlog', linthresh=2, base=3)"),
        ("plt.plot(x, hold=True, lw=2)", "plt.plot(x, lw=2)"),
        ("plt.text(0, 0, s='a')", "plt.text(0, 0, s='a')"),
        ("plt.figure(frameon=False)", "plt.figure(frameon=False)"),
        ("plt.loglog(x, y, basex=2)", "plt.loglog(x, y, basex=2)"),
        (
            "class Own:\n    def savefig(self, papertype): pass\nOwn().savefig(papertype=None)",
            "class Own:\n    def savefig(self, papertype): pass\nOwn().savefig(papertype=None)",
        ),
        ("plt.plot(x, hold=False)", "plt.plot(x, hold=False)"),
    ],
)
def test_arguments_have_their_present_names(rewrite: Callable[..., Any], before: str, after: str) -> None:
    assert rewrite(PYPLOT + before, recipe="changed-argument") == PYPLOT + after


# Values as matplotlib 2.2 gave them.
@pytest.mark.parametrize(
    ("cells", "expression", "value"),
    [
        (
            ["heights = plt.hist([1, 2, 2, 3], bins=3, normed=True)[0]"],
            "[round(float(h), 6) for h in heights]",
            [0.375, 0.75, 0.375],
        ),
        (["fig = plt.figure()", "ax = fig.gca(projection='3d')"], "ax.name", "3d"),
        (["ax = plt.gca()", "ax.set_axis_bgcolor('#ff0000')"], "ax.get_facecolor()", [1.0, 0.0, 0.0, 1.0]),
        (["fig, ax = plt.subplots()", "ax.set_color_cycle(['r', 'b'])\nl, = ax.plot([1])"], "l.get_color()", "r"),
        (["fig, ax = plt.subplots(1, 2)", "first = [a.is_first_col() for a in ax]"], "first", [True, False]),
        (["fig, ax = plt.subplots(); ax.plot([1], label='a'); g = ax.legend()", "n = len(g.legendHandles)"], "n", 1),
        (["fig = plt.figure()\nfig.canvas.set_window_title('a')\nt = fig.canvas.manager is not None"], "t", True),
        (["n = 4", "ax = plt.subplot(n / 2, 2, 1)"], "list(ax.get_subplotspec().get_geometry()[:2])", [2, 2]),
        (["ax = plt.subplot(2, 2, 1.0)"], "list(ax.get_subplotspec().get_geometry()[:2])", [2, 2]),
        (["cmap = plt.cm.get_cmap('jet', 5)"], "cmap.N", 5),
        (["import matplotlib\nname = matplotlib.cm.spectral.name"], "name", "nipy_spectral"),
        (["p = plt.scatter([1], [1], c='', edgecolor='b')"], "[len(p.get_facecolor()), len(p.get_edgecolor())]", [0, 1]),
        (["p = plt.scatter([1], [1], linewidths=1, linewidth=5)"], "list(p.get_linewidths())", [5]),
        (["plt.hold(True)", "plt.plot([1], hold=True); n = len(plt.gca().lines)"], "n", 1),
        (
            ["import datetime\nd = [datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)]", "l, = plt.plot_date(d, [1, 2])"],
            "[l.get_marker(), l.get_linestyle()]",
            ["o", "None"],
        ),
    ],
)
def test_what_is_drawn_is_what_was_drawn(repair: Callable[..., Any], cells: list[str], expression: str, value: object) -> None:
    assert repair([PYPLOT, *cells]).value(expression) == value
