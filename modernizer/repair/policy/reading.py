"""A unit of code as rules see it: a tree in which names stand for what they mean, its statements and its calls."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from modernizer.magics import Masked, mask
from modernizer.parsing import parse_python
from modernizer.repair.policy.expressions import copied
from modernizer.repair.policy.renames import Renames
from modernizer.repair.recipes.python2 import convert

STAND_IN = re.compile(r"_modernizer_magic_(\d+)_$")
_NESTED = "(...)"


@dataclass(frozen=True)
class Call:
    """A call: the last name of what is called, its dotted name when imports tell it, and what stands around it."""

    node: ast.Call
    leaf: str
    dotted: str
    shape: str
    around: tuple[str, ...]

    @property
    def line(self) -> int:
        """Its line in the unit."""
        return self.node.lineno


@dataclass(frozen=True)
class Statement:
    """A simple statement, or the head of a compound one."""

    node: ast.AST
    shape: str
    line: int
    around: tuple[str, ...]


@dataclass(frozen=True)
class Code:
    """One unit on one side of an edit; ``tree`` is None when it is not Python, not even Python 2."""

    source: str
    masked: Masked | None
    tree: ast.Module | None
    valid: bool
    renames: Renames = field(default_factory=Renames, repr=False)
    imports: Mapping[str, str] = field(default_factory=dict, repr=False)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of the tree."""
        return tuple(ast.walk(self.tree)) if self.tree else ()

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """All statements in document order."""
        return tuple(_statements(self.tree.body, ())) if self.tree else ()

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """All calls."""
        return tuple(_calls(self.tree, ())) if self.tree else ()


def parse(source: str) -> tuple[Masked | None, ast.Module | None, bool]:
    """Parse a unit; the flag tells whether it is valid Python 3 (Python 2 is converted first)."""
    masked = mask(source)
    if masked is None:
        return None, None, True
    tree = _tree(masked.code)
    valid = tree is not None
    if tree is None and (converted := convert(masked.code)) is not None:
        tree = _tree(converted)
    return masked, tree, valid


def _tree(code: str) -> ast.Module | None:
    try:
        return parse_python(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def read(source: str, renames: Renames, shared: Mapping[str, str]) -> Code:
    """Read a unit; ``shared`` are the imports of the units it shares its names with."""
    masked, tree, valid = parse(source)
    if tree is None:
        return Code(source, masked, None, valid, renames, shared)
    imports = {**shared, **imported(tree)}
    hidden = masked.hidden if masked else ()
    return Code(source, masked, canonical(tree, renames, imports, hidden), valid, renames, imports)


def imported(tree: ast.AST) -> dict[str, str]:
    """Map the names that imports bind to what they mean."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name.split(".")[0]] = alias.name if alias.asname else alias.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names if alias.name != "*"}
    return found


def canonical(tree: ast.Module, renames: Renames, imports: Mapping[str, str], hidden: tuple[str, ...] = ()) -> ast.Module:
    """Replace, in place, chains of names that imports resolve by one name, and stand-ins by the magics that they hide."""
    found: ast.Module = _Canonical(renames, imports, hidden).visit(tree)
    return found


class _Canonical(ast.NodeTransformer):
    """Replace chains of names that imports resolve by one name, and stand-ins by the magics that they hide."""

    def __init__(self, renames: Renames, imports: Mapping[str, str], hidden: tuple[str, ...]) -> None:
        self._renames = renames
        self._imports = imports
        self._hidden = hidden

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if magic := STAND_IN.match(node.id):
            node.id = self._hidden[int(magic[1])]
        elif node.id in self._imports and isinstance(node.ctx, ast.Load):
            node.id = self._renames.canonical(self._imports[node.id])
        elif node.id == "raw_input":
            node.id = "input"
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        chain = _chain(node)
        if chain and chain[0] in self._imports:
            dotted = ".".join([self._imports[chain[0]], *chain[1:]])
            if isinstance(node.ctx, ast.Load):
                dotted = self._renames.canonical(dotted)
            return ast.copy_location(ast.Name(dotted, node.ctx), node)
        return self.generic_visit(node)


def _chain(node: ast.AST) -> list[str]:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return [node.id, *reversed(parts)] if isinstance(node, ast.Name) else []


def shape(node: ast.AST) -> str:
    """Write a node as text with the calls inside it left out, so that each call is compared by itself."""
    return ast.dump(_Elided(node).visit(copied(node)))


class _Elided(ast.NodeTransformer):
    def __init__(self, root: ast.AST) -> None:
        self._root_seen = not isinstance(root, ast.Call)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if self._root_seen:
            return ast.Name(_NESTED, ast.Load())
        self._root_seen = True
        return self.generic_visit(node)


def called(node: ast.Call) -> tuple[str, str]:
    """Return the last name of what is called, and its dotted name when it is known (or a plain name)."""
    if isinstance(node.func, ast.Name):
        return node.func.id.rpartition(".")[2], node.func.id
    return (node.func.attr, "") if isinstance(node.func, ast.Attribute) else ("", "")


def _calls(node: ast.AST, around: tuple[str, ...]) -> Iterator[Call]:
    if isinstance(node, ast.Call):
        leaf, dotted = called(node)
        yield Call(node, leaf, dotted, shape(node), around)
    for name, value in ast.iter_fields(node):
        children = value if isinstance(value, list) else [value]
        for index, child in enumerate(children):
            if isinstance(child, ast.AST):
                yield from _calls(child, around + _context(node, name, index))


def _context(node: ast.AST, name: str, index: int) -> tuple[str, ...]:  # noqa: PLR0911 (one answer for each kind of node)
    """Tell which condition a child of a node stands under."""
    if isinstance(node, ast.If | ast.IfExp | ast.While) and name in {"body", "orelse"}:
        return ("a condition",)
    if isinstance(node, ast.Try | ast.TryStar) and name in {"body", "handlers", "orelse"}:
        return ("try" if name != "handlers" else "except",)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and name == "body":
        return (f"the definition of {node.name}",)
    if isinstance(node, ast.Lambda) and name == "body":
        return ("a lambda",)
    if isinstance(node, ast.BoolOp) and name == "values" and index:
        return ("a condition",)
    if isinstance(node, ast.Match) and name == "cases":
        return ("a condition",)
    if isinstance(node, ast.For | ast.AsyncFor) and name == "body":
        return ("a loop",)
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) and name in {"elt", "key", "value"}:
        return ("a comprehension",)
    return ()


def _statements(body: list[ast.stmt], around: tuple[str, ...]) -> Iterator[Statement]:
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            continue
        alone = head(node)
        yield Statement(alone, ast.dump(alone), node.lineno, around)
        for name, value in ast.iter_fields(node):
            if not isinstance(value, list):
                continue
            inside = around + _context(node, name, 0)
            nested = [item for item in value if isinstance(item, ast.stmt)]
            yield from _statements(nested, inside)
            for item in value:
                if isinstance(item, ast.ExceptHandler | ast.match_case):
                    yield from _statements(item.body, inside)


def head(node: ast.stmt) -> ast.AST:
    """Return a statement without the statements inside it."""
    if not hasattr(node, "body"):
        return node
    fields: dict[str, Any] = {
        name: value for name, value in ast.iter_fields(node) if name not in {"body", "orelse", "finalbody", "cases"}
    }
    if isinstance(node, ast.Try | ast.TryStar):
        fields["handlers"] = [
            ast.copy_location(ast.ExceptHandler(handler.type, handler.name, []), handler) for handler in node.handlers
        ]
    empty: dict[str, Any] = {name: [] for name in ("body", "orelse", "finalbody", "cases") if name in node._fields}
    return ast.copy_location(type(node)(**fields, **empty), node)
