"""get_feature_names() gave a list; get_feature_names_out() gives an array."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from modernizer.repair.recipe import Codemod, CodemodRecipe, Scope

_OLD, _NEW = "get_feature_names", "get_feature_names_out"
# Callables that take an array of names as well as a list.
_TAKES_ARRAYS = frozenset({"len", "enumerate", "zip", "list", "tuple", "set", "sorted", "dict", "range", "map", "iter"})
_TAKES_ARRAYS_TOO = ("numpy.", "pandas.", "sklearn.")


class _FeatureNames(Codemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._any_iterable: set[cst.CSTNode] = set()

    def visit_Call(self, node: cst.Call) -> None:  # noqa: N802 (LibCST's visitor protocol)
        qualified = self.scope.qualified(node.func) or ""
        if qualified.startswith(_TAKES_ARRAYS_TOO) or (isinstance(node.func, cst.Name) and node.func.value in _TAKES_ARRAYS):
            self._any_iterable.update(arg.value for arg in node.args)

    def visit_For(self, node: cst.For) -> None:  # noqa: N802
        self._any_iterable.add(node.iter)

    def visit_CompFor(self, node: cst.CompFor) -> None:  # noqa: N802
        self._any_iterable.add(node.iter)

    def visit_Subscript(self, node: cst.Subscript) -> None:  # noqa: N802
        if all(isinstance(element.slice, cst.Index) for element in node.slice):
            self._any_iterable.add(node.value)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802
        if not m.matches(original_node.func, m.Attribute(attr=m.Name(_OLD))) or not self._concerns(original_node):
            return updated_node
        func = cst.ensure_type(updated_node.func, cst.Attribute).with_changes(attr=cst.Name(_NEW))
        call = updated_node.with_changes(func=func)
        self.scope.note(f"{_OLD}() → {_NEW}()")
        if original_node in self._any_iterable:
            return call
        return cst.Call(func=cst.Attribute(value=call, attr=cst.Name("tolist")))

    def _concerns(self, node: cst.Call) -> bool:
        """Tell by the receiver's class, or by the error about this very attribute, that scikit-learn's method is meant."""
        receiver = cst.ensure_type(node.func, cst.Attribute).value
        kind = self.scope.type_of(receiver)
        if kind is not None:
            return kind.startswith("sklearn.") and not self.scope.installed.resolves(f"{kind}.{_OLD}")
        failure = self.scope.failure
        refused = failure is not None and f"object has no attribute '{_OLD}'" in failure.error.message
        return refused and self.scope.at_least("scikit-learn", "1.2") and not self._own_method()

    def _own_method(self) -> bool:
        """Tell whether the program defines a method of that name itself."""
        return any(_OLD in names for names in self.scope.names.bindings.values())


class FeatureNames(CodemodRecipe):
    """Names of a transformer's output columns."""

    name = "sklearn-feature-names"
    summary = "get_feature_names() is get_feature_names_out() now, which gives an array instead of a list."
    since = "scikit-learn 1.2"
    source = "scikit-learn What's New 1.0 (deprecation) and 1.2 (removal)"
    words = frozenset({_OLD})
    codemod = _FeatureNames


RECIPES = (FeatureNames(),)
