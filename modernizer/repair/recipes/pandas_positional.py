"""Positional arguments that pandas takes by keyword only now, or takes for others: named by their old order."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

import libcst as cst

from modernizer.repair.evidence import refused_position
from modernizer.repair.receivers import FRAME, SERIES, ReceiverCodemod
from modernizer.repair.recipe import CodemodRecipe, Scope, Unit
from modernizer.repair.syntax import named

# Nothing but pandas has these methods with more than one positional argument.
_DISTINCTIVE = frozenset(
    {"drop_duplicates", "dropna", "pivot", "reset_index", "resample", "set_index", "sort_index", "sort_values", "drop"}
)
_RESAMPLE = frozenset({"resample"})
_SILENT = frozenset({"resample", "groupby", "apply", "to_datetime"})


@cache
def orders() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return the old parameter orders: owner (a module or class) to callable to parameters."""
    table = tomllib.loads(resources.files(__package__).joinpath("pandas_positional.toml").read_text(encoding="utf-8"))
    return {owner: {name: tuple(order.split()) for name, order in rows.items()} for owner, rows in table.items()}


class _Positional(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        given = [arg for arg in original_node.args if arg.keyword is None]
        if not given or any(arg.star for arg in original_node.args):
            return updated_node
        owner, name = self._callee(original_node)
        order = orders().get(owner, {}).get(name, ())
        if not order or len(given) > len(order):
            return updated_node
        present = self._present(owner, name)
        if present is None:
            return updated_node
        kept = next((i for i, old in enumerate(order) if i >= len(present) or present[i] != old), len(order))
        other = kept < min(len(given), len(present))
        if len(given) <= kept or not self._confirmed(original_node, name, other=other):
            return updated_node
        args = [named(arg, order[i]) if kept <= i < len(given) else arg for i, arg in enumerate(updated_node.args)]
        self.scope.note(f"{name}(…, {', '.join(f'{part}=' for part in order[kept : len(given)])})")
        return updated_node.with_changes(args=args)

    def _callee(self, call: cst.Call) -> tuple[str, str]:
        """Return the module or class and the name of what is called; the class by proof, else by the name alone."""
        qualified = self.scope.qualified(call.func)
        if qualified is not None:
            owner, _, name = qualified.rpartition(".")
            return owner, name
        if not isinstance(call.func, cst.Attribute):
            return "", ""
        kind = self.type_of(call.func.value)
        if kind is None:
            refused = refused_position(self.scope.failure) or ""
            kind = SERIES if refused.startswith("Series.") else FRAME
        return kind, call.func.attr.value

    def _present(self, owner: str, name: str) -> tuple[str, ...] | None:
        signature = self.scope.installed.signature(f"{owner}.{name}")
        if signature is None:
            return None
        return tuple(
            parameter.name
            for parameter in signature
            if parameter.kind.lower().replace("_", "-") in {"positional-only", "positional-or-keyword"}
            and parameter.name != "self"
        )

    def _confirmed(self, call: cst.Call, name: str, *, other: bool) -> bool:
        """Tell whether the positions are refused by an error seen, or silently mean other parameters, of a pandas object.

        Keyword-only parameters alone prove nothing: some of these methods still take positions, with a warning.
        """
        refused = (refused_position(self.scope.failure) or "").rpartition(".")[2] == name
        if not isinstance(call.func, cst.Attribute) or self.scope.qualified(call.func) is not None:
            return refused or other
        if self.type_of(call.func.value) in {FRAME, SERIES}:
            return refused or other
        return (refused and (name in _DISTINCTIVE or self.scope.failing(call))) or (other and name in _RESAMPLE)


class Positional(CodemodRecipe):
    """Positional arguments of pandas methods and functions."""

    name = "pandas-positional-argument"
    summary = "pandas takes these arguments by keyword only; they are named by the order they had."
    since = "pandas 2.0"
    source = "pandas What's New 1.3 (deprecation) and 2.0, 3.0 (enforced)"
    order = 25
    codemod = _Positional

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Look at programs after a refusal, and at the calls whose positions silently mean other parameters now."""
        silent = any(f".{name}(" in unit.source for name in _SILENT)
        return super().rewrite(unit, scope) if silent or refused_position(scope.failure) else None

    @property
    def words(self) -> frozenset[str]:  # type: ignore[override]
        """The names in the table."""
        return frozenset(name for rows in orders().values() for name in rows)


RECIPES = (Positional(),)
