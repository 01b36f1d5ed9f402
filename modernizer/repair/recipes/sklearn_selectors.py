"""Estimators that selected features by their importances or coefficients themselves; SelectFromModel does that now."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.syntax import argument, code, keyword_names, plus

_FORESTS = {"RandomForestClassifier", "RandomForestRegressor", "ExtraTreesClassifier", "ExtraTreesRegressor"}
_BOOSTED = {"GradientBoostingClassifier", "GradientBoostingRegressor"}
_TREES = {"DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier", "ExtraTreeRegressor"}
_LINEAR = {"LogisticRegression", "LogisticRegressionCV", "SGDClassifier", "SGDRegressor", "Perceptron"}
_SELECTORS = frozenset(
    {f"sklearn.ensemble.{name}" for name in _FORESTS | _BOOSTED}
    | {f"sklearn.tree.{name}" for name in _TREES}
    | {f"sklearn.linear_model.{name}" for name in _LINEAR}
    | {"sklearn.svm.LinearSVC"}
)
_MESSAGE = re.compile(r"'(\w+)' object has no attribute '(transform|fit_transform)'")
_SELECTOR = "sklearn.feature_selection.SelectFromModel"


class _Selectors(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        func = original_node.func
        if not m.matches(func, m.Attribute(attr=m.Name("transform") | m.Name("fit_transform"))) or any(
            arg.star for arg in original_node.args
        ):
            return updated_node
        method = cst.ensure_type(func, cst.Attribute).attr.value
        if not self._selected(cst.ensure_type(func, cst.Attribute).value, method):
            return updated_node
        estimator = cst.ensure_type(updated_node.func, cst.Attribute).value
        new = self._transform(estimator, updated_node) if method == "transform" else self._fit_transform(estimator, updated_node)
        if new is None:
            return updated_node
        self.scope.note(f"{method}() of an estimator → SelectFromModel")
        return new

    def _selected(self, receiver: cst.BaseExpression, method: str) -> bool:
        """Tell whether the receiver is an estimator without this method; inside functions the error and its line tell."""
        kind = self.scope.type_of(receiver)
        if kind is not None:
            return kind in _SELECTORS and not self.scope.installed.resolves(f"{kind}.{method}")
        failure = self.scope.failure
        found = _MESSAGE.search(failure.error.message) if failure else None
        if found is None or found[2] != method or not self.scope.failing(receiver):
            return False
        return any(selector.endswith(f".{found[1]}") for selector in _SELECTORS)

    def _transform(self, estimator: cst.BaseExpression, call: cst.Call) -> cst.Call | None:
        data, threshold = argument(call, "X", 0), argument(call, "threshold", 1)
        if data is None or len(call.args) != 1 + (threshold is not None):
            return None
        return self._select(code(estimator), data.value, "" if threshold is None else f", threshold={code(threshold.value)}")

    def _fit_transform(self, estimator: cst.BaseExpression, call: cst.Call) -> cst.Call | None:
        data, target = argument(call, "X", 0), argument(call, "y", 1)
        # The table is named twice, so it must be a plain name.
        if data is None or not isinstance(data.value, cst.Name) or len(call.args) != 1 + (target is not None):
            return None
        if keyword_names(call) - {"X", "y"}:
            return None
        fitted = call.with_changes(func=cst.Attribute(value=estimator, attr=cst.Name("fit")))
        return self._select(code(fitted), data.value, "")

    def _select(self, estimator: str, data: cst.BaseExpression, threshold: str) -> cst.Call:
        selector = cst.parse_expression(f"{self.scope.imported(_SELECTOR)}({estimator}{threshold})")
        selector = plus(cst.ensure_type(selector, cst.Call), prefit="True")
        return cst.Call(func=cst.Attribute(value=selector, attr=cst.Name("transform")), args=[cst.Arg(data)])


class Selectors(CodemodRecipe):
    """``forest.transform(X, threshold=…)``."""

    name = "sklearn-estimator-as-selector"
    summary = "Estimators no longer select features themselves; SelectFromModel does, by the same threshold."
    since = "scikit-learn 0.19"
    source = "scikit-learn What's New 0.17 (deprecation: estimators as feature selectors) and 0.19 (removal)"
    words = frozenset({"transform", "fit_transform"})
    codemod = _Selectors


RECIPES = (Selectors(),)
