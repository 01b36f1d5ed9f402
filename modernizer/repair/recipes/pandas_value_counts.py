"""Names in what ``value_counts()`` gives: counts were named as the column was, values had no name."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import filled, value_of
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import FRAME, ReceiverCodemod
from modernizer.repair.recipe import Scope
from modernizer.repair.syntax import argument, keyword, string

_COUNTS = m.Call(func=m.Attribute(attr=m.Name("value_counts")))
_NAMED = re.compile(r"['`\"](?P<name>[^'`\"]+)['`\"]")


class _Counts(ReceiverCodemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._missing = set(_NAMED.findall(scope.failure.error.message)) if scope.failure else set()
        self._renamed: dict[cst.CSTNode, set[str]] = {}

    def visit_Call(self, node: cst.Call) -> None:  # noqa: N802 (LibCST's visitor protocol)
        """Note the new names that ``.rename(columns={...})`` gives to what stands before it."""
        columns = argument(node, "columns")
        if not m.matches(node.func, m.Attribute(attr=m.Name("rename"))) or columns is None:
            return
        names = value_of(columns.value)
        if isinstance(names, dict):
            self._renamed[cst.ensure_type(node.func, cst.Attribute).value] = set(map(str, names.values()))

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802
        func, new = original_node.func, updated_node.func
        if not isinstance(func, cst.Attribute) or not isinstance(new, cst.Attribute) or not m.matches(func.value, _COUNTS):
            return updated_node
        column = self._column(cst.ensure_type(func.value, cst.Call))
        if column is None or original_node.args or not self._wanted(column, original_node, func.attr.value):
            return updated_node
        if func.attr.value == "to_frame":
            self.scope.note("value_counts().to_frame() keeps the column's name")
            return filled("{counts}.rename_axis(None).to_frame({name})", {"counts": new.value, "name": repr(column)})
        if func.attr.value != "reset_index":
            return updated_node
        self.scope.note("value_counts().reset_index() keeps the old names")
        named = new.with_changes(value=filled("{counts}.rename_axis('index')", {"counts": new.value}))
        return updated_node.with_changes(func=named, args=[keyword("name", repr(column))])

    def _wanted(self, column: str, call: cst.Call, method: str) -> bool:
        """Tell whether the error is about one of the names that changed, or one that they were renamed to."""
        names = {column, "index"} if method == "reset_index" else {column}
        return bool(self._missing & (names | self._renamed.get(call, set())))

    def _column(self, counts: cst.Call) -> str | None:
        """Return the name of the column whose values are counted."""
        receiver = counts.func.value if isinstance(counts.func, cst.Attribute) else counts
        if isinstance(receiver, cst.Subscript) and len(receiver.slice) == 1 and isinstance(receiver.slice[0].slice, cst.Index):
            return string(receiver.slice[0].slice.value)
        if isinstance(receiver, cst.Attribute) and self.type_of(receiver.value) == FRAME:
            return receiver.attr.value
        return None


class ValueCounts(FailureRecipe):
    """Old names of counted values."""

    name = "pandas-value-counts-names"
    summary = "value_counts() names its result otherwise; the table made of it gets the names that the notebook goes by."
    since = "pandas 2.0"
    source = "pandas What's New 2.0 (names of the result of value_counts)"
    words = frozenset({"value_counts"})
    errors = frozenset({"KeyError", "ValueError", "AttributeError"})
    codemod = _Counts


RECIPES = (ValueCounts(),)
