"""``a[[slice(None), 0]]``: a list of slices and numbers was an index of several axes until NumPy 1.23, as a tuple is."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import filled
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.recipe import is_chain
from modernizer.repair.syntax import code

_AXES = m.Call(func=m.Name("slice")) | m.Name("Ellipsis") | m.Name("None")
_MOST_AXES = 32
_LISTS = frozenset({"list", "builtins.list"})


class _IndexLists(ReceiverCodemod):
    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.Subscript:  # noqa: N802 (LibCST's visitor protocol)
        if not self.scope.failing(original_node) or len(original_node.slice) != 1:
            return updated_node
        old, new = original_node.slice[0].slice, updated_node.slice[0].slice
        kind = self.type_of(original_node.value)
        if isinstance(original_node.value, cst.List) or (kind is not None and not kind.startswith("numpy.")):
            return updated_node
        if not isinstance(old, cst.Index) or not isinstance(new, cst.Index) or not self._has_slice(old.value):
            return updated_node
        self.scope.note("array[[slice, …]] → array[tuple([slice, …])]")
        element = updated_node.slice[0].with_changes(slice=cst.Index(filled("tuple({key})", {"key": new.value})))
        return updated_node.with_changes(slice=[element])

    def _has_slice(self, key: cst.BaseExpression) -> bool:
        if isinstance(key, cst.List):
            return any(m.matches(element.value, _AXES) for element in key.elements)
        live = self.describe(key)
        if live is None or live.type_name not in _LISTS or not is_chain(key) or (live.length or 0) > _MOST_AXES:
            return False
        items = (self.describe(cst.parse_expression(f"{code(key)}[{place}]")) for place in range(live.length or 0))
        return any(item is not None and item.type_name.rpartition(".")[2] in {"slice", "ellipsis", "NoneType"} for item in items)


class IndexLists(FailureRecipe):
    """Lists that index several axes."""

    name = "numpy-index-list"
    summary = "A list of slices no longer indexes several axes; a tuple of them does."
    since = "NumPy 1.23"
    source = "NumPy 1.15 (deprecation of multidimensional indexing with anything but a tuple) and 1.23 (removal) release notes"
    words = frozenset({"["})
    errors = frozenset({"IndexError", "TypeError", "ValueError"})
    message = re.compile(r"only integers, slices|inhomogeneous shape|slice")
    failing_unit_only = True
    codemod = _IndexLists


RECIPES = (IndexLists(),)
