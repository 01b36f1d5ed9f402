"""Counts of rows and columns given as floats or text: matplotlib took them for whole numbers until 3.x."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.recipe import CodemodRecipe
from modernizer.repair.syntax import code, string

_REFUSED = re.compile(
    r"Number of (?:rows|columns) must be a positive integer, not \d+\.\d"
    r"|num must be an integer with \d+ <= num <= \d+, not \d+\.\d"
    r"|Single argument to subplot must be a three-digit integer, not (?:\d+\.\d|'\d{3}')"
    r"|slice indices must be integers or None or have an __index__ method"
)
_NAMES = frozenset({"subplot", "add_subplot", "subplots", "subplot2grid", "GridSpec"})
_COUNTS = frozenset({"nrows", "ncols", "colspan", "rowspan"})
# Operations whose result is a float; what else gives one is only seen on the failing statement.
_FLOAT = m.BinaryOperation(operator=m.Divide()) | m.Call(
    func=m.OneOf(*(m.Attribute(attr=m.Name(name)) for name in ("ceil", "floor", "sqrt", "round", "rint")))
)


class _SubplotNumbers(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        func = original_node.func
        name = func.attr.value if isinstance(func, cst.Attribute) else code(func)
        if name not in _NAMES or self.scope.failure is None or not _REFUSED.search(self.scope.failure.message):
            return updated_node
        pairs = zip(original_node.args, updated_node.args, strict=True)
        args = [self._whole(old, new) if self._is_count(old) else new for old, new in pairs]
        return updated_node.with_changes(args=args)

    def _is_count(self, arg: cst.Arg) -> bool:
        return not arg.star and (arg.keyword is None or arg.keyword.value in _COUNTS)

    def _whole(self, original: cst.Arg, arg: cst.Arg) -> cst.Arg:
        value = original.value
        if re.fullmatch(r"\d{3}", string(value) or ""):
            return arg.with_changes(value=cst.Integer(string(value) or ""))
        if isinstance(value, cst.Float):
            number = float(value.value)
            return arg.with_changes(value=cst.Integer(str(int(number)))) if number.is_integer() else arg
        described = self.describe(value) if isinstance(value, cst.Name) else None
        is_float = described is not None and described.type_name in {"float", "numpy.float64"}
        if not m.matches(value, _FLOAT) and not is_float:
            return arg
        self.scope.note(f"int({code(value)})")
        return arg.with_changes(value=cst.Call(func=cst.Name("int"), args=[cst.Arg(arg.value.with_changes(lpar=(), rpar=()))]))


class SubplotNumbers(CodemodRecipe):
    """Whole numbers for grids of subplots."""

    name = "matplotlib-subplot-numbers"
    summary = "Grids of subplots are counted in whole numbers only; their integer part was taken before, now int() does."
    since = "matplotlib 3.3"
    source = "Matplotlib API changes 3.1 (deprecation) and 3.3"
    words = _NAMES
    order = 70
    codemod = _SubplotNumbers


RECIPES = (SubplotNumbers(),)
