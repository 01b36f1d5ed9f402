"""``series[:, None]``: a second axis is given to the array of a series, which has one itself."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import ReceiverCodemod

_NEW_AXIS = m.Name("None") | m.Attribute(attr=m.Name("newaxis")) | m.Name("newaxis")


class _Dimensions(ReceiverCodemod):
    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.Subscript:  # noqa: N802 (LibCST's visitor protocol)
        indexes = [element.slice.value for element in original_node.slice if isinstance(element.slice, cst.Index)]
        added = len(original_node.slice) > 1 and any(m.matches(index, _NEW_AXIS) for index in indexes)
        if not added or not self.scope.failing(original_node):
            return updated_node
        live = self.describe(original_node.value)
        if live is not None and not live.type_name.startswith("pandas."):
            return updated_node
        plain = live is None or live.dtype is None or live.dtype.startswith(("int", "uint", "float", "bool", "complex"))
        array = "values" if plain else "to_numpy()"
        self.scope.note(f"series[:, None] → series.{array}[:, None]")
        return updated_node.with_changes(value=cst.parse_expression(f"{_source(updated_node.value)}.{array}"))


def _source(node: cst.BaseExpression) -> str:
    text = cst.Module(body=[]).code_for_node(node)
    return text if isinstance(node, cst.Name | cst.Attribute | cst.Subscript | cst.Call) else f"({text})"


class Dimensions(FailureRecipe):
    """A new axis of a series."""

    name = "pandas-new-axis"
    summary = "A series can't be given a second axis; its array can."
    since = "pandas 2.0"
    source = "pandas What's New 1.0 (deprecation) and 2.0 (multi-dimensional indexing)"
    words = frozenset({"None", "newaxis"})
    errors = frozenset({"ValueError", "InvalidIndexError", "IndexError"})
    message = re.compile(r"Multi-dimensional indexing")
    failing_unit_only = True
    codemod = _Dimensions


RECIPES = (Dimensions(),)
