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
