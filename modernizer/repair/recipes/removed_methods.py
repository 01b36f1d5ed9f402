"""Methods and attributes that classes lost: one table (removed_methods.toml), one codemod."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

import libcst as cst

from modernizer.repair.expressions import bind, filled
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.release_notes import release_notes

_PACKAGES = {"np": "numpy", "pd": "pandas", "nx": "networkx", "html": "html"}
_PLAIN_DTYPES = ("int", "uint", "float", "bool", "complex", "object", "datetime64[ns]", "datetime64[us]")


@dataclass(frozen=True)
class Removed:
    """One row of the table; see there for what the fields mean."""

    name: str
    of: frozenset[str]
    distinctive: bool = False
    rename: str = ""
    via: str = ""
    attribute: str = ""
    parameters: tuple[str, ...] = ()
    forms: Mapping[str, str] = field(default_factory=dict)
    since: str = ""

    @property
    def source(self) -> str:
        """Return where the removal is written."""
        return release_notes(min(self.of), self.since)

    @property
    def called(self) -> bool:
        """Tell whether the row speaks of a call's arguments."""
        return bool(self.forms)


@cache
def removed() -> Mapping[str, tuple[Removed, ...]]:
    """Return the table by method name."""
    text = resources.files(__package__).joinpath("removed_methods.toml").read_text(encoding="utf-8")
    rows: dict[str, list[Removed]] = defaultdict(list)
    for row in tomllib.loads(text)["method"]:
        made = Removed(**row | {"of": frozenset(row["of"]), "parameters": tuple(row.get("parameters", ()))})
        rows[made.name].append(made)
    return {name: tuple(found) for name, found in rows.items()}


class _RemovedMethods(ReceiverCodemod):
    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        row = self._row(original_node)
        if row is None or row.called:
            return updated_node
        if row.rename:
            self.scope.note(f".{row.name} → .{row.rename}", row.source)
            return updated_node.with_changes(attr=cst.Name(row.rename))
        if row.via:
            array = self._array(original_node.value)
            self.scope.note(f".{row.name} → .{array}.{row.name}", row.source)
            return updated_node.with_changes(value=filled(f"{{self}}.{array}", {"self": updated_node.value}))
        self.scope.note(f".{row.name} → {_shown(row.attribute)}", row.source)
        return filled(row.attribute, {"self": updated_node.value, **self._modules(row.attribute)})

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802
        if not isinstance(original_node.func, cst.Attribute) or not isinstance(updated_node.func, cst.Attribute):
            return updated_node
        row = self._row(original_node.func)
        if row is None or not row.called:
            return updated_node
        bound = bind(updated_node.args, row.parameters)
        template = None if bound is None else row.forms.get(",".join(name for name in row.parameters if name in bound))
        if bound is None or template is None:
            return updated_node
        parts: dict[str, cst.BaseExpression | str] = {**bound, "self": updated_node.func.value, **self._modules(template)}
        self.scope.note(f".{row.name}() → {_shown(template)}", row.source)
        return filled(template, parts)

    def _modules(self, template: str) -> dict[str, str]:
        return {short: self.scope.reference(package) for short, package in _PACKAGES.items() if f"{{{short}}}" in template}

    def _row(self, node: cst.Attribute) -> Removed | None:
        for row in removed().get(node.attr.value, ()):
            receiver = _accessor(node.value) or ""
            if receiver in row.of and not self.scope.installed.resolves(f"{receiver}.{row.name}"):
                return row
            if self.lacks(node.value, row.name, row.of, distinctive=row.distinctive):
                return row
        return None

    def _array(self, receiver: cst.BaseExpression) -> str:
        """Name what gives the numpy array of a series: ``values`` is an extension array for text and categories."""
        live = self.describe(receiver)
        return "values" if live is None or live.dtype is None or live.dtype.startswith(_PLAIN_DTYPES) else "to_numpy()"


def _accessor(node: cst.BaseExpression) -> str | None:
    """Name the accessor that an expression spells: ``x.dt`` has the date properties of any series."""
    return "pandas.Series.dt" if isinstance(node, cst.Attribute) and node.attr.value == "dt" else None


def _shown(template: str) -> str:
    return template.removeprefix("{self}").replace("{", "").replace("}", "")


class RemovedMethods(FailureRecipe):
    """Methods and attributes that were removed from their class."""

    name = "removed-method"
    summary = "A method or attribute was removed from its class; what gives the same result stands in its place."
    since = ""
    source = "the release notes of each, see below"
    errors = frozenset({"AttributeError"})
    codemod = _RemovedMethods

    @property
    def words(self) -> frozenset[str]:  # type: ignore[override]
        """The names in the table."""
        return frozenset(f".{name}" for name in removed())


RECIPES = (RemovedMethods(),)
