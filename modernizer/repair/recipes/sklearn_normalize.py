"""normalize=True of the linear models: columns scaled to unit length before the fit, coefficients scaled back after it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import libcst as cst

from modernizer.repair.definitions import rewrite_and_define
from modernizer.repair.program import Key
from modernizer.repair.recipe import Codemod, Scope, Unit
from modernizer.repair.syntax import argument, literal, without

_HOME = "sklearn.linear_model"
# Models whose penalty depends on the scale of the columns; for ordinary least squares the argument is dropped.
_MODELS = frozenset({
    "ARDRegression", "BayesianRidge", "ElasticNet", "ElasticNetCV", "Lars", "Lasso", "LassoCV", "LassoLars", "LassoLarsIC",
    "MultiTaskElasticNet", "MultiTaskElasticNetCV", "MultiTaskLasso", "MultiTaskLassoCV", "OrthogonalMatchingPursuit", "Ridge",
    "RidgeCV", "RidgeClassifier", "RidgeClassifierCV",
})  # fmt: skip
_PATHS = ("LassoCV", "ElasticNetCV")
# With these arguments each fold of a cross-validation was scaled by itself; with this word spread is told in old columns.
_FOLDED = frozenset({"RidgeCV", "RidgeClassifierCV"})
_SPREAD = frozenset({"BayesianRidge", "ARDRegression"})
_DEFINITION = '''\
def normalized(model):
    """Give the class a fit() like that of normalize=True before scikit-learn 1.2."""

    class Normalized(model):
        def fit(self, X, y, *args, **kwargs):
            if not self.fit_intercept:
                return super().fit(X, y, *args, **kwargs)
            columns = {numpy}.asarray(X, dtype=float)
            means = {numpy}.average(columns, axis=0, weights=kwargs.get("sample_weight", *args[:1]))
            scale = {numpy}.linalg.norm(columns - means, axis=0)
            scale[scale == 0] = 1
            super().fit(X / scale, y, *args, **kwargs)
            self.coef_ = self.coef_ / scale
            return self

{path}    Normalized.__name__ = model.__name__
    return Normalized
'''
# Cross-validation scaled the columns of each fold by themselves.
_PATH = """\
    if hasattr(model, "path"):

        def path(X, y, **params):
            scale = {numpy}.linalg.norm(X, axis=0)
            scale[scale == 0] = 1
            params.update(precompute=False, Xy=None)
            alphas, coefs, *rest = model.path(X / scale, y, **params)
            return (alphas, coefs / scale[:, None], *rest)

        Normalized.path = staticmethod(path)
"""


class _Normalize(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        home, _, leaf = (self.scope.qualified(original_node.func) or "").rpartition(".")
        given = argument(original_node, "normalize")
        if home != _HOME or leaf not in _MODELS or given is None or literal(given.value) != "True":
            return updated_node
        spread = leaf in _SPREAD and self.scope.names.mentions("return_std")
        if spread or (leaf in _FOLDED and argument(original_node, "cv", 4)):
            return updated_node
        signature = self.scope.installed.signature(f"{_HOME}.{leaf}") or ()
        if not signature or any(parameter.name == "normalize" for parameter in signature):
            return updated_node
        self.scope.note(f"{leaf}(normalize=True) → normalized({leaf})()")
        model = cst.Call(func=cst.Name("normalized"), args=[cst.Arg(updated_node.func)])
        return without(updated_node, {"normalize"}).with_changes(func=model)


class Normalize:
    """Linear models on columns of unit length."""

    name: ClassVar[str] = "sklearn-normalize"
    summary: ClassVar[str] = "normalize= is gone; a small function gives the class the same scaling, with coefficients as before."
    since: ClassVar[str] = "scikit-learn 1.2"
    source: ClassVar[str] = "scikit-learn What's New 1.0 (deprecation) and 1.2 (removal)"
    words: ClassVar[frozenset[str]] = frozenset({"normalize"})
    order: ClassVar[int] = 32
    confirmed: ClassVar[bool] = True
    at_end: ClassVar[bool] = False

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Rewrite one unit by itself."""
        return self.rewrite_all({unit.key: unit}, scope).get(unit.key)

    def rewrite_all(self, units: Mapping[Key, Unit], scope: Scope) -> dict[Key, str]:
        """Replace all calls and define the function where the first one stands."""
        concerned = {key: unit for key, unit in units.items() if "normalize" in unit.source}
        paths = any(name in unit.source for name in _PATHS for unit in concerned.values())
        definition = _DEFINITION.replace("{path}", _PATH if paths else "")
        return rewrite_and_define(concerned, scope, _Normalize, definition, (), name="normalized")


RECIPES = (Normalize(),)
