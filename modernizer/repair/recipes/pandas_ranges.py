"""``DatetimeIndex(start=, end=)`` and its like: ranges are made by functions of their own."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.syntax import keyword_names

_FUNCTIONS = {
    "pandas.DatetimeIndex": "pandas.date_range",
    "pandas.PeriodIndex": "pandas.period_range",
    "pandas.TimedeltaIndex": "pandas.timedelta_range",
}
_RANGE = frozenset({"start", "end", "periods"})
_TAKEN = frozenset({*_RANGE, "freq", "tz", "normalize", "name", "closed"})


class _Ranges(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        index = self.scope.qualified(original_node.func) or ""
        names = keyword_names(original_node)
        ranged = len(names & _RANGE) > 1 and names <= _TAKEN and len(names) == len(original_node.args)
        signature = self.scope.installed.signature(index) if index in _FUNCTIONS and ranged else None
        if signature is None or any(parameter.name == "start" for parameter in signature):
            return updated_node
        self.scope.note(f"{index}(start=…) → {_FUNCTIONS[index]}()")
        return updated_node.with_changes(func=cst.parse_expression(self.scope.reference(_FUNCTIONS[index])))


class Ranges(CodemodRecipe):
    """Indexes made as ranges."""

    name = "pandas-index-range"
    summary = "Indexes of times are no longer made from start and end; date_range() and its like make the same."
    since = "pandas 1.0"
    source = "pandas What's New 0.24 (deprecation) and 1.0 (removal)"
    words = frozenset({"DatetimeIndex", "PeriodIndex", "TimedeltaIndex"})
    order = 25
    confirmed = True
    codemod = _Ranges


RECIPES = (Ranges(),)
