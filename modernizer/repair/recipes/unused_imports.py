"""Imports of names that are gone and that nothing uses: dropped, so that they don't block what does work."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.recipes.gone_functions import gone_functions
from modernizer.repair.recipes.moves import new_home
from modernizer.repair.scope import dotted_name

# Packages whose functions other recipes replace.
_REPLACED = frozenset(name.partition(".")[0] for name in gone_functions() if name.startswith("pkg_resources."))


class _Unused(Codemod):
    def leave_SimpleStatementLine(  # noqa: N802 (LibCST's visitor protocol)
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel:
        statement = original_node.body[0]
        if len(original_node.body) == 1 and isinstance(statement, cst.Import):
            return self._without_modules(original_node, updated_node, statement)
        if (
            len(original_node.body) != 1
            or not isinstance(statement, cst.ImportFrom)
            or isinstance(statement.names, cst.ImportStar)
        ):
            return updated_node
        module = dotted_name(statement.module) if statement.module else None
        if module is None or statement.relative or not self._refused(original_node, module):
            return updated_node
        kept = [alias for alias in statement.names if not self._gone_and_unused(module, alias)]
        if len(kept) == len(statement.names):
            return updated_node
        if not kept:
            return cst.RemoveFromParent()
        kept[-1] = kept[-1].with_changes(comma=statement.names[-1].comma)
        return updated_node.with_changes(body=[statement.with_changes(names=kept)])

    def _without_modules(
        self, original: cst.SimpleStatementLine, updated: cst.SimpleStatementLine, statement: cst.Import
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel:
        """Drop modules of an installed package that are gone, and packages whose functions were all replaced."""
        kept = [alias for alias in statement.names if not self._gone_module(original, alias)]
        if len(kept) == len(statement.names):
            return updated
        if not kept:
            return cst.RemoveFromParent()
        kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        return updated.with_changes(body=[statement.with_changes(names=kept)])

    def _gone_module(self, line: cst.CSTNode, alias: cst.ImportAlias) -> bool:
        dotted = dotted_name(alias.name) or ""
        package = dotted.partition(".")[0]
        local = alias.evaluated_alias or package
        known = (alias.asname is not None and package != dotted and self._parent(dotted)) or dotted in _REPLACED
        if not known or not self._refused(line, dotted) or self.scope.names.mentions(local) > 1:
            return False
        if self.scope.installed.resolves(dotted) or new_home(dotted, self.scope) is not None:
            return False
        self.scope.note(f"{dotted} not imported: it is gone and nothing uses it")
        return True

    def _refused(self, node: cst.CSTNode, module: str) -> bool:
        """Tell whether an import failed, here or of the same module."""
        failure = self.scope.failure
        if failure is None or failure.error.name not in {"ImportError", "ModuleNotFoundError", "AttributeError"}:
            return False
        return self.scope.failing(node) or module.partition(".")[0] in failure.error.message

    def _gone_and_unused(self, module: str, alias: cst.ImportAlias) -> bool:
        local = alias.evaluated_alias or alias.evaluated_name
        dotted = f"{module}.{alias.evaluated_name}"
        if self.scope.names.mentions(local) > 1 or self.scope.installed.resolves(dotted):
            return False
        known = self.scope.installed.resolves(module) or self._parent(module)
        gone = known and new_home(dotted, self.scope) is None
        if gone:
            self.scope.note(f"{dotted} not imported: it is gone and nothing uses it")
        return gone

    def _parent(self, module: str) -> bool:
        """Tell whether the package itself is installed, so that the module is gone rather than missing."""
        return self.scope.installed.resolves(module.partition(".")[0])


class UnusedImports(CodemodRecipe):
    """Imports without use."""

    name = "unused-gone-import"
    summary = "An import of something that is gone was dropped, as nothing in the notebook uses it."
    since = ""
    source = "the notebook itself"
    words = frozenset({"import"})
    order = 60
    codemod = _Unused


RECIPES = (UnusedImports(),)
