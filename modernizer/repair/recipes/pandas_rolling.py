"""``pandas.rolling_mean`` and its family, gone since 0.23: methods of ``rolling``, ``expanding`` and ``ewm``."""

from __future__ import annotations

import re

import libcst as cst

from modernizer.repair.expressions import bind, filled, value_of
from modernizer.repair.receivers import ARRAY, ReceiverCodemod
from modernizer.repair.recipe import CodemodRecipe
from modernizer.repair.syntax import code

_NAME = re.compile(r"pandas\.(?:stats\.moments\.)?(?P<window>rolling|expanding|ewm)_?(?P<method>\w+)$")
_WINDOW = ("window", "min_periods", "center", "win_type")
_EWM = ("com", "span", "halflife", "alpha", "min_periods", "adjust", "ignore_na")
# Old positional order and what the method itself takes.
_ORDERS = {
    "rolling": ("arg", "window", "min_periods", "freq", "center"),
    "rolling_count": ("arg", "window", "freq", "center"),
    "rolling_quantile": ("arg", "window", "quantile", "min_periods", "freq", "center"),
    "rolling_apply": ("arg", "window", "func", "min_periods", "freq", "center", "args", "kwargs"),
    "rolling_corr": ("arg", "other", "window", "min_periods", "freq", "center", "pairwise"),
    "rolling_cov": ("arg", "other", "window", "min_periods", "freq", "center", "pairwise", "ddof"),
    "rolling_window": ("arg", "window", "win_type", "min_periods", "freq", "center", "mean"),
    "expanding": ("arg", "min_periods", "freq"),
    "ewm": ("arg", "com", "span", "halflife", "min_periods", "freq", "adjust", "how", "ignore_na"),
}
_METHOD_ARGS = {
    "quantile": ("quantile",),
    "corr": ("other", "pairwise"),
    "cov": ("other", "pairwise", "ddof"),
    "apply": ("func",),
}
_EWM_METHODS = {"a": "mean", "vol": "std", "var": "var", "std": "std", "corr": "corr", "cov": "cov"}


class _Rolling(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        qualified = self.scope.qualified(original_node.func) or ""
        found = _NAME.match(qualified)
        if found is None or self.scope.installed.resolves(qualified):
            return updated_node
        kind, method = found["window"], found["method"]
        if kind == "ewm":
            method = _EWM_METHODS.get(method, "")
        order = _ORDERS.get(f"{kind}_{method}", _ORDERS[kind])
        bound = bind(updated_node.args, (*order, *(part for part in ("ddof", "how") if part not in order)))
        if bound is None or "arg" not in bound or not method or not _is_default(bound, "freq", "how", "args", "kwargs", "mean"):
            return updated_node
        series = code(bound["arg"])
        is_array = self.type_of(original_node.args[0].value) in {ARRAY, "list"}
        template = f"{self.scope.reference('pandas.Series')}({{arg}})" if is_array else "{arg}"
        window = self._window(kind, method, bound)
        inner = self._inner(method, bound)
        self.scope.note(f"pandas.{qualified.rpartition('.')[2]} → .{kind}().{method}()")
        new = f"{template}.{kind}({window}).{'mean' if method == 'window' else method}({inner}){'.values' if is_array else ''}"
        return (
            filled(new, {"arg": bound["arg"], **{name: node for name, node in bound.items() if name != "arg"}})
            if series
            else updated_node
        )

    def _window(self, kind: str, method: str, bound: dict[str, cst.BaseExpression]) -> str:
        names = _EWM if kind == "ewm" else _WINDOW if kind == "rolling" else ("min_periods",)
        parts = [f"{{{name}}}" if name == "window" else f"{name}={{{name}}}" for name in names if name in bound]
        if method == "count" and "min_periods" not in bound:
            parts.append("min_periods=0")
        return ", ".join(parts)

    def _inner(self, method: str, bound: dict[str, cst.BaseExpression]) -> str:
        taken = _METHOD_ARGS.get(method, ("ddof",) if method in {"std", "var"} else ())
        parts = [
            f"{{{name}}}" if name in {"func", "other", "quantile"} else f"{name}={{{name}}}" for name in taken if name in bound
        ]
        # The old functions handed arrays to the function, which is also much faster.
        return ", ".join([*parts, "raw=True"] if method == "apply" else parts)


def _is_default(bound: dict[str, cst.BaseExpression], *names: str) -> bool:
    return all(name not in bound or value_of(bound[name]) in {None, "mean"} for name in names)


class Rolling(CodemodRecipe):
    """The rolling_, expanding_ and ewm functions."""

    name = "pandas-rolling-function"
    summary = "The rolling_… functions are gone; the object's own rolling(), expanding() or ewm() does the same."
    since = "pandas 0.23"
    source = "pandas What's New 0.18 (window methods) and 0.23 (removal)"
    words = frozenset({"rolling_", "expanding_", "ewm"})
    confirmed = True
    codemod = _Rolling


RECIPES = (Rolling(),)
