"""Values that a column's dtype can't hold, refused by pandas 3: the column is widened first, as assigning did by itself."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import base_name, value_of
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import SERIES, ReceiverCodemod
from modernizer.repair.recipe import Scope, is_chain
from modernizer.repair.syntax import code

_REFUSED = re.compile(r"^Invalid value '(?P<value>.*)' for dtype '?(?P<dtype>[\w\[\], ]+?)'?(?:\.|$)", re.DOTALL)
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|\.\d+|nan|inf)", re.IGNORECASE)
_COMPOUND = cst.For | cst.While | cst.If | cst.With | cst.Try


class _Dtypes(ReceiverCodemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._depth = 0
        self._pending: str | None = None
        refused = (
            _REFUSED.search(scope.failure.error.message) if scope.failure and scope.failure.error.name == "TypeError" else None
        )
        self._dtype = None if refused is None else _wider(refused["value"], refused["dtype"])

    def on_visit(self, node: cst.CSTNode) -> bool:
        self._depth += isinstance(node, _COMPOUND)
        return super().on_visit(node)

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> object:  # type: ignore[override]
        result = super().on_leave(original_node, updated_node)
        if not isinstance(original_node, _COMPOUND):
            return result
        self._depth -= 1
        if self._depth or self._pending is None or not isinstance(result, _COMPOUND):
            return result
        line, self._pending = self._pending, None
        return _preceded(result, line)

    def leave_SimpleStatementLine(  # noqa: N802 (LibCST's visitor protocol)
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.BaseStatement | cst.FlattenSentinel[cst.BaseStatement]:
        if self._dtype is None or not self.scope.failing(original_node) or len(original_node.body) != 1:
            return updated_node
        statement = original_node.body[0]
        if isinstance(statement, cst.Assign):
            target: cst.BaseExpression = statement.targets[0].target
        elif isinstance(statement, cst.AugAssign):
            target = statement.target
        else:
            return updated_node
        column = self._column(target)
        if column is None or not is_chain(cst.parse_expression(column)):
            return updated_node
        line = f"{column} = {column}.astype({self._dtype})"
        self.scope.note(f".astype({self._dtype}) before the assignment")
        if self._depth and not self._locals and not self._bound_inside(target):
            self._pending = line
            return updated_node
        return _preceded(updated_node, line)

    def _column(self, target: cst.BaseExpression) -> str | None:
        """Return the source of the column or series that a target lies in."""
        if not isinstance(target, cst.Subscript):
            return None
        by = target.value
        if isinstance(by, cst.Attribute) and by.attr.value in {"loc", "at"} and len(target.slice) == 2:  # noqa: PLR2004 (row, column)
            index = target.slice[1].slice
            if isinstance(index, cst.Index) and isinstance(value_of(index.value), str):
                return f"{code(by.value)}[{code(index.value)}]"
            return None
        series = by.value if isinstance(by, cst.Attribute) and by.attr.value in {"loc", "at", "iloc", "iat"} else by
        return code(series) if len(target.slice) == 1 and self.type_of(series) == SERIES else None

    def _bound_inside(self, target: cst.BaseExpression) -> bool:
        name = base_name(target) or ""
        return any(failing for failing in self.scope.failing_nodes if m.matches(failing, m.AssignTarget(target=m.Name(name))))


def _wider(value: str, dtype: str) -> str:
    """Name the dtype that old releases went over to: floats for numbers among numbers, else objects."""
    numbers = bool(re.fullmatch(rf"[\s\[\](),]*(?:{_NUMBER.pattern}[\s\[\](),]*)+", value, re.IGNORECASE))
    return "float" if numbers and dtype.startswith(("int", "uint")) else "object"


def _preceded(node: cst.BaseStatement, line: str) -> cst.FlattenSentinel[cst.BaseStatement]:
    new = cst.parse_statement(line)
    leading = node.leading_lines  # type: ignore[attr-defined]
    return cst.FlattenSentinel([new.with_changes(leading_lines=leading), node.with_changes(leading_lines=())])


class Dtypes(FailureRecipe):
    """Assigning what a dtype can't hold."""

    name = "pandas-dtype-of-column"
    summary = "A column no longer changes its dtype when another kind of value is assigned; it is widened before."
    since = "pandas 3.0"
    source = "pandas What's New 2.1 (PDEP-6) and 3.0 (enforced)"
    words = frozenset({"["})
    errors = frozenset({"TypeError"})
    message = _REFUSED
    failing_unit_only = True
    codemod = _Dtypes


RECIPES = (Dtypes(),)
