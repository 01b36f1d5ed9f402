"""Run the divisions of a Python 2 notebook as Python 2 did, and note which of them were divisions of integers.

In Python 2 ``/`` floors when both operands are integers (PEP 238). While this is on, every ``/`` in the cells does so, and for
each place in the code it is counted whether integers or others were divided there.
"""

from __future__ import annotations

import ast
import sys
from typing import Any

_DIVIDE = "__modernizer_divide__"
_INTEGERS = (int,)


class Divisions:
    """The divisions seen so far, by request and position in the code: [of integers, of others]."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._seen: dict[tuple[Any, ...], list[int]] = {}
        self._on = False

    def observe(self) -> None:
        """Start observing the cells that run from now on."""
        if not self._on:
            self._on = True
            sys.modules["builtins"].__dict__[_DIVIDE] = self._divide
            self._shell.ast_transformers.append(_Observe(self._shell))

    def take(self) -> list[list[Any]]:
        """Return rows: request, line, column, end line, end column (as in ast), integer divisions, other divisions."""
        return [[*place, *counts] for place, counts in sorted(self._seen.items())]

    def _divide(self, place: tuple[Any, ...], left: Any, right: Any) -> Any:
        integers = _is_integer(left) and _is_integer(right)
        counts = self._seen.setdefault(place, [0, 0])
        counts[not integers] += 1
        return left // right if integers else left / right


def _is_integer(value: Any) -> bool:
    """Tell what Python 2 and the numpy of its time floored: integers, their arrays; not pandas, which never did (0.13)."""
    if isinstance(value, _INTEGERS):
        return True
    kind = type(value)
    return kind.__module__ == "numpy" and getattr(getattr(value, "dtype", None), "kind", "") in "iub"


class _Observe(ast.NodeTransformer):
    """Replace every true division of a cell by a call that divides and counts."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        return ast.copy_location(self._call(node, node.left, node.right), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div) or not isinstance(node.target, ast.Name):
            return node
        value = self._call(node, ast.copy_location(ast.Name(node.target.id, ast.Load()), node), node.value)
        return ast.fix_missing_locations(ast.copy_location(ast.Assign([node.target], value), node))

    def _call(self, node: Any, left: ast.expr, right: ast.expr) -> ast.Call:
        parent = self._shell.parent_header
        request = str(parent.get("header", parent).get("msg_id", ""))
        values = (request, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        place = ast.Tuple([ast.Constant(value) for value in values], ast.Load())
        call = ast.Call(ast.Name(_DIVIDE, ast.Load()), [place, left, right], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))
