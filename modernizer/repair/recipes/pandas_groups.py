"""Axis of groups, renaming in ``agg`` and ``concat(join_axes=)``, all refused today."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.evidence import refused_keyword
from modernizer.repair.expressions import filled, value_of
from modernizer.repair.receivers import FRAME, FRAME_GROUPBY, ReceiverCodemod
from modernizer.repair.recipe import CodemodRecipe
from modernizer.repair.syntax import argument, with_args, without

_COLUMNS: frozenset[object] = frozenset({1, "columns"})


class _Groups(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        func = original_node.func
        if self.scope.qualified(func) == "pandas.concat":
            return self._concat(updated_node)
        if not isinstance(func, cst.Attribute):
            return updated_node
        if func.attr.value == "groupby":
            return self._rows(func.value, updated_node)
        if func.attr.value in {"agg", "aggregate"} and self.scope.failing(original_node):
            return self._renamed(func.value, updated_node)
        return updated_node

    def _concat(self, call: cst.Call) -> cst.BaseExpression:
        """``join_axes=[index]``: reindex along the axis that was not concatenated."""
        axes = argument(call, "join_axes")
        if (
            axes is None
            or not isinstance(axes.value, cst.List)
            or len(axes.value.elements) != 1
            or not self.scope.at_least("pandas", "1.0")
        ):
            return call
        axis = argument(call, "axis", 1)
        side = "index" if axis is not None and value_of(axis.value) in _COLUMNS else "columns"
        self.scope.note(f"concat(join_axes=) → concat().reindex({side}=)")
        labels = axes.value.elements[0].value
        return filled(f"{{self}}.reindex({side}={{labels}})", {"self": without(call, {"join_axes"}), "labels": labels})

    def _rows(self, receiver: cst.BaseExpression, call: cst.Call) -> cst.Call:
        """``groupby(keys, axis=0)``: that is what it does."""
        del receiver
        if not self._grouped(call, frozenset({0, "index", "rows"})):
            return call
        self.scope.note("groupby(axis=0) → groupby()")
        return without(call, {"axis"})

    def _grouped(self, call: cst.Call, axes: frozenset[object]) -> bool:
        if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "groupby":
            return False
        axis = argument(call, "axis")
        if axis is None or value_of(axis.value) not in axes:
            return False
        refused = refused_keyword(self.scope.failure)
        if self.type_of(call.func.value) != FRAME and not (
            refused and refused.name == "axis" and refused.owner.endswith("groupby")
        ):
            return False
        signature = self.scope.installed.signature(f"{FRAME}.groupby")
        return signature is not None and all(parameter.name != "axis" for parameter in signature)

    def _renamed(self, receiver: cst.BaseExpression, call: cst.Call) -> cst.Call:
        """Give ``agg`` pairs of name and function for a dict of names, at the top for one column, else one level deeper."""
        failure = self.scope.failure
        if failure is None or "nested renamer is not supported" not in failure.error.message or len(call.args) != 1:
            return call
        given = call.args[0].value
        if not isinstance(given, cst.Dict):
            return call
        nested = any(isinstance(element, cst.DictElement) and isinstance(element.value, cst.Dict) for element in given.elements)
        if not nested:
            if self.type_of(receiver) == FRAME_GROUPBY:
                return call
            self.scope.note("agg({name: function}) → agg([(name, function)])")
            return with_args(call, [call.args[0].with_changes(value=_pairs(given))])
        elements = [
            element.with_changes(value=_pairs(element.value))
            if isinstance(element, cst.DictElement) and isinstance(element.value, cst.Dict)
            else element
            for element in given.elements
        ]
        self.scope.note("agg({column: {name: function}}) → agg({column: [(name, function)]})")
        return with_args(call, [call.args[0].with_changes(value=given.with_changes(elements=elements))])


def _pairs(node: cst.Dict) -> cst.BaseExpression:
    elements = [
        cst.Element(
            cst.Tuple([cst.Element(element.key), cst.Element(element.value)]),
            comma=element.comma,
        )
        for element in node.elements
        if isinstance(element, cst.DictElement)
    ]
    left = cst.LeftSquareBracket(whitespace_after=node.lbrace.whitespace_after)
    right = cst.RightSquareBracket(whitespace_before=node.rbrace.whitespace_before)
    return cst.List(elements, lbracket=left, rbracket=right)


class Groups(CodemodRecipe):
    """groupby(axis=), renaming agg and concat(join_axes=)."""

    name = "pandas-groups"
    summary = "axis=0 of groupby, renaming inside agg and join_axes= are gone; the present spelling gives the same table."
    since = ""
    source = "pandas What's New 1.0 (nested renamer, join_axes) and 3.0 (axis of groupby)"
    words = frozenset({"groupby", "agg", "join_axes"})
    codemod = _Groups


RECIPES = (Groups(),)
