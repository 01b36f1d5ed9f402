"""Scorers whose values are negated say so in their names now."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from modernizer.repair.recipe import Codemod, CodemodRecipe, Scope
from modernizer.repair.syntax import quoted_like, string

_NEGATED = frozenset({"mean_squared_error", "mean_absolute_error", "median_absolute_error", "mean_squared_log_error", "log_loss"})
_GET = frozenset({"sklearn.metrics.get_scorer", "sklearn.metrics.scorer.get_scorer"})


class _Scoring(Codemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._strings: set[cst.CSTNode] = set()

    def visit_Call(self, node: cst.Call) -> None:  # noqa: N802 (LibCST's visitor protocol)
        qualified = self.scope.qualified(node.func)
        if qualified in _GET and node.args:
            self._mark(node.args[0].value)
        # Functions of the program itself hand the name on; those of other packages may have their own scorers.
        if qualified is None or qualified.startswith("sklearn."):
            for arg in node.args:
                if arg.keyword and arg.keyword.value == "scoring":
                    self._mark(arg.value)

    def visit_Assign(self, node: cst.Assign) -> None:  # noqa: N802
        if any(m.matches(target.target, m.Name("scoring") | m.Name("scorer")) for target in node.targets):
            self._mark(node.value)

    def visit_Param(self, node: cst.Param) -> None:  # noqa: N802
        if node.name.value == "scoring" and node.default:
            self._mark(node.default)

    def leave_SimpleString(self, original_node: cst.SimpleString, updated_node: cst.SimpleString) -> cst.BaseExpression:  # noqa: N802
        value = string(original_node)
        if original_node not in self._strings or value not in _NEGATED or not self.scope.at_least("scikit-learn", "0.20"):
            return updated_node
        self.scope.note(f"{value} → neg_{value}")
        return quoted_like(updated_node, repr(f"neg_{value}"))

    def _mark(self, value: cst.BaseExpression) -> None:
        """Mark the names of scorers in a value: a string, a list or tuple of them, the values of a dict."""
        if isinstance(value, cst.List | cst.Tuple | cst.Set):
            self._strings.update(element.value for element in value.elements)
        elif isinstance(value, cst.Dict):
            self._strings.update(element.value for element in value.elements if isinstance(element, cst.DictElement))
        else:
            self._strings.add(value)


class Scoring(CodemodRecipe):
    """Names of negated scorers."""

    name = "sklearn-scoring-names"
    summary = "Scorers of losses have names that begin with neg_ now; their values were negative before too."
    since = "scikit-learn 0.20"
    source = "scikit-learn What's New 0.18 (deprecation) and 0.20 (removal)"
    words = _NEGATED
    confirmed = True
    codemod = _Scoring


RECIPES = (Scoring(),)
