"""What pandas 3 changed about dtypes without an error: text columns are ``str``, datetimes made from text count microseconds.

Tried when an error or a score shows that it matters, as code that tests for ``object`` or divides integers may mean just that.
"""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import filled, operands, seated, value_of
from modernizer.repair.recipe import Codemod, CodemodRecipe, Scope, Unit
from modernizer.repair.syntax import code, string

_OBJECT_NAMES = frozenset({"object", "O"})
_OBJECT_TYPES = frozenset({"numpy.object_", "numpy.object"})
_INTEGER_NAMES = frozenset({"int", "int64", "i8", "uint64"})
_INTEGER_TYPES = frozenset({"numpy.int64", "numpy.uint64", "numpy.int_"})
_NANOSECONDS: frozenset[object] = frozenset({10**9, 10**6})
# Text that a model met because a loop over the text columns found none.
_TEXT_LEFT = re.compile(r"could not convert string to float|dtype 'str'|with non-numeric data|[Dd]ata must be numeric")
_DTYPE = m.Attribute(attr=m.Name("dtype"))
_DTYPES = m.Attribute(attr=m.Name("dtypes"))
_SPELLED = (
    _DTYPE
    | m.Subscript(value=_DTYPES)
    | m.Attribute(attr=m.Name("name"), value=_DTYPE | m.Subscript(value=_DTYPES))
    | m.Call(func=m.Name("str"), args=[m.Arg(value=_DTYPE | m.Subscript(value=_DTYPES))])
)


class _ObjectTests(Codemod):
    def visit_Module(self, node: cst.Module) -> None:  # noqa: N802 (LibCST's visitor protocol)
        self._operands = operands(node)

    def leave_Comparison(self, original_node: cst.Comparison, updated_node: cst.Comparison) -> cst.BaseExpression:  # noqa: N802
        if len(original_node.comparisons) != 1 or not self.scope.at_least("pandas", "3.0"):
            return updated_node
        operator, right = original_node.comparisons[0].operator, original_node.comparisons[0].comparator
        if not isinstance(operator, cst.Equal | cst.NotEqual):
            return updated_node
        same = isinstance(operator, cst.Equal)
        for dtype, kind in ((original_node.left, right), (right, original_node.left)):
            if not self._is_object(kind):
                continue
            if m.matches(dtype, _SPELLED):
                self.scope.note("dtype == object → dtype in (object, 'str')")
                new = filled(f"{{dtype}} {'in' if same else 'not in'} ({code(kind)}, 'str')", {"dtype": dtype})
                return new.with_changes(lpar=updated_node.lpar, rpar=updated_node.rpar)
            if m.matches(dtype, _DTYPES):
                self.scope.note("dtypes == object → (dtypes == object) | (dtypes == 'str')")
                sign, join = ("==", "|") if same else ("!=", "&")
                new = filled(f"({{d}} {sign} {code(kind)}) {join} ({{d}} {sign} 'str')", {"d": dtype})
                new = new.with_changes(lpar=updated_node.lpar, rpar=updated_node.rpar)
                return seated(new, operand=original_node in self._operands)
        return updated_node

    def _is_object(self, node: cst.BaseExpression) -> bool:
        if string(node) in _OBJECT_NAMES:
            return True
        builtin = isinstance(node, cst.Name) and node.value == "object" and self.scope.names.unbound("object", self.scope.unit)
        return builtin or self.scope.qualified(node) in _OBJECT_TYPES


class ObjectTests(CodemodRecipe):
    """Tests for the dtype of text."""

    name = "pandas-object-dtype"
    summary = "Text columns are of dtype str, no longer object; a test for object takes both, as it meant text too."
    since = "pandas 3.0"
    source = "pandas What's New 3.0 (dedicated string data type)"
    words = frozenset({"dtype"})
    order = 58
    codemod = _ObjectTests

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Run when scores are compared, or when an error shows that text was left where it should have been found."""
        failure = scope.failure
        return super().rewrite(unit, scope) if failure is None or _TEXT_LEFT.search(failure.message) else None


class _Nanoseconds(Codemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._divided: set[cst.CSTNode] = set()

    def visit_BinaryOperation(self, node: cst.BinaryOperation) -> None:  # noqa: N802
        if not isinstance(node.operator, cst.Divide | cst.FloorDivide) or not _is_nanoseconds(node.right):
            return
        left = node.left.value if m.matches(node.left, m.Attribute(attr=m.Name("values"))) else node.left  # type: ignore[attr-defined]
        self._divided.add(left)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        func, new = original_node.func, updated_node.func
        if not isinstance(func, cst.Attribute) or func.attr.value not in {"astype", "view"} or not isinstance(new, cst.Attribute):
            return updated_node
        first = original_node.args[0] if len(original_node.args) == 1 else None
        if first is None or not self._is_integer(first.value) or not self.scope.at_least("pandas", "3.0"):
            return updated_node
        if original_node not in self._divided and not self._is_time(func.value):
            return updated_node
        kind = "timedelta64[ns]" if isinstance(func.value, cst.BinaryOperation) else "datetime64[ns]"
        if kind in code(func.value):
            return updated_node
        self.scope.note(f"integers of times → .astype('{kind}') before")
        value = filled(f"{{x}}.astype('{kind}')", {"x": new.value})
        return updated_node.with_changes(func=new.with_changes(value=value))

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:  # noqa: N802
        if original_node.attr.value != "asi8" or "as_unit(" in code(original_node.value):
            return updated_node
        if not self.scope.at_least("pandas", "3.0"):
            return updated_node
        self.scope.note(".asi8 → .as_unit('ns').asi8")
        return updated_node.with_changes(value=filled("{x}.as_unit('ns')", {"x": updated_node.value}))

    def _is_integer(self, node: cst.BaseExpression) -> bool:
        name = string(node) or (node.value if isinstance(node, cst.Name) else "")
        return name in _INTEGER_NAMES or self.scope.qualified(node) in _INTEGER_TYPES

    def _is_time(self, node: cst.BaseExpression) -> bool:
        """Tell what the text proves to hold times: made by ``to_datetime`` or a range of dates."""
        if isinstance(node, cst.Name):
            value = self.scope.names.value(node.value, self.scope.unit)
            return isinstance(value, cst.Call) and self._is_time(value)
        if self.scope.names.type_of(node, self.scope.unit) == "pandas.DatetimeIndex":
            return True
        return isinstance(node, cst.Call) and self.scope.qualified(node.func) in {"pandas.to_datetime", "pandas.date_range"}


def _is_nanoseconds(node: cst.BaseExpression) -> bool:
    """Tell the nanoseconds of a second or a millisecond, spelled in any way."""
    if m.matches(node, m.BinaryOperation(left=m.Integer("10"), operator=m.Power(), right=m.Integer("9") | m.Integer("6"))):
        return True
    value = value_of(node)
    return isinstance(value, int | float) and value in _NANOSECONDS


class Nanoseconds(CodemodRecipe):
    """Integers of times."""

    name = "pandas-nanoseconds"
    summary = "Times made from text count microseconds; they are made to count nanoseconds before their integers are taken."
    since = "pandas 3.0"
    source = "pandas What's New 3.0 (resolution of datetimes)"
    words = frozenset({"astype", "view", "asi8"})
    order = 59
    codemod = _Nanoseconds

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Run only when scores are compared: no error comes of it."""
        return super().rewrite(unit, scope) if scope.failure is None else None


RECIPES = (ObjectTests(), Nanoseconds())
