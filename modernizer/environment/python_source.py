"""Finds the imports of one piece of notebook code, whatever it is: Python 3 or 2, with magics, or broken in places."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from modernizer.magics import plain
from modernizer.parsing import parse_python

# A module that a cell writes is imported later.
_WRITTEN = frozenset({"writefile", "file"})
_IMPORT = re.compile(r"^\s*(?:[^#]*;\s*)?import\s+(?P<names>[\w., \t]+)")
_FROM = re.compile(r"^(?P<indent>\s*)(?:[^#]*;\s*)?from\s+(?P<dots>\.*)(?P<module>[\w.]*)\s+import\s+\(?(?P<names>[\w., \t*]*)")
_TRY = re.compile(r"^(\s*)(?:try|except)\b.*:\s*(?:#.*)?$")
_DYNAMIC = {"import_module", "__import__"}
_FORGIVING = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


@dataclass(frozen=True)
class Import:
    """One imported module, dotted; ``level`` counts the dots of a relative import.

    ``names`` are what a from-import takes from the module. An ``optional`` one stands where its failure is caught.
    """

    module: str
    names: tuple[str, ...] = ()
    level: int = 0
    optional: bool = False

    @property
    def dotted(self) -> tuple[str, ...]:
        """The module and, for a from-import, each of its names beneath it: any of them may be a module."""
        inner = tuple(f"{self.module}.{name}" if self.module else name for name in self.names if name != "*")
        return (self.module, *inner) if self.module else inner


def imports_of(source: str) -> tuple[Import, ...]:
    """Return the imports in a piece of code; lines that are not Python are passed over."""
    plain = mask_magics(source)
    tree = _parse(plain)
    return tuple(_walk(tree.body, optional=False)) if tree else tuple(_by_line(plain))


def mask_magics(source: str) -> str:
    """Mask magic, shell and help lines, so that the lines keep their numbers; what cells write counts as code."""
    return plain(source, also=_WRITTEN)


def _parse(source: str) -> ast.Module | None:
    with warnings.catch_warnings():
        # Old code is full of invalid escapes; they are the notebook's affair.
        warnings.simplefilter("ignore")
        try:
            return parse_python(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _walk(nodes: Iterable[ast.AST], *, optional: bool) -> Iterator[Import]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, optional=optional) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield Import(node.module or "", tuple(alias.name for alias in node.names), node.level, optional)
        elif isinstance(node, ast.Try | ast.TryStar):
            forgiving = optional or any(_forgives(handler) for handler in node.handlers)
            yield from _walk(node.body, optional=forgiving)
            yield from _walk((*node.handlers, *node.orelse, *node.finalbody), optional=forgiving)
        else:
            if isinstance(node, ast.Call) and (name := _dynamic(node)):
                yield Import(name, optional=optional)
            yield from _walk(ast.iter_child_nodes(node), optional=optional)


def _forgives(handler: ast.ExceptHandler) -> bool:
    """Tell whether an except clause catches a failed import."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or (isinstance(kind, ast.Name) and kind.id in _FORGIVING) for kind in kinds)


def _dynamic(call: ast.Call) -> str:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""
    first = call.args[0] if call.args else None
    if name in _DYNAMIC and isinstance(first, ast.Constant) and isinstance(first.value, str) and first.value.strip("."):
        return first.value if not first.value.startswith(".") else ""
    return ""


def _by_line(source: str) -> Iterator[Import]:
    """Read imports line by line from code that no Python 3 parser accepts."""
    tries: list[int] = []
    for line in source.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        indent = len(line) - len(line.lstrip())
        tries = [depth for depth in tries if depth < indent]
        if opened := _TRY.match(line):
            tries.append(len(opened[1]))
        elif found := _FROM.match(line):
            names = tuple(name.split()[0] for name in found["names"].split(",") if name.split())
            if found["module"] or found["dots"]:
                yield Import(found["module"], names, len(found["dots"]), bool(tries))
        elif found := _IMPORT.match(line):
            names = tuple(name.split()[0] for name in found["names"].split(",") if name.split())
            yield from (Import(name, optional=bool(tries)) for name in names if name.strip("."))
