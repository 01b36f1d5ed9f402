"""Imports of neighbours inside a package of the repository."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

NAME = "python-2-relative-import"
SHAPES = {
    "shapes/__init__.py": "from circle import area  # the only one\nimport square, math\n",
    "shapes/circle.py": "import math\nimport helpers as own\n\ndef area(r):\n    print r\n    return own.half(math.pi) * r\n",
    "shapes/square.py": "from tools.sides import SIDES\n",
    "shapes/helpers.py": "def half(x):\n    return x / 2.0\n",
    "shapes/tools/__init__.py": "",
    "shapes/tools/sides.py": "SIDES = 4\n",
}


def test_a_package_imports_its_neighbours_by_a_dot(repair: Callable[..., Any]) -> None:
    repaired = repair("import shapes\nr = [round(shapes.area(1), 2), shapes.square.SIDES]", modules=SHAPES)
    assert repaired.value("r", as_then=False) == [1.57, 4]
    assert repaired.cells == ["import shapes\nr = [round(shapes.area(1), 2), shapes.square.SIDES]"]
    modules = repaired.modules
    assert modules["shapes/__init__.py"] == "from .circle import area  # the only one\nimport math\nfrom . import square\n"
    assert modules["shapes/circle.py"].startswith("import math\nfrom . import helpers as own\n")
    assert modules["shapes/square.py"] == "from .tools.sides import SIDES\n"


@pytest.mark.parametrize(
    ("modules", "missing"),
    [
        ({"lab.py": "import sides\n", "sides.py": ""}, "sides"),  # no package
        ({"lab/__init__.py": "import numpy\n", "lab/numpy.py": ""}, "elsewhere"),  # installed, and meant or not
        ({"lab/__init__.py": "from .sides import a\nimport lab.sides\n", "lab/sides.py": "a = 1\n"}, "gone"),
        ({"lab/__init__.py": "import sides\n"}, "sides"),  # nothing beside it
    ],
)
def test_other_imports_stay(
    rewrite: Callable[..., Any], failure: Callable[..., Any], modules: dict[str, str], missing: str
) -> None:
    failed = failure("ModuleNotFoundError", f"No module named '{missing}'", unit=next(iter(modules)))
    assert rewrite("import lab", recipe=NAME, failure=failed, modules=modules) == ("import lab", modules)
