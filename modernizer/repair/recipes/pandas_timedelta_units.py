"""Durations in days, months or years: ``x.astype('timedelta64[D]')`` was a number, ``x / np.timedelta64(1, 'M')`` had a month."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import filled, value_of
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.syntax import argument, string

_DTYPE = re.compile(r"(?:timedelta64|[<=]?m8)\[(?P<unit>[DhmMYW])\]")
# What numpy takes for a month and a year: a twelfth of, and the mean year of the Gregorian calendar.
_LENGTHS = {"D": "days=1", "h": "hours=1", "m": "minutes=1", "W": "weeks=1", "M": "seconds=2629746", "Y": "seconds=31556952"}
_DIVISIONS = cst.Divide | cst.FloorDivide


class _Units(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        """``x.astype('timedelta64[D]')``: whole days as floating numbers, rounded down."""
        func = original_node.func
        if not isinstance(func, cst.Attribute) or not isinstance(updated_node.func, cst.Attribute) or func.attr.value != "astype":
            return updated_node
        dtype = argument(original_node, "dtype", 0)
        found = _DTYPE.fullmatch(string(dtype.value) or "") if dtype and len(original_node.args) == 1 else None
        if found is None or "Cannot convert from timedelta64[" not in self._message:
            return updated_node
        live = self.describe(func.value)
        if live is not None and not live.type_name.startswith("pandas.") and not self.scope.failing(original_node):
            return updated_node
        self.scope.note(f"astype('timedelta64[{found['unit']}]') → // Timedelta, as numbers")
        return filled(
            "({x} // {unit}).astype(float)", {"x": _operand(updated_node.func.value), "unit": self._length(found["unit"])}
        )

    def leave_BinaryOperation(self, original_node: cst.BinaryOperation, updated_node: cst.BinaryOperation) -> cst.BinaryOperation:  # noqa: N802
        """``x / np.timedelta64(1, 'M')``."""
        unit = original_node.right
        refused = re.search(r"Unit [MY] is not supported", self._message)
        if refused is None or not isinstance(original_node.operator, _DIVISIONS) or not isinstance(unit, cst.Call):
            return updated_node
        if self.scope.qualified(unit.func) != "numpy.timedelta64" or len(unit.args) != 2:  # noqa: PLR2004 (a number and its unit)
            return updated_node
        if (self.type_of(original_node.left) or "").startswith("numpy.") or self._of_numpy(original_node.left):
            return updated_node
        number, name = (value_of(arg.value) for arg in unit.args)
        if number != 1 or name not in {"M", "Y"}:
            return updated_node
        self.scope.note(f"numpy.timedelta64(1, {name!r}) → its seconds")
        return updated_node.with_changes(right=cst.parse_expression(self._length(str(name))))

    def _of_numpy(self, node: cst.BaseExpression) -> bool:
        """Tell whether a duration is one of numpy, which may be divided by months still."""
        return isinstance(node, cst.Call) and (self.scope.qualified(node.func) or "").startswith("numpy.")

    @property
    def _message(self) -> str:
        return self.scope.failure.error.message if self.scope.failure else ""

    def _length(self, unit: str) -> str:
        return f"{self.scope.reference('pandas.Timedelta')}({_LENGTHS[unit]})"


def _operand(node: cst.BaseExpression) -> cst.BaseExpression:
    """Return an expression that an operator can follow."""
    bare = m.matches(node, m.BinaryOperation() | m.Comparison() | m.BooleanOperation() | m.IfExp() | m.Lambda()) and not node.lpar
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()]) if bare else node


class TimedeltaUnits(FailureRecipe):
    """Units of durations."""

    name = "pandas-timedelta-unit"
    summary = (
        "Durations are not converted to days, months or years any more; the whole number of those, or a division, is spelled."
    )
    since = "pandas 2.0"
    source = "pandas What's New 1.5 and 2.0 (astype to unsupported units; division by ambiguous units)"
    words = frozenset({"timedelta64", "m8"})
    errors = frozenset({"ValueError", "TypeError"})
    codemod = _Units


RECIPES = (TimedeltaUnits(),)
