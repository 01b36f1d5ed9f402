"""``series[0]`` on an index of labels, by position until pandas 3: ``series.iloc[0]``."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.evidence import raised_in
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.keys import kind_of
from modernizer.repair.receivers import SERIES, ReceiverCodemod
from modernizer.repair.syntax import code

# On these an integer was always a label; on an object or categorical index it depends on what the index holds.
_LABEL_DTYPES = ("int", "uint", "float", "object", "category", "interval", "bool")
_MISSING = re.compile(
    r"^(?:np\.u?int\d+\()?(?P<key>-?\d+)\)?$|None of \[(?:Index|RangeIndex)\(.*dtype='int64'.*are in the \[index\]", re.DOTALL
)
_ACCESSORS = frozenset({"iloc", "loc", "iat", "at", "ix", "values", "index", "columns", "shape", "str"})
# What these give has positions anyway.
_LISTING = frozenset({"tolist", "to_list", "split", "rsplit", "to_numpy", "as_matrix", "items"})
_OF_COLUMN = m.Call(func=m.Attribute(value=m.Attribute(attr=m.Name("str"))))
_LISTED = m.Call(func=m.Name("list") | m.Name("sorted") | m.Name("tuple")) | m.List() | m.ListComp() | m.Tuple() | m.Dict()


class _Positions(ReceiverCodemod):
    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        if len(original_node.slice) != 1 or not isinstance(original_node.slice[0].slice, cst.Index):
            return updated_node
        kind = kind_of(original_node.slice[0].slice, self)
        # What a loop's own variable holds can't be asked; the error told that the key was an integer.
        if kind not in {"int", "unknown"} or not self._by_position(original_node, sure=kind == "int"):
            return updated_node
        self.scope.note(f"[{code(updated_node.slice[0].slice)}] → .iloc[{code(updated_node.slice[0].slice)}]")
        return updated_node.with_changes(value=cst.Attribute(value=updated_node.value, attr=cst.Name("iloc")))

    def _by_position(self, node: cst.Subscript, *, sure: bool) -> bool:
        live = self.describe(node.value)
        if live is not None:
            if live.type_name != SERIES or live.index_dtype is None:
                return False
            if not live.index_dtype.startswith(_LABEL_DTYPES):
                return sure or self._failed(node)
            # The failed look-up shows that no such label is there, so that the position was meant.
            return live.index_dtype in {"object", "category"} and self._failed(node)
        kind = self.scope.names.type_of(node.value, self.scope.unit)
        if (
            kind not in {None, SERIES}
            or _is_list(node.value)
            or (isinstance(node.value, cst.Attribute) and node.value.attr.value in _ACCESSORS)
        ):
            return False
        return self._failed(node)

    def _failed(self, node: cst.Subscript) -> bool:
        """Tell whether the failing statement holds this look-up and the error came out of a series' look-up with its key."""
        failure = self.scope.failure
        if failure is None or failure.error.name != "KeyError" or not self.scope.failing(node):
            return False
        found = _MISSING.search(failure.error.message)
        if found is None or not raised_in(failure, "pandas/core/series.py"):
            return False
        spelled = code(node.slice[0].slice)
        return found["key"] is None or not re.fullmatch(r"-?\d+", spelled) or spelled == found["key"]


def _is_list(node: cst.BaseExpression) -> bool:
    if m.matches(node, _OF_COLUMN):
        return False
    method = node.func.attr.value if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) else ""
    return method in _LISTING or m.matches(node, _LISTED)


class Positions(FailureRecipe):
    """Integer keys of a series with labels."""

    name = "pandas-series-position"
    summary = "An integer between the brackets of a series with labels is no position any more; .iloc takes positions."
    since = "pandas 3.0"
    source = "pandas What's New 2.1 (deprecation) and 3.0 (Series.__getitem__ treats integers as labels)"
    words = frozenset({"["})
    errors = frozenset({"KeyError"})
    codemod = _Positions


RECIPES = (Positions(),)
