"""``errors='ignore'`` of the conversions: values that can't be converted stay as they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import libcst as cst
import libcst.matchers as m

from modernizer.repair.definitions import rewrite_and_define
from modernizer.repair.program import Key
from modernizer.repair.recipe import Codemod, Scope, Unit
from modernizer.repair.syntax import argument, code, string, without

_CONVERSIONS = frozenset({"pandas.to_numeric", "pandas.to_datetime", "pandas.to_timedelta"})
_APPLY = m.Attribute(attr=m.Name("apply") | m.Name("transform"))
_NAME = "converted_or_same"
_DEFINITION = '''\
def converted_or_same(convert, values, **options):
    """Convert values, or return them where that fails, as errors='ignore' did before pandas 3."""
    try:
        return convert(values, **options)
    except (TypeError, ValueError):
        return values
'''


class _Unconverted(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        errors = argument(original_node, "errors")
        if errors is None or string(errors.value) != "ignore" or not self.scope.at_least("pandas", "3.0"):
            return updated_node
        bare = without(updated_node, {"errors"})
        if self.scope.qualified(original_node.func) in _CONVERSIONS:
            self.scope.note("errors='ignore' → a function that returns the values themselves")
            return bare.with_changes(func=cst.Name(_NAME), args=[cst.Arg(updated_node.func), *bare.args])
        first = original_node.args[0] if original_node.args else None
        if not m.matches(original_node.func, _APPLY) or first is None or len(bare.args) != 1:
            return updated_node
        if self.scope.qualified(first.value) not in _CONVERSIONS:
            return updated_node
        self.scope.note("errors='ignore' → a function that returns the values themselves")
        function = cst.parse_expression(f"lambda column: {_NAME}({code(first.value)}, column)")
        return bare.with_changes(args=[cst.Arg(function)])


class Unconverted:
    """Conversions that may fail."""

    name: ClassVar[str] = "pandas-errors-ignore"
    summary: ClassVar[str] = "errors='ignore' is gone; a small function returns values that can't be converted as they are."
    since: ClassVar[str] = "pandas 3.0"
    source: ClassVar[str] = "pandas What's New 2.2 (deprecation) and 3.0 (removal)"
    words: ClassVar[frozenset[str]] = frozenset({"ignore"})
    order: ClassVar[int] = 50
    confirmed: ClassVar[bool] = True
    at_end: ClassVar[bool] = False

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Rewrite one unit by itself."""
        return self.rewrite_all({unit.key: unit}, scope).get(unit.key)

    def rewrite_all(self, units: Mapping[Key, Unit], scope: Scope) -> dict[Key, str]:
        """Replace all such conversions and define the function where the first one stands."""
        concerned = {key: unit for key, unit in units.items() if "ignore" in unit.source and "errors" in unit.source}
        return rewrite_and_define(concerned, scope, _Unconverted, _DEFINITION, (), name=_NAME) if concerned else {}


RECIPES = (Unconverted(),)
