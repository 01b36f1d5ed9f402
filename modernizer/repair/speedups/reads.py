"""The same unchanged file read again by the same call: read once, copied afterwards."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import ClassVar

import libcst as cst

from modernizer.repair.program import Key
from modernizer.repair.recipe import Scope, Unit
from modernizer.repair.syntax import argument, code, string

_READERS = frozenset(f"pandas.{name}" for name in ("read_csv", "read_table", "read_excel", "read_parquet", "read_feather"))
# These give something else than one frame, or depend on more than the file.
_REFUSED = frozenset({"iterator", "chunksize", "converters", "date_parser", "storage_options"})
# Whatever may change a file or start what does: between two reads none of it may stand.
_WRITES = re.compile(
    r"\.to_(?!numpy|datetime|frame|list|dict|numeric|period|timestamp|timedelta|records|series)\w*\(|\bopen\(|write|save|dump"
    r"|shutil|subprocess|\bos\b|system|pathlib|Path\(|unlink|remove|rename|replace_file|urlretrieve|download|extract|\bexec\b|\beval\b"
    r"|_modernizer_magic_",
)
_Read = tuple[int, str, str]
"""The place of a statement in its cell, the name it binds, and the call as written."""


def _reads(unit: Unit, scope: Scope) -> list[_Read]:
    """List the reads at a cell's top level: ``name = pd.read_csv('file.csv', ...)`` with literal arguments only."""
    found = []
    for place, statement in enumerate(unit.tree.body if unit.tree else ()):
        if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
            continue
        assign = statement.body[0]
        if not isinstance(assign, cst.Assign) or len(assign.targets) != 1 or not isinstance(assign.value, cst.Call):
            continue
        target = assign.targets[0].target
        if isinstance(target, cst.Name) and _is_read(assign.value, scope):
            found.append((place, target.value, _normal(assign.value, scope)))
    return found


def _is_read(call: cst.Call, scope: Scope) -> bool:
    if scope.qualified(call.func) not in _READERS or not call.args or call.args[0].keyword:
        return False
    path = string(call.args[0].value)
    if path is None or "://" in path or any(arg.star or not _is_literal(arg.value) for arg in call.args):
        return False
    if any(arg.keyword and arg.keyword.value in _REFUSED for arg in call.args):
        return False
    sheet = argument(call, "sheet_name", 1) if code(call.func).endswith("read_excel") else None
    return sheet is None or isinstance(sheet.value, cst.SimpleString | cst.Integer)


def _is_literal(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.List | cst.Tuple):
        return all(_is_literal(element.value) for element in node.elements)
    if isinstance(node, cst.Dict):
        return all(
            isinstance(element, cst.DictElement) and _is_literal(element.key) and _is_literal(element.value)
            for element in node.elements
        )
    if isinstance(node, cst.Name):
        return node.value in {"True", "False", "None"}
    return isinstance(node, cst.SimpleString | cst.Integer | cst.Float)


def _normal(call: cst.Call, scope: Scope) -> str:
    args = (f"{arg.keyword.value if arg.keyword else ''}={code(arg.value)}" for arg in call.args)
    return f"{scope.qualified(call.func)}({', '.join(args)})"


class RepeatedReads:
    """The recipe, for the slow cells of one notebook; the first read of a file is touched too, to keep what it read."""

    name: ClassVar[str] = "read-once"
    summary: ClassVar[str] = "A file that did not change in between is read once and copied afterwards."
    since: ClassVar[str] = ""
    source: ClassVar[str] = ""
    words: ClassVar[frozenset[str]] = frozenset()
    order: ClassVar[int] = 50
    confirmed: ClassVar[bool] = True
    at_end: ClassVar[bool] = False

    def __init__(self, slow: Collection[Key]) -> None:
        """Take the slow cells."""
        self._slow = slow

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:  # noqa: ARG002 (see rewrite_all)
        """Change nothing: all cells must be seen together."""
        return None

    def rewrite_all(self, units: Mapping[Key, Unit], scope: Scope) -> dict[Key, str]:
        """Return the new sources of the cells that read a file first and again."""
        if any(isinstance(key, str) and _WRITES.search(unit.source) for key, unit in units.items()):
            return {}
        cells = [unit for key, unit in units.items() if isinstance(key, int)]
        places: dict[str, list[tuple[Unit, int, str]]] = defaultdict(list)
        for unit in cells:
            here = _seen_from(scope, unit.key)
            for place, name, call in _reads(unit, here):
                places[call].append((unit, place, name))
        edits: dict[Key, dict[int, list[str]]] = defaultdict(dict)
        for call, reads in places.items():
            first, *later = reads
            again = [one for one in later if one[0].key in self._slow and one[0] is not first[0]]
            again = [one for one in again if not _changed_between(cells, first[0], one[0])]
            if not again:
                continue
            kept = _free_name(scope, first[2])
            edits[first[0].key][first[1]] = ["", f"{kept} = {first[2]}.copy()"]
            for unit, place, name in again:
                edits[unit.key][place] = [f"{name} = {kept}.copy()"]
            scope.note(call.replace("pandas.", "", 1).replace("(=", "(", 1).replace(", =", ", "))
        return {key: _edited(units[key], changes) for key, changes in edits.items()}


def _seen_from(scope: Scope, unit: Key) -> Scope:
    return Scope(unit, scope.names, scope.installed)


def _changed_between(cells: list[Unit], first: Unit, last: Unit) -> bool:
    """Tell whether a file may be written between two cells, both included; code of another language may do anything."""
    between = cells[cells.index(first) : cells.index(last) + 1]
    return any(unit.masked is None or _WRITES.search(unit.masked.code) is not None for unit in between)


def _free_name(scope: Scope, name: str) -> str:
    kept = f"{name}_as_read"
    while scope.names.mentions(kept):
        kept += "_"
    return kept


def _edited(unit: Unit, changes: Mapping[int, list[str]]) -> str:
    """Replace statements; a change that begins with an empty text stands behind the statement instead."""
    assert unit.tree is not None  # noqa: S101 (a read was found in it)
    assert unit.masked is not None  # noqa: S101 (as above)
    body: list[cst.CSTNode] = []
    for place, statement in enumerate(unit.tree.body):
        new = changes.get(place)
        if new is None or not isinstance(statement, cst.SimpleStatementLine):
            body.append(statement)
        elif not new[0]:
            body += [statement, cst.parse_statement(new[1])]
        else:
            replaced = cst.parse_statement(new[0])
            body.append(
                replaced.with_changes(leading_lines=statement.leading_lines, trailing_whitespace=statement.trailing_whitespace)
            )
    return unit.masked.unmask(unit.tree.with_changes(body=body).code)
