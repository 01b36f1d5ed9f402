"""Parts of figures that are reached otherwise now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
df = pd.DataFrame({'a': list('xyxy'), 'b': [1, 2, 3, 4.0]})
ax = plt.figure().gca()
line, = ax.plot([], [])
contours = plt.contour(np.eye(4))"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("for c in contours.collections:\n    c.set_linewidth(2)", "for c in [contours]:\n    c.set_linewidth(2)"),
        ("line.set_data(1, 2)", "line.set_data([1], [2])"),
        ("line.set_xdata(3)", "line.set_xdata([3])"),
        ("ax.lines.pop(0)", "ax.lines[0].remove()"),
        ("ax.lines = []", "for artist in list(ax.lines):\n    artist.remove()"),
        ("ax.lines[:] = []", "for artist in list(ax.lines):\n    artist.remove()"),
        ("artist = 1\nax.lines = []  # none", "artist = 1\nfor drawn in list(ax.lines):  # none\n    drawn.remove()"),
        ("del ax.lines[:]", "for artist in list(ax.lines):\n    artist.remove()"),
        ("del ax.lines[0]", "ax.lines[0].remove()"),
        ("ax.lines.remove(line)", "line.remove()"),
        ("b = plt.figure().gca()\nb.get_shared_x_axes().join(ax, b)", "b = plt.figure().gca()\nb.sharex(ax)"),
        ("c = next(ax._get_lines.prop_cycler)['color']", "c = ax._get_lines.get_next_color()"),
        (
            "_, s, _ = plt.stem([1, 2])\nfor one in s:\n    one.set_lw(3)",
            "_, s, _ = plt.stem([1, 2])\nfor one in [s]:\n    one.set_lw(3)",
        ),
        ("ax.bar([1, 2], [3, 4], color='rb')", "ax.bar([1, 2], [3, 4], color=list('rb'))"),
        ("plt.scatter(df.b, df.b, c=['r', 'b'])", "plt.scatter(df.b, df.b, c=np.resize(['r', 'b'], len(df.b)))"),
        ("plt.plot([1], label='a')\nplt.legend(loc='Top')", "plt.plot([1], label='a')\nplt.legend(loc='best')"),
        ("ax.set_xticks([0, 1], True)", "ax.set_xticks([0, 1], minor=True)"),
        (
            "z = np.eye(3)\nplt.pcolormesh(range(3), range(3), z, shading='flat')",
            "z = np.eye(3)\nplt.pcolormesh(range(3), range(3), z[:-1, :-1], shading='flat')",
        ),
        (
            "ax.annotate('a', (0, 0), (1, 1), arrowprops=dict(width=1, frac=.1))",
            "ax.annotate('a', (0, 0), (1, 1), arrowprops=dict(width=1))",
        ),
        ("ax.loglog([1], [2], basex=2, basey=2)", "ax.loglog([1], [2], base=2)"),
        ("ax.loglog([1], [2], basex=2, basey=10)", "ax.loglog([1], [2])\nax.set_xscale('log', base=2)"),
        ("x = plt.loglog([1], [2], nonposy='mask')", "x = plt.loglog([1], [2])\nplt.yscale('log', nonpositive='mask')"),
        ("ax.set_xticklabels([], {'fontsize': 8}, False)", "ax.set_xticklabels([], fontdict={'fontsize': 8}, minor=False)"),
        ("plt.subplot('211')", "plt.subplot(211)"),
        ("ax.legend([line], ['a']).draggable()", "ax.legend([line], ['a']).set_draggable(True)"),
        (
            "fig = plt.figure()\nfig.colorbar(plt.cm.ScalarMappable(cmap='jet'))",
            "fig = plt.figure()\nfig.colorbar(plt.cm.ScalarMappable(cmap='jet'), ax=fig.gca())",
        ),
        ("df['b'].plot(kind='hist', normed=True)", "df['b'].plot(kind='hist', density=True)"),
        (
            "g = sns.FacetGrid(df, col='a')\ng.map(plt.hist, 'b', normed=True)",
            "g = sns.FacetGrid(df, col='a')\ng.map(plt.hist, 'b', density=True)",
        ),
        (
            "for t in ax.xaxis.get_major_ticks():\n    t.label.set_fontsize(5)",
            "for t in ax.xaxis.get_major_ticks():\n    t.label1.set_fontsize(5)",
        ),
        (
            "from mpl_toolkits.mplot3d import Axes3D\nb = Axes3D(plt.figure())\nb.w_xaxis.set_ticks([])",
            "from mpl_toolkits.mplot3d import Axes3D\nb = Axes3D(plt.figure())\nb.xaxis.set_ticks([])",
        ),
    ],
)
def test_the_same_is_drawn(repair: Callable[..., Any], before: str, after: str) -> None:
    repaired = repair([_START, before])
    assert repaired.cells[1] == after
    assert repaired.last.failure is None


def test_contours_and_canvases_give_the_numbers_they_gave(repair: Callable[..., Any]) -> None:
    """Matplotlib 2.2.2 gave these points and bytes."""
    cells = [
        "import matplotlib.pyplot as plt",
        "fig = plt.figure(figsize=(1, 1), dpi=2)\nfig.canvas.draw()\ndrawn = list(fig.canvas.tostring_rgb())",
        "points = plt.contour([[1, 2], [3, 4]], levels=[1.5]).collections[0].get_paths()[0].vertices",
    ]
    assert repair(cells).value("[drawn, points]") == [[255] * 12, [[0.0, 0.25], [0.5, 0.0]]]


@pytest.mark.parametrize(
    ("cell", "error", "message"),
    [
        ("if x:\n    f(ax.loglog([1], [2], basex=2))", "TypeError", "unexpected keyword argument 'basex'"),
        ("def loglog(x, basex):\n    return basex\nloglog(1, basex=2)", "TypeError", "unexpected keyword argument 'basex'"),
        (
            "class Own:\n    def loglog(self, basex):\n        return basex\nOwn().loglog(basex=2)",
            "TypeError",
            "argument 'basex'",
        ),
        ("for one in stems:\n    count += 1", "TypeError", "'LineCollection' object is not iterable"),
        ("figure.legend(loc=place)", "ValueError", "'top' is not a valid value for loc"),
        ("ax.set_xticks([0, 1], ['a', 'b'])", "TypeError", "takes 1 positional argument but 2 were given"),
        ("plt.plot([1], color='purple')", "ValueError", "'purple' is not a valid value for color"),
        ("box.lines.remove(3)", "ValueError", "list.remove(x): x not in list"),
        ("del data[0]", "TypeError", "'ArtistList' object does not support item deletion"),
    ],
)
def test_what_has_no_old_meaning_stays(
    rewrite: Callable[..., Any], failure: Callable[..., Any], cell: str, error: str, message: str
) -> None:
    assert rewrite([_START, cell], failure=failure(error, message, unit=1))[1] == cell


@pytest.mark.parametrize(
    "cell",
    [
        "for c, w in zip(contours.collections, [1, 2]):\n    c.set_linewidth(w)",
        "n = len(contours.collections)",
        "line.set_data([1], 2)\nline.set_data(3, 4)",
        "model.plot(kind='kde', normed=True)",
        "items = [1, 2]\nitems.pop(0)",
    ],
)
def test_what_means_another_thing_stays(rewrite: Callable[..., Any], failure: Callable[..., Any], cell: str) -> None:
    refused = failure("AttributeError", "'QuadContourSet' object has no attribute 'collections'", unit=1)
    assert rewrite([_START, cell], failure=refused)[1] == cell
