"""``sort`` of pandas objects, gone since 0.20, and ``sort_index(by=)``: ``sort_values`` or ``sort_index``, in place as before."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.evidence import refused_keyword
from modernizer.repair.expressions import bind, value_of
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import FRAME, SERIES, ReceiverCodemod
from modernizer.repair.syntax import keyword, keyword_names, with_args

_FRAME_SORT = ("columns", "axis", "ascending", "inplace", "kind", "na_position")
_SERIES_SORT = ("axis", "ascending", "kind", "na_position", "inplace")


class _Sort(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        func = original_node.func
        if not isinstance(func, cst.Attribute):
            return updated_node
        if func.attr.value == "sort_index" and "by" in keyword_names(original_node):
            return self._sort_index(func.value, updated_node)
        if func.attr.value != "sort" or not self.lacks(func.value, "sort", {FRAME, SERIES}):
            return updated_node
        kind = self.type_of(func.value) or self._owner()
        return self._series(updated_node) if kind == SERIES else self._frame(updated_node)

    def _owner(self) -> str:
        message = self.scope.failure.error.message if self.scope.failure else ""
        return SERIES if message.startswith("'Series'") else FRAME

    def _sort_index(self, receiver: cst.BaseExpression, call: cst.Call) -> cst.Call:
        """``by=`` was only ever pandas': proven by the receiver, or by a refusal of that keyword."""
        refused = refused_keyword(self.scope.failure)
        if self.type_of(receiver) != FRAME and (refused is None or refused.name != "by"):
            return call
        if any(parameter.name == "by" for parameter in self.scope.installed.signature(f"{FRAME}.sort_index") or ()):
            return call
        self.scope.note("sort_index(by=) → sort_values(by=)")
        return _renamed(call, "sort_values")

    def _series(self, call: cst.Call) -> cst.Call:
        """Sort a series in place, as its ``sort`` did unless told otherwise."""
        bound = bind(call.args, _SERIES_SORT)
        if bound is None:
            return call
        wanted = [keyword(name, bound[name]) for name in _SERIES_SORT[1:-1] if name in bound]
        if value_of(bound.get("inplace")) is not False:
            wanted.append(keyword("inplace", "True"))
        self.scope.note("Series.sort() → sort_values(inplace=True)")
        return with_args(_renamed(call, "sort_values"), wanted)

    def _frame(self, call: cst.Call) -> cst.Call:
        """Sort a frame by columns, or by its index when no columns are named."""
        bound = bind(call.args, _FRAME_SORT)
        if bound is None:
            return call
        columns = bound.pop("columns", None)
        by_columns = columns is not None and value_of(columns) is not None
        method = "sort_values" if by_columns else "sort_index"
        args = [keyword(name, bound[name]) for name in _FRAME_SORT[1:] if name in bound]
        if by_columns and columns is not None:
            named = "columns" in keyword_names(call)
            args.insert(0, keyword("by", columns) if named else call.args[0])
        self.scope.note(f"DataFrame.sort() → {method}()")
        return with_args(_renamed(call, method), args)


def _renamed(call: cst.Call, name: str) -> cst.Call:
    return call.with_changes(func=call.func.with_changes(attr=cst.Name(name)))


class Sort(FailureRecipe):
    """DataFrame.sort, Series.sort and sort_index(by=)."""

    name = "pandas-sort"
    summary = "sort() of pandas objects is gone; sort_values() or sort_index() sorts the same way."
    since = "pandas 0.20"
    source = "pandas What's New 0.17 (deprecation) and 0.20 (removal)"
    words = frozenset({".sort"})
    errors = frozenset({"AttributeError", "TypeError"})
    codemod = _Sort


RECIPES = (Sort(),)
