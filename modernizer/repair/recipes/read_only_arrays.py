"""Arrays taken from pandas objects, read-only since pandas 3: a copy is taken where the array is written to."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import base_name, filled
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.recipe import Codemod, Scope

_READ_ONLY = re.compile(r"(?:assignment destination|output array|sort array|array|buffer source array) is read-only")
_TAKEN = m.Attribute(attr=m.Name("values")) | m.Call(func=m.Attribute(attr=m.Name("to_numpy")), args=[])


class _ReadOnly(Codemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._written = _written(scope) if scope.failure and _READ_ONLY.search(scope.failure.error.message) else frozenset()

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Assign:  # noqa: N802 (LibCST's visitor protocol)
        targets = [target.target for target in original_node.targets]
        if len(targets) != 1 or not self._written:
            return updated_node
        if isinstance(targets[0], cst.Name) and targets[0].value in self._written and m.matches(original_node.value, _TAKEN):
            return updated_node.with_changes(value=self._copied(updated_node.value))
        if (
            isinstance(targets[0], cst.Tuple)
            and isinstance(original_node.value, cst.Tuple)
            and isinstance(updated_node.value, cst.Tuple)
        ):
            elements = [
                new.with_changes(value=self._copied(new.value))
                if isinstance(name.value, cst.Name) and name.value.value in self._written and m.matches(new.value, _TAKEN)
                else new
                for name, new in zip(targets[0].elements, updated_node.value.elements, strict=False)
            ]
            if len(elements) == len(targets[0].elements):
                return updated_node.with_changes(value=updated_node.value.with_changes(elements=elements))
        return updated_node

    def _copied(self, value: cst.BaseExpression) -> cst.BaseExpression:
        self.scope.note(".values → .values.copy()")
        return filled("{self}.copy()", {"self": value})


def _written(scope: Scope) -> frozenset[str]:
    """Return the names that the failing statement may write to; the statement is only seen in its own unit."""
    if scope.failure is None:
        return frozenset()
    names = set()
    for frame in scope.failure.error.frames:
        for statement in _statements(frame.code) if frame.cell is not None or frame.local else ():
            names |= _names(statement)
    return frozenset(names)


def _statements(source: str) -> list[cst.CSTNode]:
    try:
        return [cst.parse_module(source.strip())]
    except cst.ParserSyntaxError:
        return []


def _names(node: cst.CSTNode) -> set[str]:
    targets = [found.target for found in m.findall(node, m.AssignTarget() | m.AugAssign()) if hasattr(found, "target")]
    receivers = [found.func.value for found in m.findall(node, m.Call(func=m.Attribute())) if isinstance(found, cst.Call)]  # type: ignore[attr-defined]
    arguments = [found.value for found in m.findall(node, m.Arg(value=m.Name())) if isinstance(found, cst.Arg)]
    return {name for part in (*targets, *receivers, *arguments) if (name := base_name(part)) is not None}


class ReadOnly(FailureRecipe):
    """Read-only arrays."""

    name = "read-only-array"
    summary = "Arrays taken from pandas objects are read-only now; the notebook writes to a copy."
    since = "pandas 3.0"
    source = "pandas What's New 3.0 (copy-on-write)"
    words = frozenset({".values", "to_numpy"})
    errors = frozenset({"ValueError"})
    message = _READ_ONLY
    codemod = _ReadOnly


RECIPES = (ReadOnly(),)
