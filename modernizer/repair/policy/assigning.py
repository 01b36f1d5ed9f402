"""What a statement assigns."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from modernizer.repair.policy.expressions import variables
from modernizer.repair.policy.reading import Code


def targets(node: ast.AST) -> list[str]:
    """List what a statement assigns, in order, each as text."""
    match node:
        case ast.Assign():
            found = node.targets
        case ast.AugAssign() | ast.AnnAssign() | ast.For() | ast.AsyncFor() | ast.NamedExpr():
            found = [node.target]
        case _:
            found = []
    return [ast.dump(target) for target in found]


def value(node: ast.AST) -> ast.expr | None:
    """Return the expression that a statement assigns."""
    return node.value if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) else None


def target_names(node: ast.AST) -> set[str]:
    """Return the variables that a statement assigns, or whose parts it does."""
    match node:
        case ast.Assign():
            found: list[ast.expr] = node.targets
        case ast.AugAssign() | ast.AnnAssign() | ast.For() | ast.AsyncFor():
            found = [node.target]
        case _:
            return set()
    return {name for target in found for name in _bound_by(target)}


def _bound_by(target: ast.expr) -> set[str]:
    if isinstance(target, ast.Tuple | ast.List):
        return {name for item in target.elts for name in _bound_by(item)}
    while isinstance(target, ast.Attribute | ast.Subscript | ast.Starred):
        target = target.value
    return {target.id} if isinstance(target, ast.Name) else set(variables(target))


def bound(code: Code) -> Iterator[str]:
    """List the names that a unit binds by assigning, defining and looping."""
    for node in code.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
