"""Exponential smoothing: whether to transform by Box and Cox is said to the model, no longer to its fit()."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.syntax import argument, code, keyword_names, plus, without

_MODEL = "ExponentialSmoothing"
_OPTION = "use_boxcox"
_CHAINED = m.Call(func=m.Attribute(value=m.Call(), attr=m.Name("fit")))


class _BoxCox(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        given = argument(original_node, _OPTION)
        if given is None or not m.matches(original_node, _CHAINED) or not self.scope.at_least("statsmodels", "0.14"):
            return updated_node
        model = cst.ensure_type(cst.ensure_type(original_node.func, cst.Attribute).value, cst.Call)
        qualified = self.scope.qualified(model.func) or ""
        if not qualified.startswith("statsmodels.") or not qualified.endswith(f".{_MODEL}") or _OPTION in keyword_names(model):
            return updated_node
        self.scope.note(f"fit({_OPTION}=) → {_MODEL}({_OPTION}=)")
        func = cst.ensure_type(updated_node.func, cst.Attribute)
        built = plus(cst.ensure_type(func.value, cst.Call), **{_OPTION: code(given.value)})
        return without(updated_node, {_OPTION}).with_changes(func=func.with_changes(value=built))


class BoxCox(CodemodRecipe):
    """The transformation of a smoothing model."""

    name = "statsmodels-boxcox"
    summary = "Exponential smoothing is told of the Box-Cox transformation when it is made, no longer when it is fitted."
    since = "statsmodels 0.14"
    source = "statsmodels release notes 0.12 (deprecation) and 0.14 (removal)"
    words = frozenset({_OPTION})
    confirmed = True
    codemod = _BoxCox


RECIPES = (BoxCox(),)
