"""scikit-learn functions and attributes that are gone where a short expression gives the same."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.recipes.moves import new_home
from modernizer.repair.syntax import argument, code, literal, without

_MSE = "sklearn.metrics.mean_squared_error"
_ROOTS = {_MSE: "sklearn.metrics.root_mean_squared_error"}
_ROOTS["sklearn.metrics.mean_squared_log_error"] = "sklearn.metrics.root_mean_squared_log_error"
_SCORERS = frozenset({"sklearn.metrics.SCORERS", "sklearn.metrics.scorer.SCORERS"})
# Tree ensembles and trees counted their input columns under their own name.
_COUNTED = "n_features_"


class _GoneFunctions(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's protocol)
        qualified = self.scope.qualified(original_node.func) or ""
        home = new_home(qualified, self.scope) or qualified
        if home in _ROOTS and (squared := argument(original_node, "squared")):
            return self._root(home, literal(squared.value), updated_node)
        func = updated_node.func
        if isinstance(func, cst.Attribute) and func.attr.value == "keys" and self._is_scorers(original_node.func):
            # The attribute became a call when it was left.
            return func.value
        return updated_node

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:  # noqa: N802
        if not self._scorers(original_node.value) or not m.matches(original_node, m.Subscript(slice=[m.SubscriptElement()])):
            return updated_node
        index = updated_node.slice[0].slice
        if not isinstance(index, cst.Index):
            return updated_node
        function = cst.parse_expression(self.scope.imported("sklearn.metrics.get_scorer"))
        return cst.Call(func=function, args=[cst.Arg(index.value)])

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:  # noqa: N802
        if self._scorers(original_node):
            return self._names()
        if original_node.attr.value == _COUNTED and self._counts(original_node):
            self.scope.note(f"{_COUNTED} → n_features_in_")
            return updated_node.with_changes(attr=cst.Name("n_features_in_"))
        return updated_node

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:  # noqa: N802
        return self._names() if original_node.value == "SCORERS" and self._scorers(original_node) else updated_node

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:  # noqa: N802
        del node
        return False

    def leave_ImportFrom(self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom) -> cst.ImportFrom:  # noqa: N802
        if isinstance(original_node.names, cst.ImportStar) or original_node.module is None:
            return updated_node
        module = code(original_node.module)
        gone = module in {"sklearn.metrics", "sklearn.metrics.scorer"} and not self.scope.installed.resolves(
            "sklearn.metrics.SCORERS"
        )
        if not gone or not any(alias.evaluated_name == "SCORERS" for alias in original_node.names):
            return updated_node
        names = [
            alias.with_changes(name=cst.Name("get_scorer_names")) if alias.evaluated_name == "SCORERS" else alias
            for alias in original_node.names
        ]
        return updated_node.with_changes(names=names, module=cst.parse_expression("sklearn.metrics"))

    def _root(self, home: str, squared: str, call: cst.Call) -> cst.BaseExpression:
        if squared not in {"True", "False"} or self._accepts(home, "squared"):
            return call
        call = without(call, {"squared"})
        self.scope.note(f"squared={squared} dropped")
        if squared == "True":
            return call
        return call.with_changes(func=cst.parse_expression(self.scope.imported(_ROOTS[home])))

    def _accepts(self, dotted: str, name: str) -> bool:
        return any(parameter.name == name for parameter in self.scope.installed.signature(dotted) or ())

    def _scorers(self, node: cst.CSTNode) -> bool:
        return self.scope.qualified(node) in _SCORERS and not self.scope.installed.resolves("sklearn.metrics.SCORERS")

    def _is_scorers(self, func: cst.BaseExpression) -> bool:
        return isinstance(func, cst.Attribute) and self._scorers(func.value)

    def _names(self) -> cst.BaseExpression:
        self.scope.note("SCORERS → get_scorer_names()")
        home = self.scope.alias("sklearn.metrics.SCORERS")
        name = "get_scorer_names" if home == "SCORERS" else self.scope.imported("sklearn.metrics.get_scorer_names")
        return cst.Call(func=cst.parse_expression(name))

    def _counts(self, node: cst.Attribute) -> bool:
        kind = self.scope.type_of(node.value)
        if kind is not None:
            owner = self.scope.installed
            return kind.startswith(("sklearn.ensemble.", "sklearn.tree.")) and not owner.resolves(f"{kind}.{_COUNTED}")
        failure = self.scope.failure
        return failure is not None and self.scope.failing(node) and f"has no attribute '{_COUNTED}'" in failure.error.message


class GoneFunctions(CodemodRecipe):
    """Functions and attributes with a short replacement."""

    name = "sklearn-gone-functions"
    summary = "This scikit-learn function, argument or attribute is gone; its replacement gives the same."
    since = "scikit-learn 1.2"
    source = "scikit-learn What's New 1.0 to 1.6"
    words = frozenset({"squared", "SCORERS", _COUNTED})
    # Before moved symbols, which don't know the names that became calls.
    order = 17
    confirmed = True
    codemod = _GoneFunctions


RECIPES = (GoneFunctions(),)
