"""Arguments that built-in functions took in Python 2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

KEY = "key=functools.cmp_to_key"


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("r = sorted([1, 2], cmp=lambda a, b: b - a)", f"r = sorted([1, 2], {KEY}(lambda a, b: b - a))", [2, 1]),
        ("r = sorted([1, 2], less, reverse=True)", f"r = sorted([1, 2], {KEY}(less), reverse=True)", [2, 1]),
        ("r = [1, 2]\nr.sort(lambda a, b: b - a)", f"r = [1, 2]\nr.sort({KEY}(lambda a, b: b - a))", [2, 1]),
        ("r = cmp(two, len('a'))", "r = ((two > len('a')) - (two < len('a')))", 1),
        ("r = cmp(max(1, 2), 3)", "r = (lambda a, b: (a > b) - (a < b))(max(1, 2), 3)", -1),
        ("r = 'a,b'.translate(None, ',')", "r = 'a,b'.translate(str.maketrans('', '', ','))", "ab"),
        ("r = 'a,b'.translate(table, ',')", "r = 'a,b'.translate({**table, **str.maketrans('', '', ',')})", "xb"),
    ],
)
def test_what_was_given_is_given_as_today(repair: Callable[..., Any], before: str, after: str, value: object) -> None:
    start = "import functools\ntwo, table = 2, str.maketrans('a', 'x')\ndef less(a, b):\n    return a - b"
    repaired = repair([start, before])
    assert repaired.cells[1] == after
    assert repaired.value("r", as_then=False) == value


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("table.sort('a')", "sort() got an unexpected keyword argument 'cmp'"),
        ("def cmp(a, b):\n    return 0\ncmp(1, 2)", "name 'cmp' is not defined"),
        ("x.sort(cmp=f, key=g)", "sort() got an unexpected keyword argument 'cmp'"),
        ("def sorted(x, cmp):\n    return x\nsorted([1], cmp=f)", "sort() got an unexpected keyword argument 'cmp'"),
        ("google.translate('a', 'fr')", "str.translate() takes exactly one argument (2 given)"),
        ("text.translate(table)", "str.translate() takes exactly one argument (2 given)"),
    ],
)
def test_other_calls_stay(rewrite: Callable[..., Any], failure: Callable[..., Any], cell: str, message: str) -> None:
    assert rewrite(cell, recipe="python2-arguments", failure=failure("TypeError", message, line=9)) == cell


def test_calls_of_other_classes_stay_beside_those_that_fail(repair: Callable[..., Any]) -> None:
    own = "class Own:\n    def sort(self, by):\n        return by\nown = Own()"
    repaired = repair(
        [own, "r = own.sort('a'), b'ab'.translate(None, b'a'), 'ab'.translate(None, 'a')", "s = own.sort('b'), [1].sort(cmp=len)"]
    )
    assert repaired.cells[1] == "r = own.sort('a'), b'ab'.translate(None, b'a'), 'ab'.translate(str.maketrans('', '', 'a'))"
    assert repaired.cells[2].startswith("import functools\ns = own.sort('b'), [1].sort(key=")
