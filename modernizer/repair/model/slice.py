"""Which cells and modules the failing code depends on, the most relevant first."""

from __future__ import annotations

import ast
import symtable
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from modernizer.magics import STAND_IN, mask
from modernizer.parsing import parse_python
from modernizer.repair.program import Key, Program
from modernizer.repair.recipe import Failure

_MOST_CHANGES = 2
"""Cells that may change a name's object after its binding, and are shown; more would crowd out the rest."""


@dataclass(frozen=True)
class Defines:
    """What a unit has to do with the names of the notebook's namespace; names local to its functions are none of them.

    ``binds`` it defines: for sure those that it ``sets``; ``imports`` are those of them that it imports. ``changes`` are names
    whose objects it alters. ``needs`` must be there before it runs, ``needs_later`` when its functions are called.
    """

    binds: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    imports: frozenset[str] = frozenset()
    sets: frozenset[str] = frozenset()
    needs_later: frozenset[str] = frozenset()

    @property
    def all_needs(self) -> frozenset[str]:
        """Return every name that must come from elsewhere."""
        return self.needs | self.needs_later


def relevant_units(program: Program, failure: Failure) -> list[Key]:
    """List the units of the def-use slice: the failing ones, what defines their names, what those need, and so on.

    Later definitions count before earlier ones, as the kernel saw them; cells behind the failing one are left out.
    """
    sources = program.sources()
    uses = {unit: uses_of(source) for unit, source in sources.items()}
    start: list[Key] = [failure.unit]
    start += [unit for unit in _frame_units(failure, sources) if unit not in start]
    found: dict[Key, None] = {}
    pending: deque[Key] = deque(start)
    while pending:
        unit = pending.popleft()
        if unit in found:
            continue
        found[unit] = None
        pending.extend(_definers(unit, uses, failure))
    return list(found)


def uses_of(source: str) -> Defines:
    """Tell what a unit binds and needs; code that does not parse is read word by word."""
    masked = mask(source)
    if masked is None:
        return Defines()
    try:
        tree = parse_python(masked.code)
        told = [_told(statement) for statement in tree.body]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Defines(needs=frozenset(word for word in _words(masked.code) if word.isidentifier()))
    binds: set[str] = set()
    needs: set[str] = set()
    bound: set[str] = set()
    for statement, one in zip(tree.body, told, strict=True):
        needs |= one.needs - bound
        binds |= one.binds
        if isinstance(statement, ast.Assign | ast.AnnAssign | ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef):
            bound |= one.binds
    changes, imports, later = (
        frozenset().union(*(getattr(one, name) for one in told)) for name in ("changes", "imports", "needs_later")
    )
    return Defines(frozenset(binds), frozenset(needs), changes, imports, frozenset(bound), later - binds)


def _told(statement: ast.stmt) -> Defines:
    """Tell of one statement at the top of a unit. The scopes are Python's own, as its compiler sees them."""
    table = symtable.symtable(ast.unparse(statement), "<cell>", "exec")
    symbols = table.get_symbols()
    binds = {symbol.get_name() for symbol in symbols if symbol.is_assigned() or symbol.is_imported()}
    needs = {symbol.get_name() for symbol in symbols if symbol.is_referenced()}
    later = {name for inner in _inner(table) for name in _globals_of(inner)}
    if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        # The bodies of classes, comprehensions and lambdas run with the statement, or may.
        needs, later = needs | later, set()
    needs |= {
        node.target.id for node in ast.walk(statement) if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
    }
    needs = {name for name in needs if not name.startswith(STAND_IN)} - _headed(statement)
    imports = {symbol.get_name() for symbol in symbols if symbol.is_imported()}
    changes = frozenset(_changed(statement))
    return Defines(frozenset(binds), frozenset(needs), changes, frozenset(imports), needs_later=frozenset(later))


def _headed(statement: ast.stmt) -> set[str]:
    """Return the names that the head of a loop or ``with`` gives a value before its body reads them."""
    match statement:
        case ast.For(target=target, iter=read):
            given, asked = [target], [read]
        case ast.With(items=items):
            given, asked = [item.optional_vars for item in items if item.optional_vars], [item.context_expr for item in items]
        case _:
            return set()
    named = [inner for node in (*given, *asked) for inner in ast.walk(node) if isinstance(inner, ast.Name)]
    return {name.id for name in named if isinstance(name.ctx, ast.Store)} - {
        name.id for name in named if isinstance(name.ctx, ast.Load)
    }


def _inner(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    for child in table.get_children():
        yield child
        yield from _inner(child)


def _globals_of(table: symtable.SymbolTable) -> set[str]:
    return {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global() and symbol.is_referenced()}


def _changed(statement: ast.stmt) -> Iterator[str]:
    """Give the names whose objects a statement changes for later cells: ``df["x"] = …``, ``model.fit(X)``."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    for node in ast.walk(statement):
        match node:
            case (
                ast.Attribute(value=owner, ctx=ast.Store() | ast.Del()) | ast.Subscript(value=owner, ctx=ast.Store() | ast.Del())
            ):
                yield from _root(owner)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner))):
                yield from _root(owner)


def _root(node: ast.expr) -> Iterator[str]:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


def _words(code: str) -> list[str]:
    return "".join(char if char.isidentifier() or char.isdigit() else " " for char in code).split()


def _frame_units(failure: Failure, sources: Mapping[Key, str]) -> list[Key]:
    """Return the units that the error went through, the innermost first."""
    units: list[Key] = []
    for frame in reversed(failure.error.frames):
        unit: Key | None = frame.cell if frame.cell is not None else frame.file if frame.local else None
        if unit is not None and unit in sources and unit not in units:
            units.append(unit)
    if failure.error.cell in sources and failure.error.cell not in units:
        units.append(failure.error.cell)
    return units


def _definers(unit: Key, uses: Mapping[Key, Defines], failure: Failure) -> list[int]:
    """Return the cells that bind or change what ``unit`` needs, as the kernel saw them: for each name the latest ones.

    What is before a sure binding counts no more. A call such as ``plt.plot()`` changes no object of the notebook: what is
    imported is only bound. Functions find their names when they are called, so that cells behind theirs count too.
    """
    if isinstance(unit, str):
        return []
    last = failure.error.cell
    now = min(unit, last) if isinstance(failure.unit, int) else unit
    cells = sorted((key for key in uses if isinstance(key, int) and key not in {unit, last}), reverse=True)
    imported = {name for use in uses.values() for name in use.imports}
    found: set[int] = set()
    for name in uses[unit].all_needs:
        before = [cell for cell in cells if cell < (now if name in uses[unit].needs else last)]
        changing = 0
        for cell in before:
            sure = name in uses[cell].sets
            if sure or name in uses[cell].binds or (name in uses[cell].changes and name not in imported):
                changing += 1
                if sure or changing <= _MOST_CHANGES:
                    found.add(cell)
            if sure:
                break
    # Near cells tell more about the state than far ones.
    return sorted(found, reverse=True)
