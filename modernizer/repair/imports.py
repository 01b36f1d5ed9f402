"""Where import statements go that an edit needs, and imports without names that nothing needs any more."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from modernizer.magics import STAND_IN
from modernizer.repair.scope import dotted_name


def add_imports(tree: cst.Module, statements: list[str]) -> cst.Module:
    """Insert import statements before the unit's first import, else at its top behind docstring and magics."""
    body = list(tree.body)
    place = next((index for index, statement in enumerate(body) if _is_plain_import(statement)), None)
    if place is None:
        place = 0
        while place < len(body) and _is_preamble(body[place]):
            place += 1
    present = {tree.code_for_node(statement).strip() for statement in body}
    new = [cst.parse_statement(statement) for statement in statements if statement not in present]
    if place < len(body) and new:
        # Comments and blank lines above the statement stay above the new imports, as a heading does.
        heading = body[place]
        lines = list(heading.leading_lines)
        while place == 0 and lines and lines[0].comment is None:
            lines.pop(0)
        new[0] = new[0].with_changes(leading_lines=lines)
        body[place] = heading.with_changes(leading_lines=())
    return tree.with_changes(body=[*body[:place], *new, *body[place:]])


def without_names(
    line: cst.SimpleStatementLine, gone: Callable[[str, cst.ImportAlias], bool]
) -> cst.SimpleStatementLine | cst.RemovalSentinel:
    """Leave names out of a line ``from module import …``, where ``gone`` says so of a dotted name; other lines stay."""
    statement = line.body[0]
    if len(line.body) != 1 or not isinstance(statement, cst.ImportFrom) or isinstance(statement.names, cst.ImportStar):
        return line
    module = dotted_name(statement.module) if statement.module else ""
    kept = [alias for alias in statement.names if not gone(f"{module}.{alias.evaluated_name}", alias)]
    if len(kept) == len(statement.names):
        return line
    if not kept:
        return cst.RemoveFromParent()
    kept[-1] = kept[-1].with_changes(comma=statement.names[-1].comma)
    return line.with_changes(body=[statement.with_changes(names=kept)])


def _is_plain_import(statement: cst.CSTNode) -> bool:
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    first = statement.body[0]
    if isinstance(first, cst.ImportFrom) and isinstance(first.module, cst.Name) and first.module.value == "__future__":
        return False
    return isinstance(first, cst.Import | cst.ImportFrom)


def _is_preamble(statement: cst.CSTNode) -> bool:
    """Tell docstrings, future imports and masked magics, which new imports go behind."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    first = statement.body[0]
    if isinstance(first, cst.ImportFrom):
        return True
    if not isinstance(first, cst.Expr):
        return False
    value = first.value
    return isinstance(value, cst.SimpleString) or (isinstance(value, cst.Name) and value.value.startswith(STAND_IN))
