"""Layers as Keras 1 made them, where more than a keyword's name changed."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from modernizer.repair.dropping import DroppingCodemod
from modernizer.repair.recipe import CodemodRecipe, Scope
from modernizer.repair.scope import dotted_name
from modernizer.repair.syntax import argument, code, keyword, keyword_names, string, with_args

_PLACES = ("keras.layers", "keras.layers.convolutional", "keras.layers.recurrent", "keras.layers.core", "keras.engine")
_OLD_KERNELS = frozenset({"Convolution2D", "SeparableConvolution2D"})
_KERNELS = _OLD_KERNELS | {"Conv2D", "SeparableConv2D"}
_SEQUENCES = frozenset({"LSTM", "GRU", "SimpleRNN", "CuDNNLSTM", "CuDNNGRU", "Conv1D", "Convolution1D"})
_KERAS_1 = frozenset(
    {"border_mode", "nb_epoch", "nb_filter", "nb_row", "dim_ordering", "subsample", "W_regularizer", "dropout_W"}
    | {"samples_per_epoch", "nb_val_samples"}
)
_OLD = m.Arg(keyword=m.MatchIfTrue(lambda name: isinstance(name, cst.Name) and name.value in _KERAS_1)) | m.Call(
    func=m.Name("Dense"), args=[m.ZeroOrMore(), m.Arg(keyword=m.Name("init") | m.Name("output_dim")), m.ZeroOrMore()]
)
_ORDERINGS = {"th": "channels_first", "tf": "channels_last"}
_MERGES = {"sum": "add", "mul": "multiply", "ave": "average", "max": "maximum", "concat": "concatenate"}


class _Layers(DroppingCodemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._old = any(m.findall(tree, _OLD) for tree in scope.names.trees)

    def drops(self, statement: cst.BaseSmallStatement) -> bool:
        """Drop an import of nothing but the function merge."""
        return isinstance(statement, cst.ImportFrom) and self._kept(statement) == []

    def leave_ImportFrom(self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom) -> cst.ImportFrom:  # noqa: N802 (LibCST's visitor protocol)
        kept = self._kept(original_node)
        if not kept or isinstance(updated_node.names, cst.ImportStar) or len(kept) == len(updated_node.names):
            return updated_node
        kept[-1] = kept[-1].with_changes(comma=updated_node.names[-1].comma)
        return updated_node.with_changes(names=kept)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802
        parent, _, name = (self.scope.qualified(original_node.func) or "").rpartition(".")
        if parent in _PLACES:
            if name == "merge":
                return self._merged(updated_node)
            if name in _KERNELS:
                return self._with_kernel(name, updated_node)
            if name in _SEQUENCES:
                return self._with_shape(updated_node)
        if parent == "keras.backend" and name == "set_image_dim_ordering":
            return self._ordering(updated_node)
        return updated_node

    def leave_Comparison(self, original_node: cst.Comparison, updated_node: cst.Comparison) -> cst.Comparison:  # noqa: N802
        """Compare the present names of the orders of dimensions."""
        left = original_node.left
        right = original_node.comparisons[0].comparator
        ordering = _ORDERINGS.get(string(right) or "")
        if len(original_node.comparisons) != 1 or ordering is None or not isinstance(left, cst.Call):
            return updated_node
        if self.scope.qualified(left.func) != "keras.backend.image_dim_ordering" or not isinstance(left.func, cst.Attribute):
            return updated_node
        self.scope.note("image_dim_ordering() → image_data_format()")
        quote = cst.ensure_type(right, cst.SimpleString).quote
        new = updated_node.comparisons[0].with_changes(comparator=cst.SimpleString(f"{quote}{ordering}{quote}"))
        func = left.func.with_changes(attr=cst.Name("image_data_format"))
        return updated_node.with_changes(left=left.with_changes(func=func), comparisons=[new])

    def _kept(self, statement: cst.ImportFrom) -> list[cst.ImportAlias] | None:
        """Return the names that stay in an import; None when merge is not among them or can't be replaced."""
        module = dotted_name(statement.module)
        if module not in _PLACES or isinstance(statement.names, cst.ImportStar) or not self._replaceable():
            return None
        kept = [alias for alias in statement.names if alias.evaluated_name != "merge" or alias.asname]
        return kept if len(kept) < len(statement.names) else None

    def _replaceable(self) -> bool:
        calls = m.Call(func=m.Name("merge"))
        found = [node for tree in self.scope.names.trees for node in m.findall(tree, calls)]
        return bool(found) and all(_mode(cst.ensure_type(node, cst.Call)) in _MERGES for node in found)

    def _merged(self, call: cst.Call) -> cst.BaseExpression:
        """Spell out a merge by the function of its mode (keras/legacy/layers.py of Keras 2)."""
        inputs, axis = argument(call, "inputs", 0), argument(call, "concat_axis", 2)
        new = _MERGES.get(_mode(call))
        if inputs is None or new is None or not keyword_names(call) <= {"inputs", "mode", "concat_axis", "name"}:
            return call
        rest = [arg for arg in (axis, argument(call, "name")) if arg is not None]
        more = "".join(f", {'axis' if arg is axis else 'name'}={code(arg.value)}" for arg in rest)
        self.scope.note(f"merge(mode='{_mode(call)}') → {new}")
        return cst.parse_expression(f"{self.scope.imported(f'keras.layers.{new}')}({code(inputs.value)}{more})")

    def _with_kernel(self, name: str, call: cst.Call) -> cst.Call:
        """Join the rows and columns of a kernel."""
        positional = [arg for arg in call.args if arg.keyword is None and not arg.star]
        rows, columns = argument(call, "nb_row", 1), argument(call, "nb_col", 2)
        if rows is None or columns is None or (rows.keyword and not columns.keyword):
            return call
        if not rows.keyword and not columns.keyword:
            numbers = isinstance(rows.value, cst.Integer) and isinstance(columns.value, cst.Integer)
            plain = numbers or (isinstance(rows.value, cst.Name) and isinstance(columns.value, cst.Name))
            meant = self._old or (numbers and name in _OLD_KERNELS)
            if len(positional) != 3 or not plain or not meant:  # noqa: PLR2004 (filters, rows, columns)
                return call
        self.scope.note(f"{name}(…, rows, columns) → {name}(…, (rows, columns))")
        kernel = cst.parse_expression(f"({code(rows.value)}, {code(columns.value)})")
        joined = keyword("kernel_size", kernel) if rows.keyword else cst.Arg(value=kernel)
        joined = joined.with_changes(comma=columns.comma)
        return with_args(call, [joined if arg is rows else arg for arg in call.args if arg is not columns])

    def _with_shape(self, call: cst.Call) -> cst.Call:
        """Give the shape of a layer's input in one piece."""
        size, length = argument(call, "input_dim"), argument(call, "input_length")
        if size is None or "input_shape" in keyword_names(call) or not self.scope.at_least("keras", "3.0"):
            return call
        self.scope.note("input_dim= → input_shape=")
        shape = f"({code(length.value) if length else 'None'}, {code(size.value)})"
        new = keyword("input_shape", shape).with_changes(comma=size.comma)
        return with_args(call, [new if arg is size else arg for arg in call.args if arg is not length])

    def _ordering(self, call: cst.Call) -> cst.Call:
        order = argument(call, "dim_ordering", 0)
        new = _ORDERINGS.get(string(order.value) or "") if order else None
        if order is None or new is None or not isinstance(call.func, cst.Attribute):
            return call
        self.scope.note("set_image_dim_ordering → set_image_data_format")
        quote = cst.ensure_type(order.value, cst.SimpleString).quote
        func = call.func.with_changes(attr=cst.Name("set_image_data_format"))
        return call.with_changes(func=func, args=[cst.Arg(value=cst.SimpleString(f"{quote}{new}{quote}"))])


def _mode(call: cst.Call) -> str:
    mode = argument(call, "mode", 1)
    return (string(mode.value) or "") if mode else "sum"


class KerasLayers(CodemodRecipe):
    """Kernels, shapes, merges and orders of dimensions of Keras 1."""

    name = "keras-layer"
    summary = (
        "Keras takes a kernel's size and an input's shape as one tuple since version 2, and merges by functions of their own."
    )
    since = "Keras 2.0"
    source = "Keras 2 release notes; keras/legacy/interfaces.py and keras/legacy/layers.py of Keras 2.2"
    words = frozenset({*_KERNELS, *_SEQUENCES, "merge", "image_dim_ordering"})
    order = 18
    confirmed = True
    codemod = _Layers


RECIPES = (KerasLayers(),)
