"""``normed=`` that reaches a histogram through another call: pandas' ``plot(kind='hist')`` and seaborn's grids."""

from __future__ import annotations

import re

import libcst as cst

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.recipe import Codemod
from modernizer.repair.syntax import argument, keyword_names, string

_HISTOGRAMS = frozenset({"matplotlib.pyplot.hist", "pylab.hist", "matplotlib.pylab.hist"})


class _Normed(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        names = keyword_names(original_node)
        if "normed" not in names or "density" in names or not self._draws_histogram(original_node):
            return updated_node
        self.scope.note("normed= → density=")
        args = [
            arg.with_changes(keyword=cst.Name("density")) if arg.keyword and arg.keyword.value == "normed" else arg
            for arg in updated_node.args
        ]
        return updated_node.with_changes(args=args)

    def _draws_histogram(self, call: cst.Call) -> bool:
        method = call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
        if method.startswith("map"):
            return bool(call.args) and self.scope.qualified(call.args[0].value) in _HISTOGRAMS
        kind = argument(call, "kind")
        return method == "plot" and kind is not None and string(kind.value) == "hist"


class Normed(FailureRecipe):
    """Normed histograms behind other calls."""

    name = "matplotlib-normed-histogram"
    summary = "Histograms are normed by density=, also where pandas or seaborn draw them."
    since = "matplotlib 3.1"
    source = "Matplotlib API changes 2.1 (deprecation) and 3.1 (removal)"
    words = frozenset({"normed"})
    errors = frozenset({"AttributeError", "TypeError"})
    message = re.compile(r"unexpected keyword argument 'normed'")
    codemod = _Normed


RECIPES = (Normed(),)
