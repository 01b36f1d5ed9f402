"""``x.convert_objects(convert_numeric=True)``: texts become numbers where any is one, gone since pandas 1.0."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.expressions import filled, value_of
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import FRAME, SERIES, ReceiverCodemod
from modernizer.repair.syntax import argument, keyword_names

_TO_NUMBERS = "lambda x: n if x.dtype.kind == 'O' and (n := {to_numeric}(x, errors='coerce')).notna().any() else x"


class _ConvertObjects(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        func, new = original_node.func, updated_node.func
        if not isinstance(func, cst.Attribute) or not isinstance(new, cst.Attribute) or func.attr.value != "convert_objects":
            return updated_node
        numeric, kind = argument(original_node, "convert_numeric"), self.type_of(func.value)
        if numeric is None or value_of(numeric.value) is not True or keyword_names(original_node) - {"convert_numeric", "copy"}:
            return updated_node
        if kind not in {FRAME, SERIES} or not self.lacks(func.value, "convert_objects", {FRAME, SERIES}):
            return updated_node
        self.scope.note("convert_objects(convert_numeric=True) → to_numeric of what has numbers")
        function = _TO_NUMBERS.format(to_numeric=self.scope.reference("pandas.to_numeric"))
        return filled(f"{{x}}.{'apply' if kind == FRAME else 'pipe'}({function})", {"x": new.value})


class ConvertObjects(FailureRecipe):
    """convert_objects(convert_numeric=True)."""

    name = "pandas-convert-objects"
    summary = "convert_objects() is gone; to_numeric() converts the texts of which some are numbers, as it did."
    since = "pandas 1.0"
    source = "pandas What's New 0.17 (deprecation) and 1.0 (removal)"
    words = frozenset({"convert_objects"})
    errors = frozenset({"AttributeError"})
    codemod = _ConvertObjects


RECIPES = (ConvertObjects(),)
