"""``loss.data[0]``: a tensor without dimensions gives its number with ``item()``."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.syntax import code

_MESSAGE = "invalid index of a 0-dim tensor"
_FIRST = m.Subscript(value=m.Attribute(attr=m.Name("data")), slice=[m.SubscriptElement(slice=m.Index(m.Integer("0")))])


class _Scalars(Codemod):
    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        failure = self.scope.failure
        if failure is None or _MESSAGE not in failure.message or not m.matches(original_node, _FIRST):
            return updated_node
        owner = cst.ensure_type(updated_node.value, cst.Attribute).value
        # Losses have no dimensions; what else has none is only known on the failing line.
        if "loss" not in code(owner) and not self.scope.failing(original_node):
            return updated_node
        self.scope.note(".data[0] → .item()")
        return cst.Call(func=cst.Attribute(value=owner, attr=cst.Name("item")))


class TorchScalars(CodemodRecipe):
    """Numbers of tensors without dimensions."""

    name = "torch-scalar"
    summary = "Losses are tensors without dimensions since PyTorch 0.4; item() gives their number."
    since = "torch 0.5"
    source = "PyTorch 0.4.0 migration guide"
    words = frozenset({".data[0]"})
    codemod = _Scalars


RECIPES = (TorchScalars(),)
