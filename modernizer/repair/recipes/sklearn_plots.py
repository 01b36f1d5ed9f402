"""The plot_ functions of scikit-learn became class methods of displays."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.scope import dotted_name

_DISPLAYS = {
    "sklearn.metrics.plot_confusion_matrix": "sklearn.metrics.ConfusionMatrixDisplay",
    "sklearn.metrics.plot_roc_curve": "sklearn.metrics.RocCurveDisplay",
    "sklearn.metrics.plot_precision_recall_curve": "sklearn.metrics.PrecisionRecallDisplay",
    "sklearn.metrics.plot_det_curve": "sklearn.metrics.DetCurveDisplay",
    "sklearn.inspection.plot_partial_dependence": "sklearn.inspection.PartialDependenceDisplay",
    "sklearn.ensemble.partial_dependence.plot_partial_dependence": "sklearn.inspection.PartialDependenceDisplay",
}


class _Plots(Codemod):
    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:  # noqa: N802 (LibCST's visitor protocol)
        del node
        return False

    def leave_ImportFrom(self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom) -> cst.ImportFrom:  # noqa: N802
        module = dotted_name(original_node.module) if original_node.module else None
        if module is None or isinstance(original_node.names, cst.ImportStar):
            return updated_node
        homes = {alias: self._display(f"{module}.{alias.evaluated_name}") for alias in original_node.names}
        if not any(homes.values()):
            return updated_node
        names, modules = [], set()
        for alias, display in homes.items():
            modules.add(display.rpartition(".")[0] if display else module)
            # An alias named the function, which is a method now: uses name the class itself.
            names.append(alias.with_changes(name=cst.Name(display.rpartition(".")[2]), asname=None) if display else alias)
        if len(modules) == 1:
            return updated_node.with_changes(names=names, module=cst.parse_expression(modules.pop()))
        for display in filter(None, homes.values()):
            home, _, leaf = display.rpartition(".")
            self.scope.want_import(f"from {home} import {leaf}")
        kept = [alias for alias, display in homes.items() if not display]
        kept[-1] = kept[-1].with_changes(comma=original_node.names[-1].comma)
        return updated_node.with_changes(names=kept)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:  # noqa: N802
        return self._method(original_node) or updated_node

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:  # noqa: N802
        return self._method(original_node) or updated_node.with_changes(attr=original_node.attr)

    def _method(self, node: cst.Name | cst.Attribute) -> cst.BaseExpression | None:
        qualified = self.scope.qualified(node)
        display = self._display(qualified) if qualified else None
        if display is None:
            return None
        leaf = display.rpartition(".")[2]
        self.scope.note(f"{qualified} → {leaf}.from_estimator")
        owner = leaf if isinstance(node, cst.Name) else self.scope.reference(display)
        return cst.parse_expression(f"{owner}.from_estimator")

    def _display(self, dotted: str) -> str | None:
        display = _DISPLAYS.get(dotted)
        if display is None or self.scope.installed.resolves(dotted):
            return None
        return display if self.scope.installed.resolves(f"{display}.from_estimator") else None


class Plots(CodemodRecipe):
    """Plots of fitted estimators."""

    name = "sklearn-plot-functions"
    summary = "The plot_ function is a class method of a display now, with the same arguments."
    since = "scikit-learn 1.2"
    source = "scikit-learn What's New 1.0 (deprecation) and 1.2 (removal)"
    words = frozenset(dotted.rpartition(".")[2] for dotted in _DISPLAYS)
    order = 19
    confirmed = True
    codemod = _Plots


RECIPES = (Plots(),)
