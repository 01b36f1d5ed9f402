"""``n_jobs=-1`` where scikit-learn's results do not depend on it.

Scikit-learn's rule: an estimator draws the seeds of its parts before it hands them out, so their number of workers changes
nothing. The functions that fit somebody else's estimator keep that promise only for an estimator that draws nothing from
the global random state, which every worker process has of its own.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

import libcst as cst

from modernizer.repair.program import Key
from modernizer.repair.recipe import Codemod, Scope, Unit
from modernizer.repair.syntax import argument, code, plus, string

_TREES = "each tree has a seed drawn beforehand (glossary: random_state, n_jobs)"
_SEARCH = "the distances are exact, each query stands alone"
ALONE = {
    "sklearn.ensemble.RandomForestClassifier": _TREES,
    "sklearn.ensemble.RandomForestRegressor": _TREES,
    "sklearn.ensemble.ExtraTreesClassifier": _TREES,
    "sklearn.ensemble.ExtraTreesRegressor": _TREES,
    "sklearn.ensemble.RandomTreesEmbedding": _TREES,
    "sklearn.ensemble.IsolationForest": _TREES,
    "sklearn.neighbors.KNeighborsClassifier": _SEARCH,
    "sklearn.neighbors.KNeighborsRegressor": _SEARCH,
    "sklearn.neighbors.RadiusNeighborsClassifier": _SEARCH,
    "sklearn.neighbors.RadiusNeighborsRegressor": _SEARCH,
    "sklearn.neighbors.NearestNeighbors": _SEARCH,
}
"""Estimators whose own results don't depend on n_jobs, with the reason."""

_FITS = "every fit is a clone's own, and this estimator draws nothing from the global random state"
WITH_ESTIMATOR = {
    "sklearn.model_selection.GridSearchCV": _FITS,
    "sklearn.model_selection.RandomizedSearchCV": f"the candidates are drawn beforehand; {_FITS}",
    "sklearn.model_selection.cross_val_score": _FITS,
    "sklearn.model_selection.cross_val_predict": _FITS,
    "sklearn.model_selection.cross_validate": _FITS,
    "sklearn.model_selection.learning_curve": _FITS,
    "sklearn.model_selection.validation_curve": _FITS,
}
"""What fits the estimator that is its first argument."""

# Estimators that have a random_state and don't use it, unless this parameter has one of these values.
_UNUSED_SEED = {
    "sklearn.linear_model.LogisticRegression": ("solver", {"liblinear", "sag", "saga"}),
    "sklearn.linear_model.Ridge": ("solver", {"sag", "saga"}),
    "sklearn.linear_model.RidgeClassifier": ("solver", {"sag", "saga"}),
    "sklearn.linear_model.Lasso": ("selection", {"random"}),
    "sklearn.linear_model.ElasticNet": ("selection", {"random"}),
    "sklearn.svm.SVC": ("probability", set()),
}
_PIPELINES = {"sklearn.pipeline.make_pipeline", "sklearn.pipeline.Pipeline"}
_GRIDS = ("param_grid", "param_distributions", "param_name")
_MOST_STEPS = 12


class _MoreJobs(Codemod):
    """Adds ``n_jobs=-1`` to the calls of a slow cell, and to constructors whose object a slow cell works with."""

    def __init__(self, scope: Scope, *, slow: bool, used: Collection[str]) -> None:
        super().__init__(scope)
        self._slow = slow
        self._used = used
        self._wanted: set[cst.CSTNode] = set()

    def visit_Assign(self, node: cst.Assign) -> None:  # noqa: N802 (LibCST's visitor protocol)
        if any(isinstance(target.target, cst.Name) and target.target.value in self._used for target in node.targets):
            self._wanted.add(node.value)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802
        if not self._slow and original_node not in self._wanted:
            return updated_node
        callee = self.scope.qualified(original_node.func)
        if callee is None or not (self._alone(callee, original_node) or self._around(callee, original_node)):
            return updated_node
        if not _takes_jobs(self.scope, callee, original_node):
            return updated_node
        leaf = callee.rpartition(".")[2]
        self.scope.note(f"{leaf}(n_jobs=-1): {ALONE.get(callee) or WITH_ESTIMATOR[callee]}")
        return plus(updated_node, n_jobs="-1")

    def _alone(self, callee: str, call: cst.Call) -> bool:
        if callee not in ALONE:
            return False
        # A function of the notebook's would be called by several threads at once.
        given = (argument(call, name) for name in ("metric", "weights", "verbose"))
        return all(arg is None or string(arg.value) is not None or _is_quiet(arg.value) for arg in given)

    def _around(self, callee: str, call: cst.Call) -> bool:
        if callee not in WITH_ESTIMATOR:
            return False
        estimator, scoring, verbose = argument(call, "estimator", 0), argument(call, "scoring"), argument(call, "verbose")
        if estimator is None or (scoring is not None and string(scoring.value) is None):
            return False
        if verbose is not None and not _is_quiet(verbose.value):
            return False
        return repeatable(estimator.value, self.scope, self._grid(call))

    def _grid(self, call: cst.Call) -> str | None:
        """Return the source of what is varied; None when it is not written out."""
        found = next((arg for name in _GRIDS if (arg := argument(call, name)) is not None), None)
        if found is None:
            is_search = (self.scope.qualified(call.func) or "").endswith("SearchCV")
            found = argument(call, "", 1) if is_search else None
        if found is None:
            return ""
        value: cst.BaseExpression | None = found.value
        if isinstance(value, cst.Name):
            value = self.scope.names.value(value.value, self.scope.unit)
        return code(value) if isinstance(value, cst.Dict | cst.List | cst.SimpleString) else None


def repeatable(node: cst.BaseExpression | None, scope: Scope, grid: str | None, *, depth: int = 0) -> bool:
    """Tell whether an estimator provably draws nothing from the global random state, whatever the grid sets in it."""
    if isinstance(node, cst.Name):
        return depth < _MOST_STEPS and repeatable(scope.names.value(node.value, scope.unit), scope, grid, depth=depth + 1)
    if not isinstance(node, cst.Call) or any(arg.star for arg in node.args):
        return False
    callee = scope.qualified(node.func) or ""
    if callee in _PIPELINES:
        return all(repeatable(step, scope, grid, depth=depth + 1) for step in _steps(node))
    signature = scope.installed.signature(callee) if callee.startswith("sklearn.") else None
    if signature is None or grid is None:
        return False
    names = {parameter.name for parameter in signature}
    # An estimator around another one is as repeatable as that one, which is not looked into.
    if {"estimator", "estimators", "transformers", "func"} & names:
        return False
    return "random_state" not in names or _is_seeded(callee, node, grid)


def _is_seeded(callee: str, node: cst.Call, grid: str) -> bool:
    """Tell whether an estimator that may draw has a seed of its own, or doesn't draw with these parameters."""
    seed = argument(node, "random_state")
    if seed is not None and isinstance(seed.value, cst.Integer) and "random_state" not in grid:
        return True
    parameter, drawing = _UNUSED_SEED.get(callee, ("", set()))
    if not parameter or parameter in grid:
        return False
    given = argument(node, parameter)
    if given is None:
        return True
    return bool(drawing) and (value := string(given.value)) is not None and value not in drawing


def _steps(call: cst.Call) -> list[cst.BaseExpression | None]:
    """List a pipeline's steps; something unknown among them is None."""
    if not call.args or any(arg.keyword and arg.keyword.value != "steps" for arg in call.args):
        return [None]
    first = call.args[0].value
    if not isinstance(first, cst.List):
        return [arg.value for arg in call.args]
    return [
        element.value.elements[1].value if isinstance(element.value, cst.Tuple) and len(element.value.elements) > 1 else None
        for element in first.elements
    ]


def _takes_jobs(scope: Scope, callee: str, call: cst.Call) -> bool:
    """Tell whether the installed callable has the parameter and this call leaves it to its default."""
    signature = scope.installed.signature(callee)
    if signature is None or any(arg.star for arg in call.args) or argument(call, "n_jobs") is not None:
        return False
    place = next((place for place, parameter in enumerate(signature) if parameter.name == "n_jobs"), None)
    return place is not None and sum(arg.keyword is None for arg in call.args) <= place


def _is_quiet(node: cst.BaseExpression) -> bool:
    """Tell whether a verbosity lets only the main process print: what workers print is lost."""
    return (isinstance(node, cst.Integer) and node.value in {"0", "1"}) or (isinstance(node, cst.Name) and node.value == "False")


class MoreJobs:
    """The recipe, for the slow cells of one notebook."""

    name: ClassVar[str] = "all-processors"
    summary: ClassVar[str] = "Slow scikit-learn calls use all processors; their results don't depend on it."
    since: ClassVar[str] = ""
    source: ClassVar[str] = "https://scikit-learn.org/stable/glossary.html#term-n_jobs"
    words: ClassVar[frozenset[str]] = frozenset({"(", "sklearn"})
    order: ClassVar[int] = 50
    confirmed: ClassVar[bool] = True
    at_end: ClassVar[bool] = False

    def __init__(self, slow: Collection[Key], used: Collection[str]) -> None:
        """Take the slow cells and the names that they mention."""
        self._slow = slow
        self._used = used

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Return the unit's new source, or None."""
        if unit.tree is None or unit.masked is None:
            return None
        changed = unit.tree.visit(_MoreJobs(scope, slow=unit.key in self._slow, used=self._used))
        return unit.masked.unmask(changed.code)
