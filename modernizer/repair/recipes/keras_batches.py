"""``LSTM(4, batch_input_shape=…)``: the first layer of a Keras model no longer says how large its batches are."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst
import libcst.matchers as m

from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.syntax import argument, code, without

_SHAPE = "batch_input_shape"
_ADD = m.Expr(value=m.Call(func=m.Attribute(attr=m.Name("add")), args=[m.Arg(keyword=None, value=m.Call())]))


class _Batches(Codemod):
    """Put an Input before the layer, which takes the shape."""

    def leave_SimpleStatementLine(  # noqa: N802 (LibCST's visitor protocol)
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.SimpleStatementLine]:
        if len(original_node.body) != 1 or not m.matches(original_node.body[0], _ADD):
            return updated_node
        add = cst.ensure_type(cst.ensure_type(updated_node.body[0], cst.Expr).value, cst.Call)
        layer = add.args[0].value
        shape = self._shape(layer)
        if shape is None or not isinstance(layer, cst.Call):
            return updated_node
        first = cst.Expr(value=add.with_changes(args=[cst.Arg(value=self._input(shape))]))
        second = cst.Expr(value=add.with_changes(args=[add.args[0].with_changes(value=without(layer, {_SHAPE}))]))
        return cst.FlattenSentinel(
            [
                updated_node.with_changes(body=[first], trailing_whitespace=cst.TrailingWhitespace()),
                updated_node.with_changes(body=[second], leading_lines=()),
            ]
        )

    def leave_List(self, original_node: cst.List, updated_node: cst.List) -> cst.List:  # noqa: N802
        """Do so in a list of layers."""
        del original_node
        shape = self._shape(updated_node.elements[0].value) if updated_node.elements else None
        if shape is None:
            return updated_node
        first = updated_node.elements[0]
        rest: Sequence[cst.BaseElement] = updated_node.elements[1:]
        layer = without(cst.ensure_type(first.value, cst.Call), {_SHAPE})
        added = cst.Element(value=self._input(shape), comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
        return updated_node.with_changes(elements=[added, first.with_changes(value=layer), *rest])

    def _shape(self, layer: cst.BaseExpression) -> str | None:
        """Return the shape that a layer gives of its batches, when that layer takes it no longer."""
        if not isinstance(layer, cst.Call) or not self.scope.at_least("keras", "3.0"):
            return None
        shape = argument(layer, _SHAPE)
        home = (self.scope.qualified(layer.func) or "").rpartition(".")[0]
        return code(shape.value) if shape is not None and home.endswith("keras.layers") else None

    def _input(self, shape: str) -> cst.BaseExpression:
        self.scope.note("batch_input_shape= → Input(batch_shape=…)")
        keras = (
            "tensorflow.keras" if self.scope.names.mentions("tensorflow") and not self.scope.alias("keras.layers") else "keras"
        )
        return cst.parse_expression(f"{self.scope.imported(f'{keras}.layers.Input')}(batch_shape={shape})")


class KerasBatches(CodemodRecipe):
    """Sizes of batches."""

    name = "keras-batch-shape"
    summary = "Layers of Keras 3 take no shape of their batches; an Input before the first layer gives it."
    since = "Keras 3.0"
    source = "Keras 3 migration guide: Input as the first layer of a Sequential model"
    words = frozenset({_SHAPE})
    order = 31
    confirmed = True
    codemod = _Batches


RECIPES = (KerasBatches(),)
