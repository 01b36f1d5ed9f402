"""``normalize`` among the parameters that a search tries for LinearRegression, where it never changed a prediction."""

from __future__ import annotations

import re

import libcst as cst

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.recipe import Codemod
from modernizer.repair.syntax import string


class _NormalizeInGrids(Codemod):
    def leave_Dict(self, original_node: cst.Dict, updated_node: cst.Dict) -> cst.Dict:  # noqa: N802 (LibCST's visitor protocol)
        del original_node
        kept = [element for element in updated_node.elements if not self._is_normalize(element)]
        if len(kept) == len(updated_node.elements) or not kept:
            return updated_node
        self.scope.note("normalize dropped from the grid")
        last = updated_node.elements[-1]
        kept[-1] = kept[-1].with_changes(comma=last.comma)
        return updated_node.with_changes(elements=kept)

    def _is_normalize(self, element: cst.BaseDictElement) -> bool:
        key = string(element.key) if isinstance(element, cst.DictElement) else None
        return key is not None and (key == "normalize" or key.endswith("__normalize"))


class NormalizeInGrids(FailureRecipe):
    """Grids over ``normalize``."""

    name = "sklearn-normalize-in-grid"
    summary = "LinearRegression has no normalize= any more; it never changed a prediction, so the search does without it."
    since = "scikit-learn 1.2"
    source = "scikit-learn What's New 1.0 (deprecation) and 1.2 (removal)"
    words = frozenset({"normalize"})
    errors = frozenset({"ValueError"})
    message = re.compile(
        r"Invalid parameter '?normalize'? for estimator (?:LinearRegression|Pipeline\b.*LinearRegression)", re.DOTALL
    )
    codemod = _NormalizeInGrids


RECIPES = (NormalizeInGrids(),)
