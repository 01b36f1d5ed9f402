"""``rolling(axis=1)``, ``resample(axis=1)`` and the like, gone since pandas 3: windows over the rows of the transpose."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.expressions import filled, value_of
from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.recipe import CodemodRecipe, is_chain
from modernizer.repair.syntax import argument, without

_WINDOWS = frozenset({"resample", "rolling", "expanding", "ewm"})
_REDUCTIONS = frozenset({"sum", "mean", "median", "min", "max", "std", "var", "count", "first", "last", "prod"})


class _WindowAxis(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        func, new = original_node.func, updated_node.func
        if self._axis(original_node) in {0, "index"}:
            self.scope.note("axis=0 dropped")
            return without(updated_node, {"axis"})
        if not isinstance(func, cst.Attribute) or not isinstance(new, cst.Attribute) or func.attr.value not in _REDUCTIONS:
            return updated_node
        windows = new.value
        if (
            not isinstance(func.value, cst.Call)
            or self._axis(func.value) not in {1, "columns"}
            or not isinstance(windows, cst.Call)
        ):
            return updated_node
        if not isinstance(windows.func, cst.Attribute) or self._by_dtype(func.value):
            return updated_node
        if func.attr.value == "count" and windows.func.attr.value == "rolling" and argument(windows, "min_periods", 1) is None:
            # Windows at the edge had a count until pandas 1.3.
            return updated_node
        self.scope.note(f"{windows.func.attr.value}(axis=1) → .T.{windows.func.attr.value}().T")
        turned = windows.func.with_changes(value=filled("{x}.T", {"x": windows.func.value}))
        bare = without(windows.with_changes(func=turned), {"axis"})
        return filled("{x}.T", {"x": updated_node.with_changes(func=new.with_changes(value=bare))})

    def _by_dtype(self, windows: cst.Call) -> bool:
        """Tell whether moving windows may have gone over the columns of each dtype by themselves; the transpose has one."""
        if not isinstance(windows.func, cst.Attribute) or windows.func.attr.value == "resample":
            return False
        live = self.describe(windows.func.value)
        return is_chain(windows.func.value) and (live is None or len(set((live.column_dtypes or {}).values())) != 1)

    def _axis(self, call: cst.Call) -> object:
        """Return the axis of windows whose method takes none today; the ellipsis of any other call."""
        if not isinstance(call.func, cst.Attribute) or call.func.attr.value not in _WINDOWS:
            return ...
        axis = argument(call, "axis")
        if axis is None or not self.may_be_of("pandas", call.func):
            return ...
        signature = self.scope.installed.signature(f"pandas.DataFrame.{call.func.attr.value}")
        gone = signature is not None and all(parameter.name != "axis" for parameter in signature)
        value = value_of(axis.value)
        return value if gone and not isinstance(value, bool) and isinstance(value, int | str) else ...


class WindowAxis(CodemodRecipe):
    """Windows over columns."""

    name = "pandas-window-axis"
    summary = "Windows and bins go over rows only; those over columns are taken of the transpose."
    since = "pandas 3.0"
    source = "pandas What's New 2.1 (deprecation of axis in rolling, expanding, ewm and resample) and 3.0 (removal)"
    words = frozenset({"axis"})
    order = 46
    confirmed = True
    codemod = _WindowAxis


RECIPES = (WindowAxis(),)
