"""Databases that nobody delivered: SQLite makes an empty file where there is none, and the first query finds no table."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from modernizer.verdict.diagnosis.case import Case
from modernizer.verdict.paths import normal
from modernizer.verdict.source import dotted, parse

_NO_TABLE = re.compile(r"no such table: (?:\w+\.)?(?P<table>\w+)")
_CONNECTS = frozenset({"sqlite3.connect", "sqlite3.dbapi2.connect"})
_URL = re.compile(r"sqlite:///(?P<path>[^?]+)")
_MAGIC = re.compile(r"^\s*%%?sql\s+sqlite:///(?P<path>[^\s?]+)", re.MULTILINE)


def missing_database(case: Case) -> str:
    """Name the SQLite file that a notebook reads and no one put there; empty when it makes its tables itself or has several."""
    match = _NO_TABLE.search(case.message)
    if match is None or _makes(match["table"], case):
        return ""
    paths = {path for cell in case.notebook.code_cells for path in _databases(cell.source, case)}
    names = {file.rpartition("/")[2] for file in case.files()}
    return next((path for path in paths if len(paths) == 1 and normal(path).rpartition("/")[2] not in names), "")


def _makes(table: str, case: Case) -> bool:
    """Tell whether a cell may create the table."""
    name = re.escape(table)
    making = re.compile(rf"\bcreate\s+(?:\w+\s+)*table\b[^;]*?\b{name}\b|\bto_sql\([^)]*['\"]{name}['\"]", re.IGNORECASE)
    return any(making.search(cell.source) for cell in case.notebook.code_cells)


def _databases(source: str, case: Case) -> Iterator[str]:
    yield from (match["path"] for match in _MAGIC.finditer(source))
    tree = parse(source)
    for node in ast.walk(tree) if tree else ():
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name, given = case.qualified(dotted(node.func)), node.args[0]
        if not isinstance(given, ast.Constant) or not isinstance(given.value, str):
            continue
        if name in _CONNECTS and not given.value.startswith((":memory:", "file:")) and given.value:
            yield given.value
        elif name.endswith("create_engine") and (url := _URL.fullmatch(given.value)) and url["path"] != ":memory:":
            yield url["path"]
