"""Reductions by an index level, ``sum(level=)``, gone since pandas 2.0: ``groupby(level=).sum()``."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.expressions import filled, value_of
from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.recipe import CodemodRecipe
from modernizer.repair.syntax import argument, code, keyword_names, without

_METHODS = frozenset({"sum", "mean", "median", "min", "max", "count", "std", "var", "prod", "sem", "skew", "any", "all"})


class _Level(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        if not isinstance(updated_node.func, cst.Attribute) or not isinstance(original_node.func, cst.Attribute):
            return updated_node
        name, level = updated_node.func.attr.value, argument(updated_node, "level")
        if name not in _METHODS or level is None or not self._gone(name) or not self.may_be_of("pandas", original_node.func):
            return updated_node
        axis = argument(updated_node, "axis")
        bare = without(updated_node, {"level", "axis"})
        if any(arg.keyword is None for arg in bare.args) or keyword_names(bare) - {"numeric_only", "ddof", "min_count"}:
            return updated_node
        parts: dict[str, cst.BaseExpression | str] = {"self": updated_node.func.value}
        parts |= {"args": ", ".join(code(arg) for arg in bare.args)}
        # Groups came in the order of the rows, those that count() made in the order of the level.
        parts["level"] = code(level.value) + ("" if name == "count" else ", sort=False")
        self.scope.note(f"{name}(level=) → groupby(level=).{name}()")
        if axis is not None and value_of(axis.value) in {1, "columns"}:
            return filled(f"{{self}}.T.groupby(level={{level}}).{name}({{args}}).T", parts)
        return filled(f"{{self}}.groupby(level={{level}}).{name}({{args}})", parts)

    def _gone(self, name: str) -> bool:
        signature = self.scope.installed.signature(f"pandas.DataFrame.{name}")
        return signature is not None and all(parameter.name != "level" for parameter in signature)


class Level(CodemodRecipe):
    """Reductions with level=."""

    name = "pandas-level-reduction"
    summary = "Reductions take no index level any more; groupby(level=) groups by it first."
    since = "pandas 2.0"
    source = "pandas What's New 1.3 (deprecation) and 2.0 (removal)"
    words = frozenset({"level"})
    confirmed = True
    codemod = _Level


RECIPES = (Level(),)
