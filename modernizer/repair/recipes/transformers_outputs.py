"""``hidden, pooled = model(...)``: models of transformers answer with an object, which unpacks into the names of its fields."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.recipe import Codemod, Scope
from modernizer.repair.syntax import code, keyword_names, plus

_UNPACKED = m.Assign(targets=[m.AssignTarget(target=m.Tuple() | m.List())], value=m.Call())


class _Outputs(Codemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._models = _models(scope)

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Assign:  # noqa: N802 (LibCST's visitor protocol)
        call = original_node.value
        if not m.matches(original_node, _UNPACKED) or not isinstance(call, cst.Call) or code(call.func) not in self._models:
            return updated_node
        if "return_dict" in keyword_names(call):
            return updated_node
        self.scope.note("return_dict=False added")
        return updated_node.with_changes(value=plus(cst.ensure_type(updated_node.value, cst.Call), return_dict="False"))


def _models(scope: Scope) -> frozenset[str]:
    """List the names and attributes that hold models of transformers."""
    found = set()
    for unit, tree in zip(scope.names.bindings, scope.names.trees, strict=True):
        for node in m.findall(tree, m.Assign(targets=[m.AssignTarget()], value=m.Call(func=m.Name() | m.Attribute()))):
            assign = cst.ensure_type(node, cst.Assign)
            qualified = scope.names.qualified(cst.ensure_type(assign.value, cst.Call).func, unit) or ""
            name = qualified.removesuffix(".from_pretrained").rpartition(".")[2]
            if qualified.startswith("transformers.") and re.search(r"Model|For[A-Z]", name):
                found.add(code(assign.targets[0].target))
    return frozenset(found)


class TransformersOutputs(FailureRecipe):
    """Outputs of models."""

    name = "transformers-output"
    summary = "Models of transformers return an object since version 4; return_dict=False asks for the tuple that is unpacked."
    since = "transformers 4.0"
    source = "Transformers release notes 4.0: return_dict"
    words = frozenset({"="})
    errors = frozenset({"AttributeError", "TypeError"})
    message = re.compile(r"'str' object|not str\b")
    codemod = _Outputs


RECIPES = (TransformersOutputs(),)
