"""liblinear for more than two classes where a wrapper would change names: a class that fits one classifier for each class."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import libcst as cst
import libcst.matchers as m

from modernizer.repair.definitions import rewrite_and_define
from modernizer.repair.program import Key
from modernizer.repair.recipe import Codemod, Scope, Unit
from modernizer.repair.searches import estimator_of
from modernizer.repair.syntax import argument, literal, without

_LOGISTIC = "sklearn.linear_model.LogisticRegression"
_MULTICLASS = "The 'liblinear' solver does not support multiclass classification"
# What OneVsRestClassifier has not.
_OF_MODEL = m.Attribute(attr=m.Name("coef_") | m.Name("intercept_"), value=m.Name())
_DEFINITION = '''\
def one_per_class(model):
    """Give the class a fit() of one classifier for each class, as liblinear did before scikit-learn 1.8."""

    class OnePerClass(model):
        def fit(self, X, y, *args, **kwargs):
            classes = {numpy}.unique(y)
            if len(classes) <= 2:
                return super().fit(X, y, *args, **kwargs)
            fitted = [model(**self.get_params()).fit(X, {numpy}.asarray(y) == label, *args, **kwargs) for label in classes]
            for name in set(vars(fitted[0])) - set(vars(self)):
                setattr(self, name, getattr(fitted[0], name))
            self.classes_ = classes
            self.coef_ = {numpy}.vstack([one.coef_ for one in fitted])
            self.intercept_ = {numpy}.hstack([one.intercept_ for one in fitted])
            return self

        def predict_proba(self, X):
            found = 1 / (1 + {numpy}.exp(-self.decision_function(X)))
            if found.ndim == 1:
                return {numpy}.column_stack([1 - found, found])
            return found / found.sum(axis=1, keepdims=True)

    OnePerClass.__name__ = model.__name__
    return OnePerClass
'''


class _Classes(Codemod):
    """Replace the classifiers in ``concerned``."""

    concerned: ClassVar[frozenset[cst.CSTNode]] = frozenset()

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        if original_node not in self.concerned:
            return updated_node
        self.scope.note("LogisticRegression(solver='liblinear') → one_per_class(LogisticRegression)")
        model = cst.Call(func=cst.Name("one_per_class"), args=[cst.Arg(updated_node.func)])
        return without(updated_node, {"multi_class"}).with_changes(func=model)


class OnePerClass:
    """liblinear for several classes, where its parameters or coefficients are named."""

    name: ClassVar[str] = "sklearn-liblinear-classes"
    summary: ClassVar[str] = "liblinear takes two classes only; a small class fits one classifier for each, with the same names."
    since: ClassVar[str] = "scikit-learn 1.8"
    source: ClassVar[str] = "scikit-learn What's New 1.6 (deprecation) and 1.8 (error)"
    words: ClassVar[frozenset[str]] = frozenset({"liblinear"})
    order: ClassVar[int] = 28
    confirmed: ClassVar[bool] = False
    at_end: ClassVar[bool] = False

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Rewrite one unit by itself."""
        return self.rewrite_all({unit.key: unit}, scope).get(unit.key)

    def rewrite_all(self, units: Mapping[Key, Unit], scope: Scope) -> dict[Key, str]:
        """Replace the classifiers that more than two classes were given to, as the error shows."""
        failure = scope.failure
        if failure is None or not any("liblinear" in unit.source for unit in units.values()):
            return {}
        refused = _MULTICLASS in failure.message or "unexpected keyword argument 'multi_class'" in failure.message
        if not refused or not scope.at_least("scikit-learn", "1.8"):
            return {}
        concerned = _searched(units, scope)
        if _MULTICLASS in failure.message:
            concerned |= _read(units, scope)
        found = {call for call in concerned if any(_of_liblinear(call, replace(scope, unit=key)) for key in units)}
        codemod = type("_Concerned", (_Classes,), {"concerned": frozenset(found)})
        return rewrite_and_define(units, scope, codemod, _DEFINITION, (), name="one_per_class") if found else {}


def _of_liblinear(call: cst.Call, scope: Scope) -> bool:
    """Tell whether a call makes such a classifier; class weights mean something else for each class alone."""
    solver, weights, scheme = (argument(call, name) for name in ("solver", "class_weight", "multi_class"))
    if scope.qualified(call.func) != _LOGISTIC or solver is None or literal(solver.value) != "'liblinear'":
        return False
    return (weights is None or literal(weights.value) == "None") and (
        scheme is None or literal(scheme.value) in {"'ovr'", "'auto'", "'warn'"}
    )


def _read(units: Mapping[Key, Unit], scope: Scope) -> set[cst.Call]:
    """Collect the classifiers of the failing line whose coefficients are read by the name that they are bound to."""
    trees = [unit.tree for unit in units.values() if unit.tree is not None]
    read = {
        cst.ensure_type(node.value, cst.Name).value
        for tree in trees
        for node in m.findall(tree, _OF_MODEL)
        if isinstance(node, cst.Attribute)
    }
    frames = scope.failure.error.frames if scope.failure else ()
    failing = {word for frame in frames if frame.cell is not None or frame.local for word in re.findall(r"\w+", frame.code)}
    found: set[cst.Call] = set()
    for tree in trees:
        for assign in m.findall(tree, m.Assign(targets=[m.AssignTarget(target=m.Name())])):
            name = cst.ensure_type(cst.ensure_type(assign, cst.Assign).targets[0].target, cst.Name).value
            if name in read and name in failing:
                found.update(call for call in m.findall(assign, m.Call()) if isinstance(call, cst.Call))
    return found


def _searched(units: Mapping[Key, Unit], scope: Scope) -> set[cst.Call]:
    """Collect the classifiers that searches vary, in pipelines too."""
    found: set[cst.Call] = set()
    for key, unit in units.items():
        if unit.tree is None or "SearchCV" not in unit.source:
            continue
        own = replace(scope, unit=key)
        for search in m.findall(unit.tree, m.Call()):
            if not isinstance(search, cst.Call) or not (own.qualified(search.func) or "").endswith("SearchCV"):
                continue
            estimator = argument(search, "estimator", 0)
            made = estimator_of(estimator.value, [], own) if estimator else None
            if made is not None:
                found.update(call for call in m.findall(made, m.Call()) if isinstance(call, cst.Call))
    return found


RECIPES = (OnePerClass(),)
