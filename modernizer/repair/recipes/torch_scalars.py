"""``loss.data[0]``: a tensor without dimensions gives its number with ``item()``."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from modernizer.repair.recipe import Codemod, CodemodRecipe, Scope
from modernizer.repair.syntax import code

_MESSAGE = "invalid index of a 0-dim tensor"
_FIRST = m.Subscript(value=m.Attribute(attr=m.Name("data")), slice=[m.SubscriptElement(slice=m.Index(m.Integer("0")))])


class _Scalars(Codemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        refused = scope.failure is not None and _MESSAGE in scope.failure.message
        # What is refused on the failing line is the same kind of thing wherever it has the same name.
        self._names = {code(node) for tree in scope.names.trees for node in m.findall(tree, _FIRST)} if refused else set()

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        if not m.matches(original_node, _FIRST) or code(original_node) not in self._names:
            return updated_node
        owner = cst.ensure_type(updated_node.value, cst.Attribute).value
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
