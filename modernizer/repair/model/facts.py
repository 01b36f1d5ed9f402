"""What a prompt may say about the installed packages and the live objects that the failing code touches."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import libcst as cst

from modernizer.magics import STAND_IN, mask
from modernizer.parsing import parse_python
from modernizer.repair.apply import program_names
from modernizer.repair.program import Key, Program
from modernizer.repair.recipe import Failure, Live
from modernizer.repair.scope import Names

_MOST_NAMES = 14
_MOST_PARAMETERS = 30
_MOST_COLUMNS = 24
_SAYING_NOTHING = frozenset({"method", "function", "builtin_function_or_method", "module", "type", "method-wrapper"})


class Installed(Protocol):
    """What is asked of the installed packages; ``modernizer.environment.installed.Installed`` answers."""

    def resolves(self, dotted: str) -> bool:
        """Tell whether a name exists."""

    def signature(self, dotted: str) -> Sequence[Any] | None:
        """Return a callable's parameters."""

    def doc_line(self, dotted: str) -> str | None:
        """Return the first line of a docstring."""

    def submodules(self, dotted: str) -> Sequence[str]:
        """Return the modules directly in a package."""


@dataclass(frozen=True)
class Known:
    """Facts in the order of their relevance, one line each."""

    symbols: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()


def known_facts(program: Program, failure: Failure, installed: Installed, live: Live | None) -> Known:
    """Describe the callables and objects of the failing statement, of the one that called it, then those of the failing unit."""
    source = program.sources().get(failure.unit, "")
    _, names = program_names(program)
    caller = caller_of(failure)
    called = chains_of(program.sources().get(caller[0], ""), caller[1]) if caller else ()
    everywhere = [
        *((chain, failure.unit) for chain in chains_of(source, failure.line)),
        *((chain, caller[0]) for chain in called if caller),
        *((chain, failure.unit) for chain in chains_of(source, None)),
    ]
    symbols: dict[str, None] = {}
    objects: dict[str, None] = {}
    for chain, unit in list(dict.fromkeys(everywhere))[:_MOST_NAMES]:
        dotted = _dotted(chain, names, unit)
        if dotted is not None:
            symbols[_symbol(dotted, installed)] = None
        elif live is not None and (line := _object(chain, live)):
            objects[line] = None
        elif live is not None and (method := _method(chain, live, installed)):
            symbols[method] = None
    imported = [name for name in imports_of(source, failure.line) if name not in symbols]
    symbols = {_symbol(name, installed): None for name in imported} | symbols
    about = failure.diagnosis.symbol or ""
    if "." in about and installed.resolves(about.partition(".")[0]):
        symbols[_symbol(about, installed)] = None
    return Known(tuple(line for line in symbols if line), tuple(objects))


def caller_of(failure: Failure) -> tuple[int, int | None] | None:
    """Return the cell and line that led to an error in another unit; None when the error is in the cell itself."""
    cell = failure.error.cell
    if cell == failure.unit:
        return None
    return cell, next((frame.line for frame in failure.error.frames if frame.cell == cell), None)


def chains_of(source: str, line: int | None) -> Iterator[str]:
    """Give the chains of names (``a.b.c``) of a unit, or of the innermost statement on a line."""
    masked = mask(source)
    try:
        tree: ast.AST = parse_python(masked.code if masked else "")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    if line is not None:
        statements = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno)
        ]
        if not statements:
            return
        tree = min(statements, key=lambda node: (node.end_lineno or node.lineno) - node.lineno)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load):
            text = ast.unparse(node)
            if all(part.isidentifier() for part in text.split(".")) and not text.startswith(STAND_IN):
                yield text


def imports_of(source: str, line: int | None) -> list[str]:
    """List what the import statements on a line name, as dotted names."""
    masked = mask(source)
    try:
        tree = parse_python(masked.code if masked else "")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    names: list[str] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom) or (line and not node.lineno <= line <= (node.end_lineno or line)):
            continue
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif node.module and not node.level:
            names += [f"{node.module}.{alias.name}" for alias in node.names if alias.name != "*"]
    return names


def _dotted(chain: str, names: Names, unit: Key) -> str | None:
    try:
        return names.qualified(cst.parse_expression(chain), unit)
    except cst.ParserSyntaxError:
        return None


def _symbol(dotted: str, installed: Installed) -> str:
    """Return one line about an installed name: its signature and what it is, or what there is instead."""
    if not installed.resolves(dotted):
        return f"{dotted}: does not exist{_instead(dotted, installed)}"
    parameters = installed.signature(dotted)
    doc = installed.doc_line(dotted) or ""
    if not any(char.isalpha() for char in doc) or doc.startswith(f"{dotted.rpartition('.')[2]}("):
        doc = ""  # an underlined title, or the signature once more
    if parameters is None:
        return f"{dotted}: {doc}" if doc and "." in dotted else ""
    return f"{dotted}({_parameters(parameters)})" + (f": {doc[:160]}" if doc else "")


def _instead(dotted: str, installed: Installed) -> str:
    """Name the modules that a missing one may have become."""
    parent, _, leaf = dotted.rpartition(".")
    while parent and not installed.resolves(parent):
        parent, _, leaf = parent.rpartition(".")
    if not parent:
        return ""
    modules = [name for name in installed.submodules(parent) if not name.startswith("_")]
    close = difflib.get_close_matches(leaf, modules, n=4, cutoff=0.5)
    listed = [*close, *(name for name in modules if name not in close)][:30]
    return f"; {parent} exists" + (f" and has the modules {', '.join(listed)}" if listed else "")


def _parameters(parameters: Iterable[Any]) -> str:
    """Write parameters as Python does: a star before keyword-only ones, defaults where there are."""
    written: list[str] = []
    starred = False
    for parameter in list(parameters)[:_MOST_PARAMETERS]:
        kind = str(parameter.kind).lower().replace("_", "-").replace(" ", "-")
        default = getattr(parameter, "default", None)
        if kind == "var-positional":
            written.append(f"*{parameter.name}")
            starred = True
        elif kind == "var-keyword":
            written.append(f"**{parameter.name}")
        else:
            if kind == "keyword-only" and not starred:
                written.append("*")
                starred = True
            written.append(parameter.name if default is None else f"{parameter.name}={str(default)[:40]}")
    return ", ".join(written)


def _object(chain: str, live: Live) -> str:
    """Describe a live object by its type and shape, never by its values."""
    about = live.describe(chain)
    if about is None or about.type_name in _SAYING_NOTHING:
        return ""
    parts = [about.type_name]
    if about.shape is not None:
        parts.append(f"shape {tuple(about.shape)}")
    elif about.length is not None:
        parts.append(f"length {about.length}")
    if about.dtype:
        parts.append(f"dtype {about.dtype}")
    if about.column_dtypes:
        columns = list(about.column_dtypes.items())
        shown = ", ".join(f"{name}: {dtype}" for name, dtype in columns[:_MOST_COLUMNS])
        parts.append(f"columns {shown}" + (f" and {len(columns) - _MOST_COLUMNS} more" if len(columns) > _MOST_COLUMNS else ""))
    return f"{chain}: {', '.join(parts)}"


def _method(chain: str, live: Live, installed: Installed) -> str:
    """Describe a method of a live object by its class; what the class does not have is said to be missing."""
    owner, _, name = chain.rpartition(".")
    about = live.describe(owner) if owner else None
    if about is None or "." not in about.type_name:
        return ""
    return _symbol(f"{about.type_name}.{name}", installed)
