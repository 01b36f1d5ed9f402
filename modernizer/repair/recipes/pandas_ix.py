"""``.ix[...]``, gone since pandas 1.0: ``.loc`` or ``.iloc``, as the index it meets makes the key a label or a position."""

from __future__ import annotations

from typing import Literal

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import parsed
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.keys import kind_of
from modernizer.repair.receivers import FRAME, SERIES, ReceiverCodemod
from modernizer.repair.recipe import is_chain
from modernizer.repair.syntax import code

Way = Literal["loc", "iloc", "any", "unknown"]
_NUMERIC = ("int", "uint", "float")
# Rows that were numbered again have numbers for labels.
_RENUMBERED = m.Call(func=m.Attribute(attr=m.Name("reset_index")), args=m.OneOf([], [m.Arg(keyword=m.Name("drop"))]))


class _Ix(ReceiverCodemod):
    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        ix, new_ix = original_node.value, updated_node.value
        if not isinstance(ix, cst.Attribute) or ix.attr.value != "ix" or not isinstance(new_ix, cst.Attribute):
            return updated_node
        if len(original_node.slice) > 2 or not self.lacks(ix.value, "ix", {FRAME, SERIES}, distinctive=True):  # noqa: PLR2004 (two axes)
            return updated_node
        axes = ("index", "columns")
        alone = len(original_node.slice) == 1
        pairs = zip(original_node.slice, axes, strict=False)
        ways = [self._way(element.slice, ix.value, axis, alone=alone) for element, axis in pairs]
        if "unknown" in ways:
            return self._either(original_node, updated_node) if len(ways) == 1 else updated_node
        if "iloc" not in ways or "loc" not in ways:
            accessor = "iloc" if "iloc" in ways else "loc"
            self.scope.note(f".ix → .{accessor}")
            return updated_node.with_changes(value=new_ix.with_changes(attr=cst.Name(accessor)))
        if not is_chain(ix.value):
            return updated_node
        self.scope.note(".ix with a position and a label → .loc")
        position = ways.index("iloc")
        receiver, element = code(new_ix.value), updated_node.slice[position]
        label = element.with_changes(slice=cst.Index(parsed(f"{receiver}.{axes[position]}[{code(element.slice)}]")))
        elements = [label if index == position else other for index, other in enumerate(updated_node.slice)]
        return updated_node.with_changes(value=new_ix.with_changes(attr=cst.Name("loc")), slice=elements)

    def _way(self, key: cst.BaseSlice, receiver: cst.BaseExpression, axis: str, *, alone: bool) -> Way:
        """Tell how an axis was searched: for labels and masks by label, for integers by position unless it has numbers."""
        kind = kind_of(key, self)
        if kind == "all":
            return "any"
        if kind in {"label", "mask"}:
            return "loc"
        numeric = self._numeric(receiver, axis)
        if numeric is None or (kind == "int" and alone and self.is_local(receiver)):
            return "unknown"
        if numeric:
            return "loc"
        # A function may be called with tables of other indexes, where a position would silently be another row.
        return "iloc" if kind == "int" and not self.is_local(receiver) else "unknown"

    def _numeric(self, receiver: cst.BaseExpression, axis: str) -> bool | None:
        """Tell whether an axis of a live object has numbers for labels (in its first level, if there are several)."""
        if axis == "index" and m.matches(receiver, _RENUMBERED):
            return True
        if not is_chain(receiver):
            return None
        live = self.describe(parsed(f"{code(receiver)}.{axis}"))
        if live is not None and live.type_name.endswith("MultiIndex"):
            live = self.describe(parsed(f"{code(receiver)}.{axis}.levels[0]"))
        if live is None or live.dtype is None:
            return None
        return live.dtype.startswith(_NUMERIC)

    def _either(self, original: cst.Subscript, updated: cst.Subscript) -> cst.BaseExpression:
        """Leave the choice to the run where the failing line's object can't be looked at, as a function's argument."""
        receiver = updated.value.value if isinstance(updated.value, cst.Attribute) else updated.value
        if (
            not self.scope.failing(original)
            or not isinstance(receiver, cst.Name)
            or kind_of(original.slice[0].slice, self) != "int"
        ):
            return updated
        numeric = f"{self.scope.reference('pandas')}.api.types.is_numeric_dtype({receiver.value}.index)"
        self.scope.note(".ix → .loc or .iloc by the index")
        return updated.with_changes(value=parsed(f"({receiver.value}.loc if {numeric} else {receiver.value}.iloc)"))


class Ix(FailureRecipe):
    """The .ix indexer."""

    name = "pandas-ix"
    summary = "The .ix indexer is gone; .loc (labels) or .iloc (positions) looks up what it did on this index."
    since = "pandas 1.0"
    source = "pandas What's New 0.20 (deprecation) and 1.0 (removal)"
    words = frozenset({".ix"})
    errors = frozenset({"AttributeError"})
    codemod = _Ix


RECIPES = (Ix(),)
