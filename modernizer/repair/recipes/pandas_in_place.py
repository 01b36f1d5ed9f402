"""Changes of a column in place, without effect on the frame since pandas 3's copy-on-write: assigned to the frame instead."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import parsed, value_of
from modernizer.repair.keys import kind_of
from modernizer.repair.receivers import FRAME, ReceiverCodemod
from modernizer.repair.recipe import CodemodRecipe, Scope, Unit, is_chain
from modernizer.repair.recipes.pandas_partial_dates import PARTIAL_DATE
from modernizer.repair.syntax import argument, code, string, without

# Methods whose result has the same rows, so that it can be assigned back.
_METHODS = frozenset({"fillna", "replace", "clip", "ffill", "bfill", "interpolate", "where", "mask"})
_CATEGORIES = frozenset(
    {
        "set_categories",
        "rename_categories",
        "add_categories",
        "remove_categories",
        "remove_unused_categories",
        "reorder_categories",
    }
    | {"as_ordered", "as_unordered"}
)
_INTS = ("int", "uint")
_SPELLED = re.compile(r"\binplace\b|(?:\]|\.\w+)\[[^\n]*\]\s*(?:[-+*/|&]|//|\*\*)?=(?!=)")


class _InPlace(ReceiverCodemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._loop_names: set[str] = set()

    def visit_For(self, node: cst.For) -> None:  # noqa: N802 (LibCST's visitor protocol)
        if isinstance(node.target, cst.Name):
            self._loop_names.add(node.target.value)

    def leave_Expr(self, original_node: cst.Expr, updated_node: cst.Expr) -> cst.BaseSmallStatement:  # noqa: N802
        """``df['c'].fillna(0, inplace=True)`` as a statement."""
        call = updated_node.value
        if (
            not isinstance(call, cst.Call)
            or not isinstance(call.func, cst.Attribute)
            or not isinstance(original_node.value, cst.Call)
        ):
            return updated_node
        inplace, name = argument(call, "inplace"), call.func.attr.value
        if inplace is None or value_of(inplace.value) is not True:
            return updated_node
        column = call.func.value
        of_categories = name in _CATEGORIES and isinstance(column, cst.Attribute) and column.attr.value == "cat"
        if of_categories and isinstance(column, cst.Attribute) and self.scope.at_least("pandas", "2.0"):
            column = column.value
        elif name not in _METHODS or not self.scope.at_least("pandas", "3.0"):
            return updated_node
        if not isinstance(column, cst.Name | cst.Attribute | cst.Subscript):
            return updated_node
        if not (isinstance(column, cst.Name) and of_categories) and not self._is_column(column):
            return updated_node
        self.scope.note(f"column.{name}(inplace=True) → column = column.{name}()")
        return cst.Assign(targets=[cst.AssignTarget(column)], value=without(call, {"inplace"}), semicolon=updated_node.semicolon)

    def leave_AssignTarget(self, original_node: cst.AssignTarget, updated_node: cst.AssignTarget) -> cst.AssignTarget:  # noqa: N802
        new = self._direct(original_node.target, updated_node.target)
        return updated_node if new is None else updated_node.with_changes(target=new)

    def leave_AugAssign(self, original_node: cst.AugAssign, updated_node: cst.AugAssign) -> cst.AugAssign:  # noqa: N802
        new = self._direct(original_node.target, updated_node.target)
        return updated_node if new is None else updated_node.with_changes(target=new)

    def _is_column(self, node: cst.BaseExpression) -> bool:
        """Tell whether an expression is one column of a frame: assigning to it is what changing it in place was."""
        if isinstance(node, cst.Attribute):
            return self.type_of(node.value) == FRAME and self._names_column(node)
        if not isinstance(node, cst.Subscript) or len(node.slice) != 1 or not isinstance(node.slice[0].slice, cst.Index):
            return False
        key = node.slice[0].slice.value
        return string(key) is not None or (isinstance(key, cst.Name) and (key.value in self._loop_names or self._is_label(key)))

    def _names_column(self, node: cst.Attribute) -> bool:
        """Tell whether an attribute of a frame may be a column: what every frame has, such as its index, hides one."""
        return not self.scope.installed.resolves(f"{FRAME}.{node.attr.value}")

    def _is_label(self, key: cst.Name) -> bool:
        live = self.describe(key)
        return live is not None and live.type_name in {"str", "builtins.str"}

    def _direct(self, original: cst.BaseExpression, updated: cst.BaseExpression) -> cst.BaseExpression | None:
        """``df['c'][rows] = …``: a frame's own ``loc`` or ``iloc``; None when the target is another, or its meaning unclear."""
        if (
            not self.scope.at_least("pandas", "3.0")
            or not isinstance(original, cst.Subscript)
            or not isinstance(updated, cst.Subscript)
        ):
            return None
        by, column = "", original.value
        if isinstance(column, cst.Attribute) and column.attr.value in {"loc", "iloc"}:
            by, column = column.attr.value, column.value
        parts = _frame_and_column(column)
        if isinstance(column, cst.Attribute) and not self._names_column(column):
            return None
        if parts is None or len(original.slice) != 1 or self.type_of(parts[0]) != FRAME or not is_chain(parts[0]):
            return None
        by = by or self._looked_up(original, parts[0])
        if not by:
            return None
        if self._picks_rows(*parts):
            return None
        frame, name = code(parts[0]), parts[1] if by == "loc" else f"{code(parts[0])}.columns.get_loc({parts[1]})"
        self.scope.note(f"frame[column][rows] = → frame.{by}[rows, column] =")
        return parsed(f"{frame}.{by}[{code(updated.slice[0].slice)}, {name}]")

    def _picks_rows(self, frame: cst.BaseExpression, name: str) -> bool:
        """Tell whether what looks like a column is a date that picked rows of a frame by dates."""
        live = self.describe(frame)
        if live is None or live.column_dtypes is None or live.index_type != "pandas.DatetimeIndex":
            return False
        label = str(value_of(parsed(name)))
        return label not in live.column_dtypes and PARTIAL_DATE.fullmatch(label) is not None

    def _looked_up(self, target: cst.Subscript, frame: cst.BaseExpression) -> str:
        key = target.slice[0].slice
        kind = kind_of(key, self)
        if kind in {"mask", "label"}:
            return "loc"
        live = self.describe(frame)
        if kind != "int" or live is None or live.index_dtype is None:
            return ""
        # A slice of integers was by position on any index but one of floats.
        if isinstance(key, cst.Slice):
            return "" if live.index_dtype.startswith("float") else "iloc"
        return "loc" if live.index_dtype.startswith(_INTS) else "iloc"


def _frame_and_column(node: cst.BaseExpression) -> tuple[cst.BaseExpression, str] | None:
    if isinstance(node, cst.Attribute):
        return node.value, repr(node.attr.value)
    if m.matches(node, m.Subscript(slice=[m.SubscriptElement(slice=m.Index(value=m.SimpleString()))])):
        return node.value, code(node.slice[0].slice)  # type: ignore[attr-defined]
    return None


class InPlace(CodemodRecipe):
    """Changes of a column in place."""

    name = "pandas-column-in-place"
    summary = "Changing a column in place no longer changes its frame (copy-on-write); the result is assigned to the frame."
    since = "pandas 3.0"
    source = "pandas What's New 3.0 (copy-on-write), 2.0 (inplace of categories)"
    words = frozenset({"inplace", "["})
    order = 60
    confirmed = True
    codemod = _InPlace

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Look only at units that spell a change in place or an assignment between brackets."""
        return super().rewrite(unit, scope) if _SPELLED.search(unit.source) else None


RECIPES = (InPlace(),)
