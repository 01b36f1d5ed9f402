"""Parameter searches: where their grids stand, and which estimator a key of a grid means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import libcst as cst
import libcst.matchers as m

from modernizer.repair.program import Key
from modernizer.repair.recipe import Scope, Unit
from modernizer.repair.syntax import argument, string

_SEARCHES = frozenset({"sklearn.model_selection.GridSearchCV", "sklearn.model_selection.RandomizedSearchCV"})
_PIPELINE, _MAKE_PIPELINE = "sklearn.pipeline.Pipeline", "sklearn.pipeline.make_pipeline"
_WRAPPED = frozenset({"estimator", "base_estimator"})


@dataclass(frozen=True)
class Grid:
    """A grid's dict and the estimator of its search, with the unit where the search stands."""

    node: cst.Dict
    estimator: cst.BaseExpression
    unit: Key


def grids(units: Mapping[Key, Unit], scope: Scope) -> Iterator[Grid]:
    """Find the grids of all searches in the program."""
    for key, unit in units.items():
        if unit.tree is None or "SearchCV" not in unit.source:
            continue
        own = replace(scope, unit=key)
        for call in m.findall(unit.tree, m.Call()):
            if not isinstance(call, cst.Call) or own.qualified(call.func) not in _SEARCHES:
                continue
            estimator = argument(call, "estimator", 0)
            grid = argument(call, "param_grid", 1) or argument(call, "param_distributions", 1)
            node = bound(grid.value, own) if grid else None
            nodes = [element.value for element in node.elements] if isinstance(node, cst.List) else [node]
            for each in nodes:
                if estimator is not None and isinstance(each, cst.Dict):
                    yield Grid(each, estimator.value, key)


def bound(node: cst.BaseExpression | None, scope: Scope) -> cst.BaseExpression | None:
    """Follow a name to the one expression that it was assigned."""
    for _ in range(5):
        if not isinstance(node, cst.Name):
            break
        node = scope.names.value(node.value, scope.unit)
    return node


def estimator_of(estimator: cst.BaseExpression | None, path: list[str], scope: Scope) -> cst.Call | None:
    """Return the construction of the estimator that a key means: ``clf__max_depth`` is an argument of the step clf."""
    node = bound(estimator, scope)
    while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value in {"fit", "set_params"}:
        node = bound(node.func.value, scope)
    if not isinstance(node, cst.Call) or not path:
        return node if isinstance(node, cst.Call) else None
    inner = _part(node, path[0], scope)
    return estimator_of(inner, path[1:], scope) if inner is not None else None


def _part(node: cst.Call, name: str, scope: Scope) -> cst.BaseExpression | None:
    """Return a pipeline's step or a wrapper's inner estimator by its name."""
    qualified = scope.qualified(node.func)
    if qualified == _PIPELINE:
        steps = argument(node, "steps", 0)
        listed = bound(steps.value, scope) if steps else None
        pairs = [element.value for element in listed.elements] if isinstance(listed, cst.List) else []
        named = [pair.elements for pair in pairs if isinstance(pair, cst.Tuple) and len(pair.elements) == 2]  # noqa: PLR2004 (a pair)
        return next((step.value for label, step in named if string(label.value) == name), None)
    if qualified == _MAKE_PIPELINE:
        for arg in node.args:
            step = estimator_of(arg.value, [], scope) if arg.keyword is None else None
            if step is not None and (scope.qualified(step.func) or "").rpartition(".")[2].lower() == name:
                return arg.value
        return None
    inner = argument(node, name) or (argument(node, name, 0) if name in _WRAPPED else None)
    return inner.value if inner else None
