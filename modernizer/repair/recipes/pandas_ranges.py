"""``DatetimeIndex(start=, end=)``, ``PeriodIndex(year=, quarter=)``: indexes are made so by functions of their own."""

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
_FIELDS = frozenset({"year", "quarter", "month", "day", "hour", "minute", "second"})
_TAKEN = frozenset({*_RANGE, "freq", "tz", "normalize", "name", "closed"})


class _Ranges(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        index = self.scope.qualified(original_node.func) or ""
        names = keyword_names(original_node)
        if index == "pandas.PeriodIndex" and names & _FIELDS and len(names) == len(original_node.args):
            return self._from_fields(updated_node, names)
        ranged = len(names & _RANGE) > 1 and names <= _TAKEN and len(names) == len(original_node.args)
        signature = self.scope.installed.signature(index) if index in _FUNCTIONS and ranged else None
        if signature is None or any(parameter.name == "start" for parameter in signature):
            return updated_node
        self.scope.note(f"{index}(start=…) → {_FUNCTIONS[index]}()")
        return updated_node.with_changes(func=cst.parse_expression(self.scope.reference(_FUNCTIONS[index])))

    def _from_fields(self, call: cst.Call, names: set[str]) -> cst.Call:
        signature = self.scope.installed.signature("pandas.PeriodIndex")
        taken = signature is None or any(parameter.name in _FIELDS for parameter in signature)
        if taken or not names <= _FIELDS | {"freq"} or not self.scope.installed.resolves("pandas.PeriodIndex.from_fields"):
            return call
        self.scope.note("PeriodIndex(year=…) → PeriodIndex.from_fields(year=…)")
        return call.with_changes(func=cst.Attribute(value=call.func, attr=cst.Name("from_fields")))


class Ranges(CodemodRecipe):
    """Indexes made as ranges."""

    name = "pandas-index-range"
    summary = "Indexes of times are no longer made from start and end or from fields; functions of their own make the same."
    since = "pandas 1.0"
    source = "pandas What's New 0.24 and 1.0 (ranges), 2.2 and 3.0 (fields of PeriodIndex)"
    words = frozenset({"DatetimeIndex", "PeriodIndex", "TimedeltaIndex"})
    order = 25
    confirmed = True
    codemod = _Ranges


RECIPES = (Ranges(),)
