"""Imports inside a package of the repository that named the module beside them, as Python 2 looked there first."""

from __future__ import annotations

import re
from collections.abc import Sequence

import libcst as cst

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.recipe import Codemod, Scope
from modernizer.repair.scope import dotted_name


class _Relative(Codemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._folder = scope.unit.rpartition("/")[0] if isinstance(scope.unit, str) else None
        self._modules = frozenset(key for key in scope.names.bindings if isinstance(key, str))

    def leave_ImportFrom(self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom) -> cst.ImportFrom:  # noqa: N802
        """``from shapes import circle``."""
        dotted = dotted_name(original_node.module) if original_node.module and not original_node.relative else None
        if dotted is None or not self._is_beside(dotted.partition(".")[0]):
            return updated_node
        self.scope.note(f"from {dotted} → from .{dotted}")
        return updated_node.with_changes(relative=[cst.Dot()])

    def leave_SimpleStatementLine(  # noqa: N802 (LibCST's visitor protocol)
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.SimpleStatementLine]:
        """``import shapes, os``."""
        statement = original_node.body[0]
        if len(original_node.body) != 1 or not isinstance(statement, cst.Import):
            return updated_node
        beside = [alias for alias in statement.names if isinstance(alias.name, cst.Name) and self._is_beside(alias.name.value)]
        others = [alias for alias in statement.names if alias not in beside]
        if not beside:
            return updated_node
        self.scope.note(f"import {cst.ensure_type(beside[0].name, cst.Name).value} → from . import")
        statements = [cst.ImportFrom(module=None, relative=[cst.Dot()], names=_listed(beside))]
        lines = [updated_node.with_changes(body=statements)]
        if others:
            plain = updated_node.with_changes(body=[statement.with_changes(names=_listed(others))])
            lines = [plain, cst.SimpleStatementLine(statements)]
        return cst.FlattenSentinel(lines)

    def _is_beside(self, name: str) -> bool:
        """Tell whether a module stands beside this one in a package, and no other is importable by that name alone."""
        if self._folder is None or f"{self._folder}/__init__.py" not in self._modules or self.scope.installed.resolves(name):
            return False
        return bool({f"{self._folder}/{name}.py", f"{self._folder}/{name}/__init__.py"} & self._modules)


def _listed(aliases: Sequence[cst.ImportAlias]) -> list[cst.ImportAlias]:
    """Return the names as a list of their own, without the last one's comma."""
    return [*aliases[:-1], aliases[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)]


class RelativeImports(FailureRecipe):
    """``import sibling`` in a package."""

    name = "python-2-relative-import"
    summary = "Modules of a package import their neighbours by a dot; without one Python 3 looks for a package of that name."
    since = "Python 3.0"
    source = "What's New In Python 3.0 and PEP 328: imports without a dot are absolute"
    words = frozenset({"import"})
    order = 12
    errors = frozenset({"ModuleNotFoundError"})
    message = re.compile(r"No module named '\w+'$")
    codemod = _Relative


RECIPES = (RelativeImports(),)
