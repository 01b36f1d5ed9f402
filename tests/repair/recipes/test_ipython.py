"""What moved out of IPython and within it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from IPython.core.display import display", "from IPython.display import display"),
        ("from IPython.core.display import HTML, display", "from IPython.display import HTML, display"),
        ("from IPython.core.display import display as show\nshow(1)", "from IPython.display import display as show\nshow(1)"),
        ("from IPython.core.display import HTML", "from IPython.core.display import HTML"),
        ("import IPython\nIPython.core.display.display(1)", "import IPython\nIPython.display.display(1)"),
        (
            "from IPython.display import set_matplotlib_formats\nset_matplotlib_formats('png')",
            "from matplotlib_inline.backend_inline import set_matplotlib_formats\nset_matplotlib_formats('png')",
        ),
        (
            "from IPython.display import Image, set_matplotlib_formats",
            "from IPython.display import Image\nfrom matplotlib_inline.backend_inline import set_matplotlib_formats",
        ),
        (
            "from IPython.display import clear_output\nclear_output(stdout=True)",
            "from IPython.display import clear_output\nclear_output()",
        ),
        # A cluster of engines has no successor that is installed here.
        ("from IPython.parallel import Client", "from IPython.parallel import Client"),
    ],
)
def test_names_are_found_at_their_new_places(rewrite: Callable[..., Any], before: str, after: str) -> None:
    assert rewrite(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from IPython.html import widgets\nwidgets.IntSlider()", "import ipywidgets as widgets\nwidgets.IntSlider()"),
        ("from IPython.html.widgets import interact", "from ipywidgets import interact"),
        ("import IPython.html.widgets as w\nw.IntSlider()", "import ipywidgets as w\nw.IntSlider()"),
        (
            "from IPython.html.widgets import FloatSliderWidget\nFloatSliderWidget()",
            "from ipywidgets import FloatSlider\nFloatSlider()",
        ),
    ],
)
def test_widgets_have_a_package_of_their_own(
    rewrite: Callable[..., Any], surface: Callable[..., Any], before: str, after: str
) -> None:
    packages = surface("IPython.display.display ipywidgets.interact ipywidgets.IntSlider ipywidgets.FloatSlider", ipython="9.1")
    assert rewrite(before, packages=packages) == after


def test_display_works_again(repair: Callable[..., Any]) -> None:
    assert repair(["from IPython.core.display import display, HTML", "shown = display is not None"]).value("shown") is True


def test_the_gap_behind_the_percent_sign_is_closed_in_every_cell(
    rewrite: Callable[..., Any], failure: Callable[..., Any]
) -> None:
    cells = ["import numpy as np\n% matplotlib inline\nx = 5 % 3", "% load_ext autoreload\n%autoreload 2", "y = (x\n% config)"]
    refused = failure("UsageError", "Line magic function `%` not found.", line=2)
    assert rewrite(cells, recipe="magic-with-space", failure=refused) == [
        "import numpy as np\n%matplotlib inline\nx = 5 % 3",
        "%load_ext autoreload\n%autoreload 2",
        cells[2],
    ]


def test_a_cell_with_a_gap_behind_the_percent_sign_is_read(rewrite: Callable[..., Any]) -> None:
    assert rewrite("import numpy as np\n% matplotlib inline\nx = np.float(3)") == (
        "import numpy as np\n% matplotlib inline\nx = float(3)"
    )
