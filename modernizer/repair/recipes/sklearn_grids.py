"""Parameter grids: what changed for an estimator's arguments holds for the keys and values of its grid too.

Some fits of a search may fail without an error, so grids are changed by what the search's estimator is, not by a failure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

import libcst as cst
import libcst.matchers as m

from modernizer.repair.program import Key
from modernizer.repair.recipe import Codemod, Scope, Unit
from modernizer.repair.recipes.arguments import Change, accepted, changes
from modernizer.repair.searches import Grid, bound, estimator_of, grids
from modernizer.repair.syntax import argument, keyword_names, literal, plus, quoted_like, string

_LOGISTIC = "sklearn.linear_model.LogisticRegression"
# Arguments that are counts, and functions that give floats.
_COUNTS = frozenset(
    [
        "max_depth",
        "n_estimators",
        "n_neighbors",
        "max_leaf_nodes",
        "n_components",
        "n_clusters",
        "degree",
        "max_iter",
        "leaf_size",
        "k",
    ]
)
_OLD_WRAPPED = "base_estimator__"
_FLOATS = frozenset({"numpy.linspace", "numpy.logspace", "numpy.geomspace"})


@dataclass
class _Found:
    """What the program's searches show: the class that an element of a grid speaks of, and the models to give a solver."""

    owners: dict[cst.DictElement, str] = field(default_factory=dict)
    liblinear: set[cst.Call] = field(default_factory=set)
    wrappers: dict[cst.DictElement, str] = field(default_factory=dict)


def _look_at(grid: Grid, scope: Scope, found: _Found) -> None:
    own = replace(scope, unit=grid.unit)
    keys = {string(element.key) or "": element for element in grid.node.elements if isinstance(element, cst.DictElement)}
    for key, element in keys.items():
        path, _, name = key.rpartition("__")
        if key.startswith(_OLD_WRAPPED):
            wrapper = estimator_of(grid.estimator, [], own)
            owner = own.qualified(wrapper.func) if wrapper is not None else None
            if owner is not None:
                found.wrappers[element] = owner
        call = estimator_of(grid.estimator, path.split("__") if path else [], own)
        qualified = own.qualified(call.func) if call is not None else None
        if call is None or qualified is None:
            continue
        found.owners[element] = qualified
        solved = "solver" in keyword_names(call) or key.replace("penalty", "solver") in keys
        if qualified == _LOGISTIC and name == "penalty" and not solved and _has_l1(element.value):
            found.liblinear.add(call)


def _has_l1(values: cst.BaseExpression) -> bool:
    return isinstance(values, cst.List | cst.Tuple) and any(string(element.value) == "l1" for element in values.elements)


class _Keys(Codemod):
    """Change the grids found, and counts that a validation curve varies."""

    def __init__(self, scope: Scope, found: _Found) -> None:
        super().__init__(scope)
        self.found = found

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        if original_node in self.found.liblinear and self.scope.at_least("scikit-learn", "0.22"):
            self.scope.note("solver='liblinear', the default before")
            return plus(updated_node, solver="'liblinear'")
        if self.scope.qualified(original_node.func) != "sklearn.model_selection.validation_curve":
            return updated_node
        name, values = argument(updated_node, "param_name", 3), argument(updated_node, "param_range", 4)
        if name is None or values is None or (string(name.value) or "").rpartition("__")[2] not in _COUNTS:
            return updated_node
        args = [arg.with_changes(value=self._whole(arg.value)) if arg is values else arg for arg in updated_node.args]
        return updated_node.with_changes(args=args)

    def leave_Dict(self, original_node: cst.Dict, updated_node: cst.Dict) -> cst.Dict:  # noqa: N802
        elements: list[cst.BaseDictElement] = []
        touched = False
        for before, element in zip(original_node.elements, updated_node.elements, strict=True):
            owner = self.found.owners.get(before) if isinstance(before, cst.DictElement) else None
            new = self._changed(element, owner) if isinstance(element, cst.DictElement) and owner else element
            if isinstance(new, cst.DictElement) and isinstance(before, cst.DictElement):
                new = self._unwrapped(new, self.found.wrappers.get(before))
            touched = touched or new is not element
            if new is not None:
                elements.append(new)
        if not touched:
            return updated_node
        if elements and len(elements) < len(updated_node.elements):
            elements[-1] = elements[-1].with_changes(comma=updated_node.elements[-1].comma)
        return updated_node.with_changes(elements=elements)

    def _unwrapped(self, element: cst.DictElement, wrapper: str | None) -> cst.DictElement:
        """Let ``base_estimator__max_depth`` go by the name that the wrapping class has for it today."""
        key = string(element.key) or ""
        if wrapper is None or not key.startswith(_OLD_WRAPPED) or "base_estimator" in accepted(wrapper, self.scope):
            return element
        if "estimator" not in accepted(wrapper, self.scope):
            return element
        new = key.removeprefix("base_")
        self.scope.note(f"{key} → {new}")
        return element.with_changes(key=quoted_like(element.key, repr(new)))

    def _changed(self, element: cst.DictElement, owner: str) -> cst.DictElement | None:
        """Return the element as today's class takes it, None when its argument is gone."""
        path, _, name = (string(element.key) or "").rpartition("__")
        for change in changes():
            if owner not in change.of or not self.scope.at_least(change.package, change.version):
                continue
            gone = name not in accepted(owner, self.scope)
            if gone and name in change.drop:
                self.scope.note(f"{name} dropped from a grid")
                return None
            if gone and name in change.rename:
                new = "__".join(filter(None, [path, change.rename[name]]))
                self.scope.note(f"{string(element.key)} → {new}")
                element = element.with_changes(key=quoted_like(element.key, repr(new)))
            element = self._revalued(element, name, change)
        if name in _COUNTS and owner.startswith("sklearn.") and self.scope.at_least("scikit-learn", "1.2"):
            whole = self._whole(element.value)
            element = element if whole is element.value else element.with_changes(value=whole)
        return element

    def _revalued(self, element: cst.DictElement, name: str, change: Change) -> cst.DictElement:
        values = change.values.get(name, {})
        listed = element.value
        if not values or not isinstance(listed, cst.List | cst.Tuple):
            return element
        elements = []
        for item in listed.elements:
            new = values.get(literal(item.value))
            if new is not None and "numpy." not in new:
                self.scope.note(f"{name}: {literal(item.value)} → {new}")
                elements.append(item.with_changes(value=quoted_like(item.value, new)))
            else:
                elements.append(item)
        same = all(one is other for one, other in zip(elements, listed.elements, strict=True))
        return element if same else element.with_changes(value=listed.with_changes(elements=elements))

    def _whole(self, values: cst.BaseExpression) -> cst.BaseExpression:
        """Return evenly spaced floats as ints, which counts must be."""
        source = bound(values, self.scope)
        if (
            not m.matches(source or values, m.Call())
            or self.scope.qualified(cst.ensure_type(source, cst.Call).func) not in _FLOATS
        ):
            return values
        self.scope.note("floats for counts → ints")
        return cst.Call(func=cst.Attribute(value=values, attr=cst.Name("astype")), args=[cst.Arg(cst.Name("int"))])


class Grids:
    """Grids of parameter searches."""

    name: ClassVar[str] = "sklearn-parameter-grids"
    summary: ClassVar[str] = (
        "A parameter grid names arguments or values as they were; it now names them as the estimator takes them."
    )
    since: ClassVar[str] = ""
    source: ClassVar[str] = "scikit-learn What's New, as for the changed arguments below"
    words: ClassVar[frozenset[str]] = frozenset({"SearchCV", "validation_curve"})
    order: ClassVar[int] = 33
    confirmed: ClassVar[bool] = True
    at_end: ClassVar[bool] = False

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Rewrite one unit by itself."""
        return self.rewrite_all({unit.key: unit}, scope).get(unit.key)

    def rewrite_all(self, units: Mapping[Key, Unit], scope: Scope) -> dict[Key, str]:
        """Find the grids of all searches and change them where they stand."""
        if not any(word in unit.source for word in self.words for unit in units.values()):
            return {}
        found = _Found()
        for grid in grids(units, scope):
            _look_at(grid, scope, found)
        changed: dict[Key, str] = {}
        for place, unit in units.items():
            if unit.tree is not None and unit.masked is not None:
                changed[place] = unit.masked.unmask(unit.tree.visit(_Keys(replace(scope, unit=place), found)).code)
        return {place: source for place, source in changed.items() if source != units[place].source}


RECIPES = (Grids(),)
