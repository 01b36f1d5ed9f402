"""Imports of gone names in helper modules whose functions alone use them: they stand in these functions now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import libcst as cst
import libcst.matchers as m

from modernizer.repair.program import Key
from modernizer.repair.recipe import Codemod, CodemodRecipe, Scope, Unit
from modernizer.repair.recipes.moves import new_home
from modernizer.repair.scope import dotted_name


class _Late(Codemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._late: dict[cst.CSTNode, str] = {}
        self._within: dict[cst.CSTNode, list[str]] = {}

    def visit_Module(self, node: cst.Module) -> None:  # noqa: N802 (LibCST's visitor protocol)
        self._count = {name: len(m.findall(node, m.Name(name))) for name in _imported(node)}
        functions = [found for found in _outermost(node) if isinstance(found, cst.FunctionDef)]
        for line in node.body:
            if not m.matches(line, m.SimpleStatementLine(body=[m.ImportFrom()])) or not self.scope.failing(line):
                continue
            statement = cst.ensure_type(cst.ensure_type(line, cst.SimpleStatementLine).body[0], cst.ImportFrom)
            module = dotted_name(statement.module) if statement.module else None
            if module is None or statement.relative or isinstance(statement.names, cst.ImportStar):
                continue
            for alias in statement.names:
                self._plan(module, alias, functions)

    def _plan(self, module: str, alias: cst.ImportAlias, functions: list[cst.FunctionDef]) -> None:
        local, dotted = alias.evaluated_alias or alias.evaluated_name, f"{module}.{alias.evaluated_name}"
        if self.scope.installed.resolves(dotted) or new_home(dotted, self.scope) is not None:
            return
        uses = {function: len(m.findall(function.body, m.Name(local))) for function in functions}
        # The statement itself spells it once or, with another name of its own, once as well.
        if self._count.get(local) != 1 + sum(uses.values()) or not any(uses.values()) or self._is_taken(local, dotted):
            return
        renamed = f" as {local}" if alias.asname else ""
        self._late[alias] = dotted
        for function, count in uses.items():
            if count:
                self._within.setdefault(function, []).append(f"from {module} import {alias.evaluated_name}{renamed}")

    def _is_taken(self, local: str, dotted: str) -> bool:
        """Tell whether another unit imports the name from somewhere else, perhaps from this module."""
        others = (key for key in self.scope.names.bindings if key != self.scope.unit and local in self.scope.names.bindings[key])
        return any(self.scope.names.imported(local, key) not in {None, dotted} for key in others)

    def leave_SimpleStatementLine(  # noqa: N802
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel:
        statement = original_node.body[0]
        if not isinstance(statement, cst.ImportFrom) or isinstance(statement.names, cst.ImportStar):
            return updated_node
        kept = [alias for alias in statement.names if alias not in self._late]
        if len(kept) == len(statement.names):
            return updated_node
        for alias in statement.names:
            if alias in self._late:
                self.scope.note(f"{self._late[alias]} imported by the functions that use it: it is gone")
        if not kept:
            return cst.RemoveFromParent()
        kept[-1] = kept[-1].with_changes(comma=statement.names[-1].comma)
        return updated_node.with_changes(body=[statement.with_changes(names=kept)])

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:  # noqa: N802
        imports = [cst.parse_statement(source) for source in self._within.get(original_node, ())]
        if not imports or not isinstance(updated_node.body, cst.IndentedBlock):
            return updated_node
        body = list(updated_node.body.body)
        place = 1 if original_node.get_docstring() is not None else 0
        return updated_node.with_changes(body=updated_node.body.with_changes(body=[*body[:place], *imports, *body[place:]]))


def _imported(node: cst.Module) -> set[str]:
    """Return the names that a module's imports bind."""
    aliases = (alias for alias in m.findall(node, m.ImportAlias()) if isinstance(alias, cst.ImportAlias))
    return {alias.evaluated_alias or alias.evaluated_name for alias in aliases}


def _outermost(node: cst.CSTNode) -> list[cst.CSTNode]:
    """List the functions of a module and of its classes, without those inside of functions."""
    found: list[cst.CSTNode] = []
    for child in node.children:
        found += [child] if isinstance(child, cst.FunctionDef) else _outermost(child)
    return found


class LateImports(CodemodRecipe):
    """Gone names that only some functions of a helper module need."""

    name = "gone-import-where-used"
    summary = "A helper module imports something that is gone; the functions that use it import it, so that the others work."
    since = ""
    source = "the notebook's own modules"
    words = frozenset({"import"})
    order = 61
    codemod = _Late

    def rewrite_all(self, units: Mapping[Key, Unit], scope: Scope) -> dict[Key, str]:
        """Rewrite the module in one piece: the import that is dropped and those in its place belong together."""
        found = ((key, self.rewrite(unit, replace(scope, unit=key, imports=[]))) for key, unit in units.items())
        return {key: new for key, new in found if new is not None}

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Run only in the helper module whose import failed."""
        failure = scope.failure
        failed = failure is not None and failure.error.name == "ImportError" and failure.unit == unit.key
        return super().rewrite(unit, scope) if failed and isinstance(unit.key, str) else None


RECIPES = (LateImports(),)
