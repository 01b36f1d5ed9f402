"""Texts reindexed, shifted or unstacked with a fill value that is no text, which columns of text refuse since pandas 3."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import atom
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import FRAME, SERIES, ReceiverCodemod
from modernizer.repair.syntax import keyword_names

_MESSAGE = re.compile(r"^Invalid value '.*' for dtype 'str'", re.DOTALL)
_FILLING = m.Attribute(attr=m.Name("reindex") | m.Name("shift") | m.Name("unstack"))


class _FillValue(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        func, new = original_node.func, updated_node.func
        if not m.matches(func, _FILLING) or not isinstance(func, cst.Attribute) or not isinstance(new, cst.Attribute):
            return updated_node
        if "fill_value" not in keyword_names(original_node) or not self.scope.failing(original_node):
            return updated_node
        dtype = self._wider(func.value)
        if dtype is None:
            return updated_node
        self.scope.note(f"{func.attr.value}(fill_value=…) → astype({dtype}).{func.attr.value}(fill_value=…)")
        receiver = cst.parse_expression(f"{atom(new.value)}.astype({dtype})")
        return updated_node.with_changes(func=new.with_changes(value=receiver))

    def _wider(self, receiver: cst.BaseExpression) -> str | None:
        """Name the dtype that old releases had for text; for a frame of which other columns stay, by its columns of text."""
        live = self.describe(receiver)
        kind = live.type_name if live is not None else self.type_of(receiver)
        if kind == SERIES:
            return "object" if live is None or live.dtype == "str" else None
        if kind != FRAME or live is None or not live.column_dtypes:
            return None
        texts = [name for name, dtype in live.column_dtypes.items() if dtype == "str"]
        if len(texts) == len(live.column_dtypes):
            return "object"
        return "{" + ", ".join(f"{name!r}: object" for name in texts) + "}" if texts else None


class FillValue(FailureRecipe):
    """``texts.reindex(labels, fill_value=0)``."""

    name = "pandas-fill-value-in-text"
    summary = "A column of text takes no other fill value; it is made a column of objects first, which it was before."
    since = "pandas 3.0"
    source = "pandas What's New 3.0 (dedicated string data type by default)"
    words = frozenset({"fill_value"})
    errors = frozenset({"TypeError"})
    message = _MESSAGE
    failing_unit_only = True
    codemod = _FillValue


RECIPES = (FillValue(),)
