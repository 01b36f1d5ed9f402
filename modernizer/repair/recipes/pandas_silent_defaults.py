"""Defaults of pandas 3 that change results without an error: ``stack()`` keeps missing values, ``pct_change()`` fills none."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.expressions import filled, value_of
from modernizer.repair.recipe import Codemod, CodemodRecipe, Scope, Unit
from modernizer.repair.syntax import argument, code, keyword_names, without

_REFUSED = "dropna must be unspecified"


class _Defaults(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        func = original_node.func
        if (
            not isinstance(func, cst.Attribute)
            or self.scope.qualified(func) is not None
            or not self.scope.at_least("pandas", "3.0")
        ):
            return updated_node
        if func.attr.value == "stack":
            return self._stacked(original_node, updated_node)
        if func.attr.value == "pct_change" and self.scope.failure is None:
            return self._filled(original_node, updated_node)
        return updated_node

    def _stacked(self, original: cst.Call, call: cst.Call) -> cst.BaseExpression:
        """``x.stack()`` left rows without any value out, unless told otherwise."""
        given = argument(original, "dropna", 1)
        kept = given is not None and value_of(given.value) is False
        known = not keyword_names(original) - {"level", "dropna"} and len(original.args) - len(keyword_names(original)) <= 1
        if kept or not known or (given is None and self.scope.failure is not None):
            return call
        self.scope.note("stack() → stack().dropna(how='all')")
        return filled("{x}.dropna(how='all')", {"x": without(call, {"dropna"})})

    def _filled(self, original: cst.Call, call: cst.Call) -> cst.BaseExpression:
        """``x.pct_change()`` filled missing values with those before them."""
        func = call.func
        if not isinstance(func, cst.Attribute) or keyword_names(original) & {"fill_method", "limit", "freq"}:
            return call
        if isinstance(func.value, cst.Call) and code(func.value.func).endswith(("ffill", "dropna", "fillna")):
            return call
        self.scope.note("pct_change() → ffill().pct_change()")
        return call.with_changes(func=func.with_changes(value=filled("{x}.ffill()", {"x": func.value})))


class Defaults(CodemodRecipe):
    """Changed defaults of stack and pct_change."""

    name = "pandas-missing-values"
    summary = "stack() keeps missing values and pct_change() fills none by default; the old treatment is spelled out."
    since = "pandas 3.0"
    source = "pandas What's New 2.1 (deprecations of stack and fill_method) and 3.0"
    words = frozenset({".stack(", ".pct_change("})
    order = 58
    codemod = _Defaults

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Run when scores are compared, or when the old argument is refused."""
        failure = scope.failure
        return super().rewrite(unit, scope) if failure is None or _REFUSED in failure.error.message else None


RECIPES = (Defaults(),)
