"""Our code inside the kernel for interpreters that lack what it is written in: Python 3.6 has no postponed annotations."""

from __future__ import annotations

import ast

from modernizer.parsing import parse_python

POSTPONED = (3, 7)


def source_for(text: str, version: str) -> str:
    """Return the source as an interpreter of this version can read it: without annotations where it would evaluate them."""
    numbers = tuple(int(part) for part in version.split(".")[:2])
    if numbers >= POSTPONED:
        return text
    tree = _WithoutAnnotations().visit(parse_python(text))
    return ast.unparse(ast.fix_missing_locations(tree))


class _WithoutAnnotations(ast.NodeTransformer):
    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return None if node.module == "__future__" else node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        # A name without a value stays annotated in a class only; None is a valid annotation everywhere.
        if node.value is None:
            node.annotation = ast.Constant(None)
            return node
        return self.generic_visit(ast.Assign(targets=[node.target], value=node.value))
