"""Images resized as scipy.misc did."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

CELLS = [
    "import numpy as np\nfrom scipy.misc import imresize",
    "a = np.arange(24.).reshape(4, 6)\nsums = [int(imresize(a, size).sum()) for size in ((2, 3), 50, 2.0)]",
    "b = a.astype('uint8')\nsums.append(int(imresize(b, (8, 8), 'nearest').sum()))",
]


def test_shapes_and_8_bit_scaling_are_kept(repair: Callable[..., Any]) -> None:
    repaired = repair(CELLS)
    assert repaired.value("[imresize(a, (2, 3)).shape, imresize(a, 50).shape, str(imresize(a, 2.0).dtype)]") == [
        [2, 3],
        [2, 3],
        "uint8",
    ]
    assert repaired.value("[int(imresize(a, (4, 6)).min()), int(imresize(a, (4, 6)).max())]") == [0, 255]


def test_the_function_takes_the_place_of_the_import(rewrite: Callable[..., Any]) -> None:
    after = rewrite(CELLS)
    assert "scipy" not in after[0].partition("def ")[0]
    assert "def imresize(" in after[0]
    assert after[1:] == CELLS[1:]


def test_a_function_of_the_program_stays(rewrite: Callable[..., Any]) -> None:
    source = "def imresize(a): return a\nimresize(1)"
    assert rewrite(source) == source
