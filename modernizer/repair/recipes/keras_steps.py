"""``steps_per_epoch=len(x) / 32``: Keras counts whole batches, where it once went on until a number was reached."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.recipe import Codemod
from modernizer.repair.syntax import code

_STEPS = frozenset({"steps_per_epoch", "validation_steps", "steps"})
_CALLS = frozenset({"fit", "evaluate", "predict"})


class _Steps(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        func = original_node.func
        if not isinstance(func, cst.Attribute) or func.attr.value not in _CALLS or not self.scope.failing(original_node):
            return updated_node
        return updated_node.with_changes(args=[self._whole(arg) for arg in updated_node.args])

    def _whole(self, arg: cst.Arg) -> cst.Arg:
        if arg.keyword is None or arg.keyword.value not in _STEPS or not self._divides(arg.value):
            return arg
        self.scope.note(f"{arg.keyword.value}= rounded up")
        ceil = self.scope.reference("numpy.ceil")
        return arg.with_changes(value=cst.parse_expression(f"int({ceil}({code(arg.value)}))"))

    def _divides(self, node: cst.BaseExpression) -> bool:
        made = self.scope.names.value(node.value, self.scope.unit) if isinstance(node, cst.Name) else None
        return bool(m.findall(made or node, m.BinaryOperation(operator=m.Divide())))


class KerasSteps(FailureRecipe):
    """Numbers of batches."""

    name = "keras-steps"
    summary = "Keras takes whole numbers of batches; a share of a batch was always a further batch."
    since = "TensorFlow 2.0, Keras 3.0"
    source = "keras/engine/training_generator.py of Keras 2: while steps_done < steps_per_epoch"
    words = _STEPS
    errors = frozenset({"TypeError", "ValueError"})
    message = re.compile(r"'float' object cannot be interpreted as an integer")
    codemod = _Steps


RECIPES = (KerasSteps(),)
