"""``frame.interpolate()`` left columns of text alone until pandas 3: the columns of numbers are interpolated."""

from __future__ import annotations

import re

import libcst as cst

from modernizer.repair.expressions import filled, parsed
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import FRAME, ReceiverCodemod, labels_are_unique
from modernizer.repair.recipe import is_chain
from modernizer.repair.syntax import code, keyword_names


class _Interpolate(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        func, new = original_node.func, updated_node.func
        if not isinstance(func, cst.Attribute) or not isinstance(new, cst.Attribute) or func.attr.value != "interpolate":
            return updated_node
        live = self.describe(func.value)
        if not self.scope.failing(original_node) or not is_chain(func.value) or live is None or live.type_name != FRAME:
            return updated_node
        # By their names the columns are assigned back.
        labels = self.describe(parsed(f"{code(func.value)}.columns"))
        if not labels_are_unique(live) or labels is None or labels.dtype not in {"str", "object"}:
            return updated_node
        kinds = set((live.column_dtypes or {}).values())
        if (
            not kinds
            or not kinds <= {"str", "object", "int64", "float64", "bool"}
            or keyword_names(original_node) & {"inplace", "axis"}
        ):
            return updated_node
        self.scope.note("interpolate() → of the columns of numbers")
        numbers = updated_node.with_changes(func=new.with_changes(value=filled("{x}.select_dtypes('number')", {"x": new.value})))
        return filled("{x}.assign(**{numbers})", {"x": new.value, "numbers": numbers})


class Interpolate(FailureRecipe):
    """interpolate() of a frame with text."""

    name = "pandas-interpolate"
    summary = "A frame with columns of text can't be interpolated; its columns of numbers are, as they were."
    since = "pandas 3.0"
    source = "pandas What's New 2.1 (deprecation of interpolate with object dtype) and 3.0 (removal)"
    words = frozenset({"interpolate"})
    errors = frozenset({"TypeError"})
    message = re.compile(r"[Cc]annot interpolate with (?:all )?(?:str|object)")
    codemod = _Interpolate


RECIPES = (Interpolate(),)
