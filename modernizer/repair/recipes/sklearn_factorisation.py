"""``NMF(alpha=)``: one penalty became two that are scaled by the data's size."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.recipe import Codemod, CodemodRecipe, is_chain
from modernizer.repair.syntax import argument, code, keyword_names, plus, without

_NMF = frozenset({"sklearn.decomposition.NMF", "sklearn.decomposition.nmf.NMF"})
_FITS = frozenset({"fit", "fit_transform"})


class _Penalty(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        func, new = original_node.func, updated_node.func
        if not isinstance(func, cst.Attribute) or func.attr.value not in _FITS or not isinstance(new, cst.Attribute):
            return updated_node
        model, made = func.value, new.value
        data = argument(original_node, "X", 0)
        if not isinstance(model, cst.Call) or not isinstance(made, cst.Call) or self.scope.qualified(model.func) not in _NMF:
            return updated_node
        alpha = argument(model, "alpha")
        taken = {parameter.name for parameter in self.scope.installed.signature("sklearn.decomposition.NMF") or ()}
        if alpha is None or data is None or not is_chain(data.value) or "alpha" in taken or "alpha_W" not in taken:
            return updated_node
        if keyword_names(model) & {"alpha_W", "alpha_H", "regularization"}:
            return updated_node
        penalty = code(alpha.value) if isinstance(alpha.value, cst.BaseNumber | cst.Name) else f"({code(alpha.value)})"
        size = f"{code(data.value)}.shape"
        scaled = {"alpha_W": f"{penalty} / {size}[1]", "alpha_H": f"{penalty} / {size}[0]"}
        self.scope.note("alpha= → alpha_W=, alpha_H= by the size of the data")
        return updated_node.with_changes(func=new.with_changes(value=plus(without(made, {"alpha"}), **scaled)))


class Factorisation(CodemodRecipe):
    """The penalty of NMF."""

    name = "sklearn-nmf-penalty"
    summary = "NMF takes one penalty for each factor, relative to the size of the data; the old one is divided by that."
    since = "scikit-learn 1.2"
    source = "scikit-learn What's New 1.0 (alpha_W, alpha_H) and 1.2 (removal of alpha)"
    words = frozenset({"alpha"})
    order = 32
    confirmed = True
    codemod = _Penalty


RECIPES = (Factorisation(),)
