"""Functions of PyTorch that are only left to say that they are gone, and other calls that refuse what they took."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import bind, filled
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.recipe import Codemod
from modernizer.repair.syntax import keyword_names, literal, plus

# The old order of parameters, and for each set of given ones what the message of the error tells to call.
_FUNCTIONS = {
    "torch.qr": ("input some", {"input": "torch.linalg.qr({input})"}),
    "torch.symeig": ("input eigenvectors upper", {"input,eigenvectors": "torch.linalg.eigh({input}, UPLO='U')"}),
    "torch.solve": ("B A", {"B,A": "(torch.linalg.solve({A}, {B}), torch.linalg.lu_factor({A})[0])"}),
    "torch.matrix_rank": ("input", {"input": "torch.linalg.matrix_rank({input})"}),
    "torch.cholesky": ("input upper", {"input": "torch.linalg.cholesky({input})"}),
}


class _Removed(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        name = self.scope.qualified(original_node.func)
        failure = self.scope.failure
        if name not in _FUNCTIONS or failure is None or not _is_about(name, failure.error.message):
            return updated_node
        order, forms = _FUNCTIONS[name]
        bound = bind(updated_node.args, order.split())
        template = forms.get(",".join(given for given in order.split() if given in bound)) if bound else None
        if bound is None or template is None:
            return updated_node
        if name == "torch.symeig" and literal(bound["eigenvectors"]) != "True":
            return updated_node
        self.scope.note(f"{name} → {template.partition('(')[0] or 'torch.linalg.solve'}")
        return filled(template.replace("torch.", f"{self.scope.reference('torch')}."), bound)


def _is_about(name: str, message: str) -> bool:
    """Tell whether the message speaks of a function; one of them is named by its successor only."""
    return re.search(rf"\b{re.escape(name)}\b", message) is not None or f"torch.linalg.{name.rpartition('.')[2]}`" in message


class TorchRemoved(FailureRecipe):
    """Linear algebra that moved to torch.linalg."""

    name = "torch-linalg"
    summary = "PyTorch has its linear algebra in torch.linalg; the function named in the error stands there under another form."
    since = "torch 1.9"
    source = "PyTorch release notes 1.9 (deprecation) and the messages of the removed functions"
    words = frozenset({name.rpartition(".")[2] for name in _FUNCTIONS})
    errors = frozenset({"RuntimeError"})
    message = re.compile("deprecated since version .* and is now removed")
    codemod = _Removed


class _Loads(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        if self.scope.qualified(original_node.func) != "torch.load" or "weights_only" in keyword_names(original_node):
            return updated_node
        self.scope.note("torch.load(…, weights_only=False): it runs what the file says, as it always did before")
        return plus(updated_node, weights_only="False")


class TorchLoad(FailureRecipe):
    """Files with more than tensors."""

    name = "torch-load"
    summary = "torch.load reads nothing but tensors unless it is told that the file can be trusted, as it once took for granted."
    since = "torch 2.6"
    source = "PyTorch release notes 2.6: weights_only"
    words = frozenset({"load"})
    errors = frozenset({"UnpicklingError"})
    message = re.compile("Weights only load failed")
    codemod = _Loads


class _Masks(Codemod):
    def leave_BinaryOperation(  # noqa: N802
        self, original_node: cst.BinaryOperation, updated_node: cst.BinaryOperation
    ) -> cst.BaseExpression:
        if not self.scope.failing(original_node) or not m.matches(
            original_node, m.BinaryOperation(left=m.Integer("1"), operator=m.Subtract())
        ):
            return updated_node
        self.scope.note("1 - mask → ~mask")
        right = updated_node.right
        simple = isinstance(right, cst.Name | cst.Attribute | cst.Call | cst.Subscript) or right.lpar
        return cst.UnaryOperation(
            operator=cst.BitInvert(),
            expression=right if simple else right.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()]),
            lpar=updated_node.lpar,
            rpar=updated_node.rpar,
        )


class TorchMasks(FailureRecipe):
    """Masks turned round."""

    name = "torch-mask"
    summary = "Comparisons of tensors give truth values since PyTorch 1.2, which ~ turns round."
    since = "torch 1.2"
    source = "PyTorch release notes 1.2: comparisons return bool"
    words = frozenset({"-"})
    errors = frozenset({"RuntimeError", "NotImplementedError"})
    message = re.compile("Subtraction, the `-` operator, with a bool tensor is not supported")
    failing_unit_only = True
    codemod = _Masks


RECIPES = (TorchRemoved(), TorchLoad(), TorchMasks())
