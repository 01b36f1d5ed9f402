"""Starting points of scipy's minimize(), which takes one axis only."""

from __future__ import annotations

import re

import libcst as cst

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.recipe import Codemod
from modernizer.repair.syntax import argument, code


class _Start(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        if self.scope.qualified(original_node.func) != "scipy.optimize.minimize" or not self.scope.failing(original_node):
            return updated_node
        start = argument(original_node, "x0", 1)
        if start is None:
            return updated_node
        self.scope.note("minimize(f, x0) → minimize(f, numpy.ravel(x0))")
        index = original_node.args.index(start)
        ravelled = cst.parse_expression(f"{self.scope.reference('numpy')}.ravel({code(updated_node.args[index].value)})")
        args = [arg.with_changes(value=ravelled) if place == index else arg for place, arg in enumerate(updated_node.args)]
        return updated_node.with_changes(args=args)


class Start(FailureRecipe):
    """``minimize(f, column)``."""

    name = "scipy-minimize-start"
    summary = "minimize() takes its starting point along one axis; flattening it was done inside before."
    since = "scipy 1.11"
    source = "SciPy release notes 1.8 (deprecation: x0 of several dimensions) and 1.11 (error)"
    words = frozenset({"minimize"})
    errors = frozenset({"ValueError"})
    message = re.compile(r"'x0' must only have one dimension")
    failing_unit_only = True
    codemod = _Start


RECIPES = (Start(),)
