"""Definitions that a recipe puts into the program once, below the imports of the first unit that needs them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import libcst as cst
import libcst.matchers as m

from modernizer.repair.imports import add_imports
from modernizer.repair.program import Key
from modernizer.repair.recipe import Codemod, Scope, Unit

_LEADING = m.SimpleStatementLine(body=[m.Import() | m.ImportFrom() | m.Expr(value=m.Name() | m.SimpleString()), m.ZeroOrMore()])
_BLANK = cst.EmptyLine(indent=False)
_Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement


def rewrite_and_define(
    units: Mapping[Key, Unit], scope: Scope, codemod: type[Codemod], definition: str, imports: Iterable[str], *, name: str
) -> dict[Key, str]:
    """Run a codemod over all units and define what its result uses: once for the cells, once in each module.

    ``definition`` is source that may name ``{numpy}`` and ``{pandas}``; ``name`` is what it defines: a program that has it,
    other than by an import, gets no other.
    """
    changes: dict[Key, str] = {}
    cells = [names for key, names in scope.names.bindings.items() if isinstance(key, int)]
    defined = any(binding.imported is None for names in cells for binding in names.get(name, ()))
    for key, unit in sorted(units.items(), key=lambda item: (isinstance(item[0], str), item[0])):
        if unit.tree is None or unit.masked is None:
            continue
        own = replace(scope, unit=key, imports=[])
        changed = unit.tree.visit(codemod(own))
        if changed.deep_equals(unit.tree):
            continue
        source = ""
        if isinstance(key, str) or not defined:
            source = definition
            for package in ("numpy", "pandas"):
                field = f"{{{package}}}"
                source = source.replace(field, own.reference(package)) if field in source else source
            for statement in imports:
                own.want_import(statement)
            defined = defined or isinstance(key, int)
        if own.imports:
            changed = add_imports(changed, own.imports)
        if source:
            changed = define(changed, source)
        changes[key] = unit.masked.unmask(changed.code)
    return changes


def define(tree: cst.Module, source: str) -> cst.Module:
    """Insert definitions behind a unit's leading magics, docstring and imports."""
    body = list(tree.body)
    place = 0
    while place < len(body) and m.matches(body[place], _LEADING):
        place += 1
    new = [_spaced(statement) for statement in cst.parse_module(source).body]
    if place < len(body):
        body[place] = _spaced(body[place])
    return tree.with_changes(body=[*body[:place], *new, *body[place:]])


def _spaced(statement: _Statement) -> _Statement:
    """Put two blank lines before a statement, above its comments."""
    lines = list(statement.leading_lines)
    while lines and lines[0].comment is None:
        lines.pop(0)
    return statement.with_changes(leading_lines=[_BLANK, _BLANK, *lines])
