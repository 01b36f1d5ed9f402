"""Resources of nltk that a notebook reads and doesn't have: downloaded as its error asks, where the network is allowed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import libcst as cst
import libcst.matchers as m

from modernizer.repair.imports import add_imports
from modernizer.repair.program import Key
from modernizer.repair.recipe import Codemod, Scope, Unit
from modernizer.repair.scope import dotted_name
from modernizer.repair.syntax import argument, code, string

_ASKED = re.compile(r"nltk\.download\((?:\x1b\[[\d;]*m)?'([\w-]+)'")
_DOWNLOADS = frozenset({"nltk.download", "nltk.downloader.download"})
# Pickled models were replaced by plain files under other names in nltk 3.8.2 and 3.9.
_OLD_NAMES = {
    "punkt_tab": "punkt",
    "averaged_perceptron_tagger_eng": "averaged_perceptron_tagger",
    "averaged_perceptron_tagger_rus": "averaged_perceptron_tagger",
    "maxent_ne_chunker_tab": "maxent_ne_chunker",
    "tagsets_json": "tagsets",
}


class _Downloads(Codemod):
    """Let the first download of a model's old name bring the new one too."""

    resource: ClassVar[str]

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.done = False

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        if self.done or self.scope.qualified(original_node.func) not in _DOWNLOADS:
            return updated_node
        given = argument(updated_node, "info_or_id", 0)
        old = _OLD_NAMES.get(self.resource)
        if given is None or old not in _names(given.value):
            return updated_node
        self.done = True
        self.scope.note(f"{self.resource} with {old}")
        before = given.value.elements if isinstance(given.value, cst.List) else [cst.Element(given.value)]
        # First, as the downloader stops at the first that it can't have.
        both = cst.List([cst.Element(cst.SimpleString(repr(self.resource))), *before])
        args = [arg.with_changes(value=both) if arg is given else arg for arg in updated_node.args]
        return updated_node.with_changes(args=args)


def _names(node: cst.BaseExpression) -> list[str | None]:
    listed = [element.value for element in node.elements] if isinstance(node, cst.List) else [node]
    return [string(one) for one in listed]


class NltkResources:
    """Resources that are downloaded."""

    name: ClassVar[str] = "nltk-download"
    summary: ClassVar[str] = (
        "nltk has its models and corpora by other names since 3.9, or not at all; the notebook downloads this one."
    )
    since: ClassVar[str] = "nltk 3.8.2"
    source: ClassVar[str] = "nltk's own error, and its change log 3.8.2 and 3.9 (punkt_tab and the like)"
    words: ClassVar[frozenset[str]] = frozenset({"nltk"})
    order: ClassVar[int] = 50
    confirmed: ClassVar[bool] = False
    at_end: ClassVar[bool] = False
    fetches: ClassVar[str] = "nltk's resources, by its downloader"

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Rewrite one unit by itself."""
        return self.rewrite_all({unit.key: unit}, scope).get(unit.key)

    def rewrite_all(self, units: Mapping[Key, Unit], scope: Scope) -> dict[Key, str]:
        """Extend the download of the old name, or put one behind the first import of nltk."""
        failure = scope.failure
        asked = _ASKED.search(failure.error.message) if failure and failure.error.name == "LookupError" else None
        if asked is None or any(_downloads(asked[1], unit) for unit in units.values()):
            return {}
        codemod = type("_DownloadsOfOne", (_Downloads,), {"resource": asked[1]})
        for key, unit in units.items():
            if unit.tree is None or unit.masked is None or "download" not in unit.source:
                continue
            changed = unit.tree.visit(codemod(replace(scope, unit=key)))
            if not changed.deep_equals(unit.tree):
                return {key: unit.masked.unmask(changed.code)}
        return _with_download(asked[1], units, scope)


def _downloads(resource: str, unit: Unit) -> bool:
    """Tell whether a unit speaks of a download of the resource, in a call or on a line for the shell."""
    if re.search(rf"\bdownload\w*\b[^\n]*\b{re.escape(resource)}\b", unit.source):
        return True
    calls = m.findall(unit.tree, m.Call()) if unit.tree is not None and resource in unit.source else ()
    return any(
        "download" in code(call.func) and re.search(rf"\b{re.escape(resource)}\b", code(call))
        for call in calls
        if isinstance(call, cst.Call)
    )


def _with_download(resource: str, units: Mapping[Key, Unit], scope: Scope) -> dict[Key, str]:
    """Insert a download behind the first import of nltk, cells before modules; else among the imports of the failing cell."""
    ordered = sorted(units.items(), key=lambda item: (isinstance(item[0], str), item[0]))
    found = ((key, unit, place) for key, unit in ordered if (place := _import_of_nltk(unit)) is not None)
    failing = scope.failure.unit if scope.failure else 0
    key, unit, place = next(found, (failing, units.get(failing), None))
    if unit is None or unit.tree is None or unit.masked is None or _is_taken(scope):
        return {}
    own = replace(scope, unit=key, imports=[])
    function = "nltk.download" if place is None else own.reference("nltk.download")
    scope.note(f"nltk.download({resource!r})")
    line = cst.parse_statement(f"{function}({resource!r})")
    if place is None:
        tree = add_imports(unit.tree, ["import nltk"])
        place = next(at for at, statement in enumerate(tree.body) if code(statement).strip() == "import nltk") + 1
        tree = tree.with_changes(body=[*tree.body[:place], line, *tree.body[place:]])
    else:
        tree = unit.tree.with_changes(body=[*unit.tree.body[:place], line, *unit.tree.body[place:]])
        tree = add_imports(tree, own.imports)
    return {key: unit.masked.unmask(tree.code)}


def _is_taken(scope: Scope) -> bool:
    """Tell whether the program calls something else by the name of nltk."""
    bindings = (binding for names in scope.names.bindings.values() for binding in names.get("nltk", ()))
    return any(binding.imported is None or binding.imported.partition(".")[2] for binding in bindings)


def _import_of_nltk(unit: Unit) -> int | None:
    """Return the place behind a unit's first import of nltk."""
    for place, statement in enumerate(unit.tree.body if unit.tree else ()):
        if not m.matches(statement, m.SimpleStatementLine()):
            continue
        for node in m.findall(statement, m.Import() | m.ImportFrom()):
            names = [dotted_name(alias.name) or "" for alias in node.names] if isinstance(node, cst.Import) else []
            names += [dotted_name(node.module) or ""] if isinstance(node, cst.ImportFrom) and node.module else []
            if any(name.partition(".")[0] == "nltk" for name in names):
                return place + 1
    return None


RECIPES = (NltkResources(),)
