"""A code cell as Python: magics masked, Python 2 told from nonsense, import aliases resolved."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable
from functools import lru_cache

from fissix import pygram, pytree
from fissix.pgen2 import driver
from fissix.pgen2.parse import ParseError
from fissix.pgen2.tokenize import TokenError

from modernizer.magics import plain
from modernizer.parsing import parse_python

_CELL_MAGIC = re.compile(r"^%%\s*([\w.]+)")


def cell_magic(source: str) -> str:
    """Name the cell magic that a cell starts with, or return an empty string."""
    match = _CELL_MAGIC.match(source.lstrip("\n "))
    return match.group(1) if match else ""


def masked(source: str) -> str:
    """Return a cell as Python that can be read: magics masked, other languages blank; line numbers stay the same."""
    return plain(source)


@lru_cache(maxsize=4096)
def parse(source: str) -> ast.Module | None:
    """Parse a code cell, or return None when it isn't Python 3."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # SyntaxWarning about escapes in old strings
        try:
            return parse_python(masked(source))
        except (SyntaxError, ValueError, RecursionError):
            return None


@lru_cache(maxsize=1024)
def is_python2(source: str) -> bool:
    """Tell whether a cell that isn't Python 3 is valid Python 2."""
    if parse(source) is not None:
        return False
    reader = driver.Driver(pygram.python_grammar, convert=pytree.convert)
    try:
        reader.parse_string(masked(source) + "\n")
    except (ParseError, TokenError, IndentationError, SyntaxError, ValueError, AttributeError, RecursionError):
        return False
    return True


def import_aliases(sources: Iterable[str]) -> dict[str, str]:
    """Map each imported name of the cells to what it stands for: ``np`` to ``numpy``, ``KFold`` to its dotted name."""
    aliases: dict[str, str] = {}
    for source in sources:
        tree = parse(source)
        for node in ast.walk(tree) if tree else ():
            if isinstance(node, ast.Import):
                for name in node.names:
                    aliases[name.asname or name.name.split(".")[0]] = name.name if name.asname else name.name.split(".")[0]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                aliases.update(
                    {name.asname or name.name: f"{node.module}.{name.name}" for name in node.names if name.name != "*"}
                )
        if tree is None:
            aliases.update(_aliases_by_line(source))
    return aliases


_IMPORT_AS = re.compile(r"^\s*import\s+([\w.]+)(?:\s+as\s+(\w+))?\s*$", re.MULTILINE)
_FROM_IMPORT = re.compile(r"^\s*from\s+([\w.]+)\s+import\s+\(?([\w, ]+)\)?\s*$", re.MULTILINE)


def _aliases_by_line(source: str) -> dict[str, str]:
    """Read the imports of a cell that Python 3 can't parse."""
    found = {(alias or name.split(".")[0]): (name if alias else name.split(".")[0]) for name, alias in _IMPORT_AS.findall(source)}
    for module, names in _FROM_IMPORT.findall(source):
        for part in names.split(","):
            name, _, alias = (word.strip() for word in part.partition(" as "))
            if name:
                found[alias or name] = f"{module}.{name}"
    return found


def dotted(node: ast.expr) -> str:
    """Spell a chain of names and attributes, ``plt.cm.get_cmap``; empty for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def qualified(name: str, aliases: dict[str, str]) -> str:
    """Resolve the first part of a dotted name by the import aliases."""
    head, _, rest = name.partition(".")
    full = aliases.get(head, head)
    return f"{full}.{rest}" if rest else full
