"""Filling by ``fillna(method=)`` and ``pct_change(fill_method=)``, gone with pandas 3: ``ffill`` and ``bfill``."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.expressions import filled
from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.syntax import argument, keyword_names, string, with_args, without

_WAYS = {"ffill": "ffill", "pad": "ffill", "bfill": "bfill", "backfill": "bfill"}
_KEPT = frozenset({"axis", "inplace", "limit"})


class _Fill(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        if not isinstance(updated_node.func, cst.Attribute) or self.scope.qualified(original_node.func) is not None:
            return updated_node
        name, given = updated_node.func.attr.value, keyword_names(updated_node)
        if name == "fillna" and "method" in given and self._gone("fillna", "method"):
            return self._fillna(updated_node)
        if name == "pct_change" and "fill_method" in given and self.scope.at_least("pandas", "3.0"):
            return self._pct_change(updated_node)
        return updated_node

    def _gone(self, method: str, parameter: str) -> bool:
        signature = self.scope.installed.signature(f"pandas.DataFrame.{method}")
        return signature is not None and all(present.name != parameter for present in signature)

    def _fillna(self, call: cst.Call) -> cst.Call:
        method = argument(call, "method")
        way = _WAYS.get(string(method.value) or "") if method else None
        if way is None or not isinstance(call.func, cst.Attribute):
            return call
        kept = [arg for arg in call.args if arg.keyword is not None and arg.keyword.value in _KEPT]
        self.scope.note(f"fillna(method={string(method.value) if method else ''!r}) → {way}()")
        return with_args(call.with_changes(func=call.func.with_changes(attr=cst.Name(way))), kept)

    def _pct_change(self, call: cst.Call) -> cst.Call:
        method = argument(call, "fill_method")
        way = _WAYS.get(string(method.value) or "") if method else None
        if way is None or not isinstance(call.func, cst.Attribute):
            return call
        self.scope.note(f"pct_change(fill_method=) → {way}().pct_change()")
        filling = filled(f"{{self}}.{way}()", {"self": call.func.value})
        return without(call.with_changes(func=call.func.with_changes(value=filling)), {"fill_method"})


class Fill(CodemodRecipe):
    """Filling methods."""

    name = "pandas-fill-method"
    summary = "Filling with neighbouring values goes by ffill() and bfill() only."
    since = "pandas 3.0"
    source = "pandas What's New 2.1 (deprecation) and 3.0 (removal)"
    words = frozenset({"fillna", "fill_method"})
    confirmed = True
    codemod = _Fill


RECIPES = (Fill(),)
