"""Positional arguments of plotting functions that must be named now, by the old order of parameters (plot_positions.toml)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

import libcst as cst
import libcst.matchers as m

from modernizer.repair.receivers import ARRAY, SERIES, ReceiverCodemod
from modernizer.repair.recipe import CodemodRecipe
from modernizer.repair.syntax import code, keyword_names, named, string

_NUMBER = m.Integer() | m.Float()
_VECTOR = m.List() | m.ListComp() | m.Call(func=m.Name("list") | m.Name("range"))


@dataclass(frozen=True)
class OldOrder:
    """One row of the table; see there for what the fields mean."""

    of: frozenset[str]
    old: tuple[str, ...]
    methods: frozenset[str] = frozenset()
    signature: str = ""
    allowed: int | None = None
    alone: bool = False
    numbers: bool = False
    renamed: Mapping[str, str] = field(default_factory=dict)


@cache
def old_orders() -> tuple[OldOrder, ...]:
    """Return the table."""
    text = resources.files(__package__).joinpath("plot_positions.toml").read_text(encoding="utf-8")
    rows = tomllib.loads(text)["callable"]
    lists = [
        {"of": frozenset(row["of"]), "methods": frozenset(row.get("methods", ())), "old": tuple(row["old"].split())}
        for row in rows
    ]
    return tuple(OldOrder(**row | made) for row, made in zip(rows, lists, strict=True))


class _PlotPositions(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        qualified = self.scope.qualified(original_node.func)
        method = original_node.func.attr.value if isinstance(original_node.func, cst.Attribute) else None
        for row in old_orders():
            if qualified in row.of or (
                method in row.methods and (qualified is None or not self.scope.installed.resolves(qualified))
            ):
                return self._named(row, qualified, original_node, updated_node)
        return updated_node

    def _named(self, row: OldOrder, qualified: str | None, original: cst.Call, call: cst.Call) -> cst.Call:
        positional = [arg for arg in original.args if arg.keyword is None and arg.star != "**"]
        if not positional or any(arg.star for arg in positional) or len(positional) > len(row.old):
            return call
        if row.numbers and not all(m.matches(arg.value, _NUMBER) for arg in positional):
            return call
        kept = self._may_stay(row, qualified, len(positional))
        if kept is None or kept == len(positional) or not self._means_old(row, original, positional):
            return call
        present = {row.renamed.get(name, name) for name in keyword_names(call)}
        names = row.old[kept : len(positional)]
        if present & set(names):
            return call
        callee = original.func.attr if isinstance(original.func, cst.Attribute) else original.func
        self.scope.note(f"{code(callee)}: {', '.join(f'{name}=' for name in names)}")
        args = list(call.args)
        for position, name in enumerate(names, start=kept):
            args[position] = named(args[position], name)
        return call.with_changes(args=[self._with_new_name(row, arg) for arg in args])

    def _may_stay(self, row: OldOrder, qualified: str | None, count: int) -> int | None:
        """Count the leading positional arguments that still mean what they meant; None when the signature can't be read."""
        if row.allowed is not None:
            return min(row.allowed, count)
        parameters = self.scope.installed.signature(row.signature or qualified or "")
        if parameters is None:
            return None
        if any(parameter.kind.lower() == "var_positional" for parameter in parameters):
            return count
        free = [parameter.name for parameter in parameters if parameter.kind.lower().startswith("positional")]
        kept = 0
        while kept < count and kept < len(free) and free[kept] == row.old[kept]:
            kept += 1
        return kept

    def _means_old(self, row: OldOrder, call: cst.Call, positional: list[cst.Arg]) -> bool:
        """Tell whether one positional argument alone is the old first parameter, not the ``data`` of today's signature."""
        given = keyword_names(call)
        if len(positional) > 1 or row.old[0] != "x" or "data" in given:
            return True
        if given & set(row.renamed):
            return True
        if row.alone or "x" in given:
            return False
        if any(arg.keyword and arg.keyword.value in {"y", "hue"} and string(arg.value) is not None for arg in call.args):
            return False
        first = positional[0].value
        kind = self.type_of(first)
        live = self.describe(first)
        if kind == ARRAY or (live is not None and live.shape is not None):
            return live is not None and live.shape is not None and len(live.shape) == 1
        return kind in {SERIES, "list"} or m.matches(first, _VECTOR) or (kind is None and self.scope.failing(call))

    def _with_new_name(self, row: OldOrder, arg: cst.Arg) -> cst.Arg:
        new = row.renamed.get(arg.keyword.value) if arg.keyword else None
        return arg.with_changes(keyword=cst.Name(new)) if new else arg


class PlotPositions(CodemodRecipe):
    """Positional arguments of seaborn and matplotlib that became keyword-only."""

    name = "positional-plot-argument"
    summary = "Plotting functions take these arguments by name only now; each got the name of its place in the old order."
    since = "seaborn 0.12, matplotlib 3.3 to 3.9"
    source = "seaborn What's New 0.11 and 0.12; Matplotlib API changes"
    order = 16
    codemod = _PlotPositions

    @property
    def words(self) -> frozenset[str]:  # type: ignore[override]
        """The names of the callables in the table."""
        return frozenset().union(*({name.rpartition(".")[2] for name in row.of} | row.methods for row in old_orders()))


RECIPES = (PlotPositions(),)
