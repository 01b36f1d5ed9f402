"""``resample(how=)`` and ``resample(fill_method=)``, gone since pandas 0.25: the method of that name on the resampled object."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.expressions import filled
from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.syntax import argument, code, keyword_names, string, without

_HOW = frozenset(
    {"mean", "sum", "min", "max", "median", "std", "var", "sem", "first", "last", "ohlc", "count", "size", "prod", "nunique"}
)
_FILL = {"ffill": "ffill", "pad": "ffill", "bfill": "bfill", "backfill": "bfill"}


class _Resample(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        del original_node
        if not isinstance(updated_node.func, cst.Attribute) or updated_node.func.attr.value != "resample":
            return updated_node
        if not keyword_names(updated_node) & {"how", "fill_method"} or not self.scope.at_least("pandas", "0.25"):
            return updated_node
        how, fill = argument(updated_node, "how"), argument(updated_node, "fill_method")
        calls = self._how(how.value) if how else ""
        way = _FILL.get(string(fill.value) or "") if fill else None
        if fill and way is None:
            return updated_node
        self.scope.note(f"resample(how=) → resample(){calls or f'.{way}()'}")
        bare = without(updated_node, {"how", "fill_method", "limit"} if fill else {"how"})
        limit = argument(updated_node, "limit")
        filling = f".{way}({f'limit={code(limit.value)}' if limit else ''})" if way else ""
        return filled(f"{{self}}{calls.replace('{', '{{').replace('}', '}}')}{filling}", {"self": bare})

    def _how(self, how: cst.BaseExpression) -> str:
        name = string(how)
        if name in _HOW:
            return f".{name}()"
        numpy = (self.scope.qualified(how) or "").removeprefix("numpy.")
        return f".{numpy}()" if numpy in _HOW else f".agg({code(how)})"


class Resample(CodemodRecipe):
    """resample(how=)."""

    name = "pandas-resample-how"
    summary = "resample() no longer aggregates by itself; the method that how= named does."
    since = "pandas 0.25"
    source = "pandas What's New 0.18 (new resample API) and 0.25 (removal of how)"
    words = frozenset({"resample"})
    order = 44
    confirmed = True
    codemod = _Resample


RECIPES = (Resample(),)
