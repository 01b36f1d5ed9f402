"""grid_scores_ listed parameters, mean and single scores; cv_results_ holds them as columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import libcst as cst

from modernizer.repair.definitions import rewrite_and_define
from modernizer.repair.program import Key
from modernizer.repair.recipe import Codemod, Scope, Unit

_WORD, _FUNCTION = "grid_scores_", "grid_scores"
_SEARCHES = frozenset({"GridSearchCV", "RandomizedSearchCV"})
_DEFINITION = '''\
class GridScore(namedtuple("GridScore", "parameters mean_validation_score cv_validation_scores")):
    """One entry of grid_scores_, as scikit-learn had it before 0.20."""

    def __repr__(self):
        std = {numpy}.std(self.cv_validation_scores)
        return "mean: %.5f, std: %.5f, params: %s" % (self.mean_validation_score, std, self.parameters)


def grid_scores(search):
    results = search.cv_results_
    splits = {numpy}.transpose([results["split%d_test_score" % i] for i in range(search.n_splits_)])
    return [GridScore(*row) for row in zip(results["params"], results["mean_test_score"], splits)]
'''


class _GridScores(Codemod):
    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:  # noqa: N802
        if original_node.attr.value != _WORD or not self._lacks(original_node.value):
            return updated_node
        self.scope.note(f"{_WORD} → {_FUNCTION}()")
        return cst.Call(func=cst.Name(_FUNCTION), args=[cst.Arg(updated_node.value)])

    def _lacks(self, receiver: cst.BaseExpression) -> bool:
        """Tell whether the receiver is a search; RFECV had an attribute of that name too, of another form."""
        kind = self.scope.type_of(receiver)
        if kind is not None:
            return kind.startswith("sklearn.") and kind.rpartition(".")[2] in _SEARCHES
        message = self.scope.failure.error.message if self.scope.failure else ""
        return any(f"'{name}' object has no attribute '{_WORD}'" in message for name in _SEARCHES)


class GridScores:
    """Scores of a parameter search."""

    name: ClassVar[str] = "sklearn-grid-scores"
    summary: ClassVar[str] = "grid_scores_ is gone; a small function builds the same list from cv_results_."
    since: ClassVar[str] = "scikit-learn 0.20"
    source: ClassVar[str] = "scikit-learn What's New 0.18 (deprecation) and 0.20 (removal)"
    words: ClassVar[frozenset[str]] = frozenset({_WORD})
    order: ClassVar[int] = 50
    confirmed: ClassVar[bool] = True
    at_end: ClassVar[bool] = False

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Rewrite one unit by itself."""
        return self.rewrite_all({unit.key: unit}, scope).get(unit.key)

    def rewrite_all(self, units: Mapping[Key, Unit], scope: Scope) -> dict[Key, str]:
        """Replace all uses and define the function where the first one stands."""
        if not scope.at_least("scikit-learn", "0.20"):
            return {}
        concerned = {key: unit for key, unit in units.items() if _WORD in unit.source}
        imports = ["from collections import namedtuple"]
        return rewrite_and_define(concerned, scope, _GridScores, _DEFINITION, imports, name=_FUNCTION)


RECIPES = (GridScores(),)
