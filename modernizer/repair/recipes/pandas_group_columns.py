"""Groups: columns picked by a tuple, one key in a list, and functions that read the column they are grouped by."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.evidence import missing_attribute, raised_in
from modernizer.repair.expressions import filled, value_of
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.recipe import Scope, is_chain
from modernizer.repair.syntax import code

_TUPLE = "Cannot subset columns with a tuple"
_GROUPED = m.Call(func=m.Attribute(attr=m.Name("groupby")))
_KEY = re.compile(r"'(?P<name>[^']+)'")


class _GroupColumns(ReceiverCodemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._message = scope.failure.error.message if scope.failure else ""
        self._missing = _missing_name(scope)

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.Subscript:  # noqa: N802 (LibCST's visitor protocol)
        """``x.groupby(keys)['a', 'b']``: a list picks the columns."""
        grouped = m.matches(original_node.value, _GROUPED) or self.scope.failing(original_node)
        if _TUPLE not in self._message or len(original_node.slice) == 1 or not grouped:
            return updated_node
        if not all(isinstance(element.slice, cst.Index) for element in original_node.slice):
            return updated_node
        self.scope.note("groupby()['a', 'b'] → groupby()[['a', 'b']]")
        listed = cst.parse_expression(f"[{', '.join(code(element.slice) for element in updated_node.slice)}]")
        return updated_node.with_changes(slice=[cst.SubscriptElement(cst.Index(listed))])

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        func, new = original_node.func, updated_node.func
        if not isinstance(func, cst.Attribute) or not isinstance(new, cst.Attribute):
            return updated_node
        if func.attr.value == "get_group" and self.scope.failing(original_node):
            return updated_node.with_changes(func=new.with_changes(value=self._by_one_key(new.value)))
        if func.attr.value == "apply" and m.matches(func.value, _GROUPED):
            return updated_node.with_changes(func=new.with_changes(value=self._with_keys(func.value, new.value)))
        return updated_node

    def _by_one_key(self, grouped: cst.BaseExpression) -> cst.BaseExpression:
        """``x.groupby(['a']).get_group(v)``: groups of one key in a list have tuples for names."""
        if not isinstance(grouped, cst.Call) or not m.matches(grouped, _GROUPED) or not grouped.args or self._missing is None:
            return grouped
        keys = grouped.args[0]
        if not isinstance(keys.value, cst.List) or len(keys.value.elements) != 1:
            return grouped
        self.scope.note("groupby([key]) → groupby(key)")
        only = keys.with_changes(value=keys.value.elements[0].value)
        return grouped.with_changes(args=[only, *grouped.args[1:]])

    def _with_keys(self, old: cst.BaseExpression, grouped: cst.BaseExpression) -> cst.BaseExpression:
        """``x.groupby(key).apply(f)``: f was given the column of the key with the others."""
        if not isinstance(old, cst.Call) or not isinstance(old.func, cst.Attribute) or not old.args or self._missing is None:
            return grouped
        keys = value_of(old.args[0].value)
        named = keys == self._missing or (isinstance(keys, list) and self._missing in keys)
        if not named or not is_chain(old.func.value) or not raised_in(self.scope.failure, "pandas/core/groupby"):
            return grouped
        self.scope.note("groupby(key).apply() → groupby(key)[all columns].apply()")
        return filled("{grouped}[list({frame}.columns)]", {"grouped": grouped, "frame": code(old.func.value)})


def _missing_name(scope: Scope) -> str | None:
    """Return the column or group that the error says is missing."""
    failure = scope.failure
    if failure is None:
        return None
    refused = missing_attribute(failure)
    if refused is not None:
        return refused.name if refused.owner == "DataFrame" else None
    found = _KEY.fullmatch(failure.error.message) if failure.error.name == "KeyError" else None
    return found["name"] if found else None


class GroupColumns(FailureRecipe):
    """Columns of groups."""

    name = "pandas-group-columns"
    summary = "Groups take columns as a list, name one key by its value, and leave the key out of what they hand to apply()."
    since = "pandas 3.0"
    source = "pandas What's New 2.0 (tuples of columns), 2.2 (keys in a list, grouping columns in apply) and 3.0 (enforced)"
    words = frozenset({"groupby", "get_group"})
    errors = frozenset({"ValueError", "KeyError", "AttributeError"})
    codemod = _GroupColumns


RECIPES = (GroupColumns(),)
