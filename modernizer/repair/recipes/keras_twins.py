"""Modules of Keras that lost names which the module of that name in ``tensorflow.keras`` still has."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.recipe import Codemod, CodemodRecipe, Scope
from modernizer.repair.scope import dotted_name

# tensorflow.keras keeps what Keras 2 offered there (keras/_tf_keras), made of the same objects otherwise.
_TWINS = {
    "keras.backend": "tensorflow.keras.backend",
    "keras.preprocessing.image": "tensorflow.keras.preprocessing.image",
    "keras.preprocessing.sequence": "tensorflow.keras.preprocessing.sequence",
    "keras.preprocessing.text": "tensorflow.keras.preprocessing.text",
    "tensorflow.python.keras": "tensorflow.keras",
}


class _Twins(Codemod):
    """Import the twin of a module instead, when the program uses a name that only the twin has."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._homes = _twins(scope)

    def leave_ImportFrom(self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom) -> cst.ImportFrom:  # noqa: N802 (LibCST's visitor protocol)
        module = dotted_name(original_node.module)
        if module is None or original_node.relative:
            return updated_node
        if home := self._home(module):
            return updated_node.with_changes(module=cst.parse_expression(home))
        if isinstance(original_node.names, cst.ImportStar):
            return updated_node
        homes = (self._home(f"{module}.{alias.evaluated_name}") for alias in original_node.names)
        parent = next((home.rpartition(".")[0] for home in homes if home), None)
        there = parent and all(self.scope.installed.resolves(f"{parent}.{alias.evaluated_name}") for alias in original_node.names)
        return updated_node.with_changes(module=cst.parse_expression(parent)) if parent and there else updated_node

    def leave_Import(self, original_node: cst.Import, updated_node: cst.Import) -> cst.Import:  # noqa: N802
        names = []
        for alias in original_node.names:
            home = self._home(alias.evaluated_name) if alias.asname else None
            names.append(alias.with_changes(name=cst.parse_expression(home)) if home else alias)
        return updated_node.with_changes(names=names)

    def _home(self, dotted: str) -> str | None:
        """Return where a module or a name in it is to be taken from now, when that is another place."""
        for old, new in self._homes.items():
            if dotted == old or dotted.startswith(f"{old}."):
                home = new + dotted.removeprefix(old)
                if self.scope.installed.resolves(home):
                    self.scope.note(f"{old} → {new}")
                    return home
        return None


def _twins(scope: Scope) -> dict[str, str]:
    """Return the modules that lack a name the program uses and the twin has."""
    used = _used(scope)
    return {
        old: new
        for old, new in _TWINS.items()
        if any(
            name.startswith(f"{old}.")
            and not scope.installed.resolves(name)
            and scope.installed.resolves(new + name.removeprefix(old))
            for name in used
        )
    }


def _used(scope: Scope) -> set[str]:
    """List the dotted names below those modules that the whole program uses."""
    found: set[str] = set()
    for unit, tree in zip(scope.names.bindings, scope.names.trees, strict=True):
        collector = _Used(scope, unit)
        tree.visit(collector)
        found |= collector.found
    return found


class _Used(cst.CSTVisitor):
    def __init__(self, scope: Scope, unit: int | str) -> None:
        self._names, self._unit = scope.names, unit
        self.found: set[str] = set()

    def visit_Attribute(self, node: cst.Attribute) -> None:  # noqa: N802 (LibCST's visitor protocol)
        qualified = self._names.qualified(node, self._unit)
        if qualified is not None:
            self.found.add(qualified)

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:  # noqa: N802
        module = dotted_name(node.module)
        if module is not None and not node.relative and not isinstance(node.names, cst.ImportStar):
            self.found |= {f"{module}.{alias.evaluated_name}" for alias in node.names}
        return False

    def visit_Import(self, node: cst.Import) -> bool:  # noqa: N802
        del node
        return False


class KerasTwins(CodemodRecipe):
    """Modules taken from tensorflow.keras."""

    name = "keras-twin"
    summary = "Keras 3 has dropped names of this module that tensorflow.keras keeps; the module is imported from there."
    since = "Keras 3.0"
    source = "Keras 3 migration guide: keras.backend, keras.preprocessing; keras/_tf_keras"
    words = frozenset({"keras"})
    order = 19
    confirmed = True
    codemod = _Twins


RECIPES = (KerasTwins(),)
