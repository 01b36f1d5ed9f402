"""Functions that are gone where a short expression gives the same: one table (gone_functions.toml), one codemod."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

import libcst as cst
import libcst.matchers as m

from modernizer.repair.dropping import DroppingCodemod
from modernizer.repair.expressions import bind, filled, operands, seated
from modernizer.repair.recipe import CodemodRecipe
from modernizer.repair.release_notes import release_notes
from modernizer.repair.scope import dotted_name

_ATOMS = cst.Name | cst.Integer | cst.Float | cst.Attribute | cst.Call | cst.Subscript
_DOTTED_FIELD = re.compile(r"\{(\w+(?:\.\w+)+)\}")


@dataclass(frozen=True)
class GoneFunction:
    """One row of the table; see there for what the fields mean."""

    name: str
    parameters: tuple[str, ...]
    forms: Mapping[str, str]
    since: str = ""

    @property
    def source(self) -> str:
        """Return where the removal is written."""
        return release_notes(self.name, self.since)


@cache
def gone_functions() -> Mapping[str, GoneFunction]:
    """Return the table by old dotted name."""
    text = resources.files(__package__).joinpath("gone_functions.toml").read_text(encoding="utf-8")
    rows = tomllib.loads(text)["function"]
    return {row["name"]: GoneFunction(row["name"], tuple(row["parameters"]), row["forms"], row.get("since", "")) for row in rows}


class _GoneFunctions(DroppingCodemod):
    def visit_Module(self, node: cst.Module) -> None:  # noqa: N802 (LibCST's visitor protocol)
        self._operands = operands(node)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's protocol)
        row = self._row(original_node.func)
        bound = bind(updated_node.args, row.parameters) if row else None
        if row is None or bound is None:
            return updated_node
        template = row.forms.get(",".join(name for name in row.parameters if name in bound))
        if template is None or not self._available(template):
            return updated_node
        used = _DOTTED_FIELD.search(template)
        self.scope.note(f"{row.name} → {used[1] if used else template.replace('{', '').replace('}', '')}", row.source)
        for name, value in bound.items():
            if isinstance(value, _ATOMS) and not value.lpar:
                template = re.sub(rf"(?<![\w}}])\(\{{{name}\}}\)", f"{{{name}}}", template)
        new = filled(_DOTTED_FIELD.sub(lambda match: self.scope.reference(match[1]), template), bound)
        return seated(new, operand=original_node in self._operands)

    def drops(self, statement: cst.BaseSmallStatement) -> bool:
        """Drop an import of nothing but gone functions."""
        return isinstance(statement, cst.ImportFrom) and not self._kept(statement)

    def leave_ImportFrom(self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom) -> cst.ImportFrom:  # noqa: N802
        if isinstance(updated_node.names, cst.ImportStar) or not (kept := self._kept(original_node)):
            return updated_node
        if len(kept) == len(updated_node.names):
            return updated_node
        kept[-1] = kept[-1].with_changes(comma=updated_node.names[-1].comma)
        return updated_node.with_changes(names=kept)

    def _kept(self, statement: cst.ImportFrom) -> list[cst.ImportAlias]:
        module = dotted_name(statement.module) if statement.module else None
        if isinstance(statement.names, cst.ImportStar):
            return [cst.ImportAlias(name=cst.Name("star"))]
        gone = module is not None and not statement.relative
        return [
            alias
            for alias in statement.names
            if not (
                gone
                and self._is_gone(f"{module}.{alias.evaluated_name}")
                and self._all_replaced(alias, f"{module}.{alias.evaluated_name}")
            )
        ]

    def _all_replaced(self, alias: cst.ImportAlias, dotted: str) -> bool:
        """Tell whether each call by an imported name has a form, so that the name is needed no more."""
        local, row = alias.evaluated_alias or alias.evaluated_name, gone_functions()[dotted]
        calls = (call for tree in self.scope.names.trees for call in m.findall(tree, m.Call(func=m.Name(local))))
        bound = (bind(call.args, row.parameters) for call in calls if isinstance(call, cst.Call))
        return all(
            given is not None and ",".join(name for name in row.parameters if name in given) in row.forms for given in bound
        )

    def _row(self, func: cst.BaseExpression) -> GoneFunction | None:
        names = (self.scope.qualified(func) or "", *self.scope.gone_from_star(func))
        return next((gone_functions()[name] for name in names if self._is_gone(name)), None)

    def _is_gone(self, dotted: str) -> bool:
        return dotted in gone_functions() and not self.scope.installed.resolves(dotted)

    def _available(self, template: str) -> bool:
        return all(self.scope.installed.resolves(match[1]) for match in _DOTTED_FIELD.finditer(template))


class GoneFunctions(CodemodRecipe):
    """Functions replaced by expressions."""

    name = "gone-function"
    summary = "A function is gone; an expression that gives the same stands in its place."
    since = ""
    source = "the release notes of each, see below"
    order = 19
    codemod = _GoneFunctions

    @property
    def words(self) -> frozenset[str]:  # type: ignore[override]
        """The names of the functions."""
        return frozenset(name.rpartition(".")[2] for name in gone_functions())


RECIPES = (GoneFunctions(),)
