"""Sorting values of several kinds, which Python 2 did by kind: None, then numbers, then texts, lists and tuples."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.recipe import Codemod, Scope, Unit
from modernizer.repair.syntax import keyword_names, plus

_MESSAGE = re.compile(r"'<' not supported between instances of '([\w.]+)' and '([\w.]+)'")
_NUMBER = re.compile(r"(?:int|float|bool|complex|numpy\.(?:u?int|float|bool)\w*)")
_LATER = frozenset({"str", "list", "tuple"})
# What gives tuples, within which the values of several kinds then stand.
_PAIRS = m.Call(func=m.Name("zip") | m.Name("enumerate") | m.Attribute(attr=m.Name("items")))
_TUPLES = m.ListComp(elt=m.Tuple()) | m.GeneratorExp(elt=m.Tuple())


class _Order(Codemod):
    def visit_Module(self, node: cst.Module) -> None:  # noqa: N802 (LibCST's visitor protocol)
        found = [call for call in m.findall(node, m.Call()) if isinstance(call, cst.Call) and self.scope.failing(call)]
        self._sorting = [call for call in found if self._sorts(call)]

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        key = _key(self.scope)
        if key is None or self._sorting != [original_node]:
            return updated_node
        self.scope.note(f"sorted by kind first: key={key}")
        return plus(updated_node, key=key)

    def _sorts(self, call: cst.Call) -> bool:
        if keyword_names(call) - {"reverse"} or any(arg.star for arg in call.args):
            return False
        if m.matches(call.func, m.Name("sorted")) and self.scope.names.unbound("sorted", self.scope.unit):
            return len([arg for arg in call.args if arg.keyword is None]) == 1 and not m.matches(
                call.args[0].value, _PAIRS | _TUPLES
            )
        if not m.matches(call.func, m.Attribute(attr=m.Name("sort"))) or any(arg.keyword is None for arg in call.args):
            return False
        return self.scope.type_of(cst.ensure_type(call.func, cst.Attribute).value) == "list"


def _key(scope: Scope) -> str | None:
    """Return the key that puts one kind of the error's two first; None where Python 2's order isn't certain."""
    found = _MESSAGE.search(scope.failure.error.message) if scope.failure else None
    if found is None:
        return None
    kinds = {found[1], found[2]}
    if "NoneType" in kinds:
        return "lambda v: (v is not None, v)"
    later = kinds & _LATER
    numbers = {kind for kind in kinds if _NUMBER.fullmatch(kind)}
    return f"lambda v: (isinstance(v, {next(iter(later))}), v)" if len(later) == len(numbers) == 1 else None


class Order(FailureRecipe):
    """``sorted(values)`` of numbers and texts."""

    name = "python-2-order"
    summary = "Python 2 sorted values of several kinds by kind; a key does that."
    since = "Python 3.0"
    source = "What's New In Python 3.0 (ordering comparisons); Python 2.7 language reference, comparisons"
    words = frozenset({"sort"})
    errors = frozenset({"TypeError"})
    message = _MESSAGE
    failing_unit_only = True
    codemod = _Order

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Run only in notebooks that say they are Python 2: in others the values were not mixed in their time."""
        said = scope.failure is not None and scope.failure.diagnosis.symbol == "python-2"
        return super().rewrite(unit, scope) if said else None


RECIPES = (Order(),)
