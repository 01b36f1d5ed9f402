"""grid_scores_ listed parameters, mean and single scores; cv_results_ holds them as columns."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from modernizer.repair.recipe import Codemod, CodemodRecipe, Scope, Unit

_WORD = "grid_scores_"
_FUNCTION = "grid_scores"
_DEFINITION = '''\
class GridScore(namedtuple("GridScore", "parameters mean_validation_score cv_validation_scores")):
    """One entry of grid_scores_, as scikit-learn had it before 0.20."""

    def __repr__(self):
        return "mean: %.5f, std: %.5f, params: %s" % (
            self.mean_validation_score, np.std(self.cv_validation_scores), self.parameters)


def grid_scores(search):
    results = search.cv_results_
    splits = np.transpose([results["split%d_test_score" % i] for i in range(search.n_splits_)])
    return [GridScore(*row) for row in zip(results["params"], results["mean_test_score"], splits)]


'''


class _GridScores(Codemod):
    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:  # noqa: N802
        if original_node.attr.value != _WORD or not _gone(self.scope, original_node.value):
            return updated_node
        return cst.Call(func=cst.Name(_FUNCTION), args=[cst.Arg(updated_node.value)])


def _gone(scope: Scope, receiver: cst.BaseExpression) -> bool:
    """Tell whether the receiver is a search whose class has no grid_scores_; RFECV had one too, of another form."""
    kind = scope.type_of(receiver)
    if kind is not None:
        return kind in {"sklearn.model_selection.GridSearchCV", "sklearn.model_selection.RandomizedSearchCV"}
    failure = scope.failure
    return failure is not None and f"SearchCV' object has no attribute '{_WORD}'" in failure.error.message


class GridScores(CodemodRecipe):
    """Scores of a parameter search."""

    name = "sklearn-grid-scores"
    summary = "grid_scores_ is gone; a small function builds the same list from cv_results_."
    since = "scikit-learn 0.20"
    source = "scikit-learn What's New 0.18 (deprecation) and 0.20 (removal)"
    words = frozenset({_WORD})
    codemod = _GridScores

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Replace the uses and define the function above them in each unit, so that no unit depends on another."""
        if unit.tree is None or unit.masked is None or not scope.at_least("scikit-learn", "0.20"):
            return None
        changed = unit.tree.visit(_GridScores(scope))
        if changed.deep_equals(unit.tree):
            return None
        scope.note(f"{_WORD} → {_FUNCTION}() from cv_results_")
        numpy = scope.reference("numpy")
        definition = _DEFINITION.replace("np.", f"{numpy}.")
        imports = ["from collections import namedtuple", *scope.imports]
        head, rest = _split(changed)
        code = head + "\n".join(imports) + "\n\n\n" + definition + rest
        return unit.masked.unmask(code)


def _split(tree: cst.Module) -> tuple[str, str]:
    """Split a unit's code behind its leading magics, imports and docstring."""
    place = 0
    for index, statement in enumerate(tree.body):
        if not m.matches(statement, m.SimpleStatementLine(body=[m.Import() | m.ImportFrom() | m.Expr(value=m.Name())])):
            break
        place = index + 1
    head = tree.with_changes(body=tree.body[:place], footer=())
    rest = tree.with_changes(body=tree.body[place:], header=() if place else tree.header)
    before = head.code if place else ""
    return before, rest.code.lstrip("\n")


RECIPES = (GridScores(),)
