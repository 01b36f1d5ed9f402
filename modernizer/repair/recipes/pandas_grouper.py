"""``pandas.TimeGrouper('M')`` took a frequency first, ``pandas.Grouper`` takes a key first: the frequency is named."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.syntax import named

_OLD = frozenset({"pandas.TimeGrouper", "pandas.tseries.resample.TimeGrouper", "pandas.core.resample.TimeGrouper"})


class _TimeGrouper(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        qualified = self.scope.qualified(original_node.func)
        if qualified not in _OLD or qualified is None or self.scope.installed.resolves(qualified):
            return updated_node
        if not updated_node.args or updated_node.args[0].keyword is not None or updated_node.args[0].star:
            return updated_node
        self.scope.note("TimeGrouper(…) → Grouper(freq=…)")
        return updated_node.with_changes(args=[named(updated_node.args[0], "freq"), *updated_node.args[1:]])


class TimeGrouper(CodemodRecipe):
    """TimeGrouper's first argument; the move of the class itself stands in moves.toml."""

    name = "pandas-time-grouper"
    summary = "TimeGrouper is gone; Grouper takes the frequency by its name."
    since = "pandas 1.0"
    source = "pandas What's New 0.21 (deprecation) and 1.0 (removal)"
    words = frozenset({"TimeGrouper"})
    order = 15
    confirmed = True
    codemod = _TimeGrouper


RECIPES = (TimeGrouper(),)
