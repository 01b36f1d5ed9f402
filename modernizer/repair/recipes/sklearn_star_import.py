"""Star imports of scikit-learn modules that list experimental names, which may not be imported just so."""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.scope import dotted_name


class _StarImport(Codemod):
    def leave_ImportFrom(self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom) -> cst.ImportFrom:  # noqa: N802
        module = dotted_name(original_node.module) if original_node.module else None
        failure = self.scope.failure
        experimental = failure is not None and "is experimental and the API might change" in failure.error.message
        if (
            not experimental
            or not isinstance(original_node.names, cst.ImportStar)
            or not module
            or not module.startswith("sklearn.")
        ):
            return updated_node
        names = [
            name
            for name in sorted(self.scope.names.mentioned)
            if not name.startswith("_")
            and self.scope.names.unbound(name, self.scope.unit)
            and self.scope.installed.resolves(f"{module}.{name}")
        ]
        if not names:
            return updated_node
        self.scope.note(f"from {module} import * → {', '.join(names)}")
        return updated_node.with_changes(names=[cst.ImportAlias(name=cst.Name(name)) for name in names])


class StarImport(CodemodRecipe):
    """Star imports that fail."""

    name = "sklearn-star-import"
    summary = "The module lists experimental names, so a star import fails; the names in use are imported instead."
    since = "scikit-learn 0.24"
    source = "scikit-learn What's New 0.24 (HalvingGridSearchCV)"
    words: ClassVar[frozenset[str]] = frozenset({"import *"})
    order = 40
    codemod = _StarImport


RECIPES = (StarImport(),)
