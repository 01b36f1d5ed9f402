"""Which cells and modules the failing code depends on, the most relevant first."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from modernizer.magics import mask
from modernizer.repair.program import Key, Program
from modernizer.repair.recipe import Failure


@dataclass(frozen=True)
class Defines:
    """The names a unit binds at its top level and those it needs from elsewhere."""

    binds: frozenset[str]
    needs: frozenset[str]


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
        return Defines(frozenset(), frozenset())
    try:
        tree = ast.parse(masked.code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        words = frozenset(word for word in _words(masked.code) if word.isidentifier())
        return Defines(frozenset(), words)
    binds: set[str] = set()
    needs: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                needs.add(name)
            case ast.Name(id=name):
                binds.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
                binds.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                binds.update((alias.asname or alias.name).split(".")[0] for alias in names)
            case (
                ast.Attribute(value=ast.Name(id=name), ctx=ast.Store()) | ast.Subscript(value=ast.Name(id=name), ctx=ast.Store())
            ):
                # df["x"] = … changes what df is for every later cell.
                binds.add(name)
    return Defines(frozenset(binds), frozenset(needs))


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
    """Return the cells before ``unit`` that bind what it needs: for each name the latest, and those that import it."""
    if isinstance(unit, str):
        return []
    last = min(unit, failure.error.cell) if isinstance(failure.unit, int) else unit
    before = [other for other in sorted((key for key in uses if isinstance(key, int)), reverse=True) if other < last]
    wanted = uses[unit].needs
    found: dict[int, None] = {}
    for name in sorted(wanted):
        definers = [other for other in before if name in uses[other].binds]
        for other in (*definers[:2], *definers[-1:]):
            found[other] = None
    # Near cells tell more about the state than far ones.
    return sorted(found, reverse=True)
