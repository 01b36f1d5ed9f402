"""Python 2's division of integers, told by the operands of a whole run that divided as Python 2 did."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import ClassVar

from modernizer.execution.live_object import Division
from modernizer.magics import mask
from modernizer.parsing import parse_python
from modernizer.repair.program import Key
from modernizer.repair.recipe import Scope, Unit

_Place = tuple[int, int, int, int]


class IntegerDivision:
    """``/`` between integers becomes ``//``, everywhere a run showed integers and nothing else."""

    name: ClassVar[str] = "python-2-division"
    summary: ClassVar[str] = "In Python 2 a / between integers dropped the remainder, as // does in Python 3."
    since: ClassVar[str] = "Python 3.0"
    source: ClassVar[str] = "PEP 238, https://peps.python.org/pep-0238/"
    words: ClassVar[frozenset[str]] = frozenset({"/"})
    order: ClassVar[int] = 11
    confirmed: ClassVar[bool] = False
    at_end: ClassVar[bool] = True

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Floor the divisions of this cell that were of integers only; other places are left as they are."""
        if scope.live is None or not isinstance(unit.key, int) or unit.masked is None:
            return None
        places = _integer_places(scope.live.divisions(), unit.key, _lines_before_body(unit.source))
        if not places:
            return None
        return unit.masked.unmask(floored(unit.masked.code, places))

    def rewrite_all(self, units: Mapping[Key, Unit], scope: Scope) -> dict[Key, str]:
        """Rewrite each cell; the live kernel is asked once."""
        if scope.live is None:
            return {}
        divided = {division.cell for division in scope.live.divisions() if division.integers}
        return {key: new for key, unit in units.items() if key in divided and (new := self.rewrite(unit, scope)) is not None}


def floored(code: str, places: frozenset[_Place]) -> str:
    """Replace the ``/`` of the divisions at these places (positions as in ast) by ``//``."""
    lines = code.encode().split(b"\n")
    edits = []
    for node in ast.walk(parse_python(code)):
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div) and _place(node) in places:
            left, right = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
            edits.append((left, right))
    for left, right in sorted(edits, key=lambda pair: (pair[0].end_lineno or 0, pair[0].end_col_offset or 0), reverse=True):
        _floor(lines, left, right)
    return b"\n".join(lines).decode()


def _floor(lines: list[bytes], left: ast.expr, right: ast.expr) -> None:
    """Double the operator between two operands."""
    column = left.end_col_offset or 0
    for number in range((left.end_lineno or 1) - 1, right.lineno):
        end = right.col_offset if number == right.lineno - 1 else len(lines[number])
        found = lines[number].find(b"/", column, end)
        comment = lines[number].find(b"#", column, end)
        if found >= 0 and (comment < 0 or found < comment):
            lines[number] = lines[number][:found] + b"/" + lines[number][found:]
            return
        column = 0


def _integer_places(divisions: tuple[Division, ...], cell: int, offset: int) -> frozenset[_Place]:
    return frozenset(
        (division.line + offset, division.column, division.end_line + offset, division.end_column)
        for division in divisions
        if division.cell == cell and division.integers and not division.others
    )


def _place(node: ast.BinOp | ast.AugAssign) -> _Place:
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0


def _lines_before_body(source: str) -> int:
    """Count the lines up to a cell magic such as ``%%time``, whose body IPython compiles by itself."""
    lines = source.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    return first + 1 if lines[first].lstrip().startswith("%%") and mask(source) is not None else 0


RECIPES = (IntegerDivision(),)
