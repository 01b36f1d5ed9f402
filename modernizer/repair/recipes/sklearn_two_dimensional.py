"""One sample or one column given as a one-dimensional array, which scikit-learn refuses now."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.recipe import Codemod, CodemodRecipe, LiveObject, Scope
from modernizer.repair.syntax import code

_REFUSED = re.compile(
    r"Expected 2D array, got (?:1D|scalar) array instead|Expected a 2-dimensional container but got <class 'pandas\.Series'>"
)
_PREDICT = frozenset(
    {"predict", "predict_proba", "predict_log_proba", "decision_function", "transform", "inverse_transform", "score_samples"}
    | {"kneighbors", "apply", "staged_predict", "score", "bic", "aic"}
)
_FIT = frozenset({"fit", "fit_transform", "fit_predict", "partial_fit"})
# Fitted attributes whose last axis, or whose length, is the number of features.
_MEASURES = (
    *("n_features_in_", "coef_", "feature_importances_", "scale_", "cluster_centers_", "support_vectors_", "means_", "theta_"),
    *("components_", "_fit_X"),
)
_TARGETS = ("sklearn.preprocessing.Label", "sklearn.preprocessing.MultiLabel", "sklearn.preprocessing._label")
_COLUMN_SCALERS = frozenset({"StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler"})
_NUMBER = m.Integer() | m.Float() | m.UnaryOperation(operator=m.Minus(), expression=m.Integer() | m.Float())


class _TwoDimensional(Codemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        failure = scope.failure
        self._refused = failure is not None and _REFUSED.search(failure.error.message) is not None

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's protocol)
        func = original_node.func
        if not isinstance(func, cst.Attribute) or func.attr.value not in _PREDICT | _FIT or not original_node.args:
            return updated_node
        first = original_node.args[0]
        if first.star or (first.keyword and first.keyword.value != "X") or self._wants_targets(func.value):
            return updated_node
        failing = self._refused and self.scope.failing(original_node)
        proven = (self.scope.names.type_of(func.value, self.scope.unit) or "").startswith("sklearn.")
        if _is_row_of_numbers(first.value) and func.attr.value in _PREDICT and (failing or (self._refused and proven)):
            return self._with_first(updated_node, f"[{code(first.value)}]")
        if m.matches(first.value, _NUMBER) and func.attr.value in _PREDICT and (failing or (self._refused and proven)):
            return self._with_first(updated_node, f"[[{code(first.value)}]]")
        return self._by_live_shape(func, first.value, updated_node) if failing else updated_node

    def _by_live_shape(self, func: cst.Attribute, value: cst.BaseExpression, call: cst.Call) -> cst.BaseExpression:
        """Decide between a row and a column by the live objects."""
        live = self._describe(value)
        if live is not None and live.shape is not None and len(live.shape) > 1:
            return call
        source = code(value)
        if live is not None and live.type_name in {"int", "float"}:
            return self._with_first(call, f"[[{source}]]")
        size = live.shape[0] if live is not None and live.shape else live.length if live is not None else None
        features = self._features(func.value)
        if func.attr.value in _FIT or features == 1:
            new = self._with_first(call, _column(source, value, live))
            return self._as_before(func, new)
        if size is None and (features is None or isinstance(value, cst.Call)) and not isinstance(value, cst.Subscript | cst.List):
            return call
        if features is not None and size is not None and features != size:
            return call
        return self._with_first(call, f"[{source}]")

    def _as_before(self, func: cst.Attribute, call: cst.Call) -> cst.BaseExpression:
        """Scalers gave a one-dimensional result for a one-dimensional argument."""
        kind = (self.scope.type_of(func.value) or "").rpartition(".")[2]
        if kind in _COLUMN_SCALERS and func.attr.value in {"transform", "fit_transform", "inverse_transform"}:
            return cst.Call(func=cst.Attribute(value=call, attr=cst.Name("ravel")))
        return call

    def _features(self, estimator: cst.BaseExpression) -> int | None:
        """Return how many features a fitted live estimator has."""
        for name in _MEASURES:
            live = self._describe(cst.Attribute(value=estimator, attr=cst.Name(name)))
            if live is not None and live.shape:
                return live.shape[-1]
        return None

    def _describe(self, node: cst.BaseExpression) -> LiveObject | None:
        return self.scope.describe(node)

    def _wants_targets(self, estimator: cst.BaseExpression) -> bool:
        return (self.scope.type_of(estimator) or "").startswith(_TARGETS)

    def _with_first(self, call: cst.Call, source: str) -> cst.Call:
        self.scope.note("a one-dimensional argument → two dimensions")
        first = call.args[0].with_changes(value=cst.parse_expression(source))
        return call.with_changes(args=[first, *call.args[1:]])


def _is_row_of_numbers(node: cst.BaseExpression) -> bool:
    return (
        isinstance(node, cst.List | cst.Tuple)
        and bool(node.elements)
        and all(m.matches(el.value, _NUMBER) for el in node.elements)
    )


def _column(source: str, value: cst.BaseExpression, live: LiveObject | None) -> str:
    """Return the expression of a column for one of a series, an array or a list."""
    kind = live.type_name if live is not None else ""
    simple = isinstance(value, cst.Name | cst.Attribute | cst.Subscript | cst.Call)
    if kind.startswith("pandas."):
        return f"{source}.to_frame()" if kind.endswith("Series") else f"{source}.values.reshape(-1, 1)"
    if simple and kind not in {"list", "tuple", "range"}:
        return f"{source}.reshape(-1, 1)"
    return f"[[value] for value in {source}]"


class TwoDimensional(CodemodRecipe):
    """One-dimensional samples."""

    name = "sklearn-two-dimensional"
    summary = "scikit-learn takes two-dimensional samples only: a single sample became a list of one, a single feature a column."
    since = "scikit-learn 0.19"
    source = "scikit-learn What's New 0.17 (deprecation) and 0.19 (error)"
    words = frozenset({*_PREDICT, *_FIT})
    order = 55
    codemod = _TwoDimensional


RECIPES = (TwoDimensional(),)
