"""Arrays of one element where a number is needed: numpy 2.5 converts them no more, ``.item()`` does."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import atom, filled
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import ARRAY, ReceiverCodemod
from modernizer.repair.recipe import LiveObject, Scope, Unit
from modernizer.repair.syntax import code, string

_SCALAR = "only 0-dimensional arrays can be converted to Python scalars"
_ELEMENT = "setting an array element with a sequence"
# An estimator's answer for a single sample, which is an array of one element unless it has several outputs.
_ONE_SAMPLE = m.Call(
    func=m.Attribute(attr=m.Name("decision_function") | m.Name("predict") | m.Name("score_samples")),
    args=[m.Arg(value=m.List(elements=[m.Element(value=m.List())]))],
)
_FORMAT = re.compile(r"format: an? (?:real number|integer) is required, not numpy\.ndarray")
_CONVERSION = re.compile(r"%(?:\((\w+)\))?[#0\- +]*\d*(?:\.\d+)?[hlL]?(?P<kind>[diouxXeEfFgGcrsa%])")
_NUMERIC = frozenset("diouxXeEfFgG")
# Expressions that may give an array and can't be looked at: methods' results and slices.
_MAYBE = m.Call(func=m.Attribute()) | m.Subscript(slice=[m.ZeroOrMore(), m.SubscriptElement(slice=m.Slice()), m.ZeroOrMore()])
# Functions of matplotlib that draw, or measure what is to be drawn.
_DRAWS = re.compile(r"^draw|tight_?(?:layout|bbox)|^get_window_extent$")
_NUMBER = re.compile(r"int|float|numpy\.(?:u?int|float)\d+")
_ARITHMETIC = (cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.FloorDivide, cst.Modulo, cst.Power)
_BUILTINS = frozenset({"float", "int", "complex", "bool"})


class _Scalars(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        # Plots make one array of what they are given, which fails on the mixture.
        plots = self._plots(original_node.func)
        fails = self._fails(_SCALAR, original_node) or (
            plots and (self._fails(_ELEMENT, original_node) or self._fails_when_drawn())
        )
        if not fails or not self._of_library(original_node.func):
            return updated_node
        args = [
            new.with_changes(value=self._number(old.value, new.value)) if not old.star else new
            for old, new in zip(original_node.args, updated_node.args, strict=True)
        ]
        if all(new is old.value for old, new in zip(updated_node.args, (arg.value for arg in args), strict=True)):
            args = list(updated_node.args)
        if len(args) == 1 and args[0] is updated_node.args[0] and self._converts(original_node.func):
            args = [self._unseen(original_node.args[0], args[0])]
        return updated_node.with_changes(args=args)

    def leave_BinaryOperation(self, original_node: cst.BinaryOperation, updated_node: cst.BinaryOperation) -> cst.BinaryOperation:  # noqa: N802
        """``"%.2f" % a`` and ``"%d %d" % (a, b)``."""
        formats = isinstance(original_node.operator, cst.Modulo) and isinstance(original_node.left, cst.BaseString)
        if not formats or not (self._fails(_SCALAR, original_node) or self._fails_to_format(original_node)):
            return updated_node
        return updated_node.with_changes(right=self._shown(original_node, updated_node.right))

    def _shown(self, formatted: cst.BinaryOperation, values: cst.BaseExpression) -> cst.BaseExpression:
        """Take the numbers out of what a text shows as numbers: of arrays that are known, else where that can't be looked at."""
        old, text = formatted.right, string(formatted.left)
        kinds = [found["kind"] in _NUMERIC for found in _CONVERSION.finditer(text or "") if found["kind"] != "%"]
        if text is None or "*" in text:
            return self._number(old, values)
        if not isinstance(old, cst.Tuple) or not isinstance(values, cst.Tuple):
            number = self._number(old, values)
            return self._unseen_number(values) if number is values and kinds == [True] else number
        if len(kinds) != len(values.elements):
            return values
        triples = list(zip(old.elements, values.elements, kinds, strict=True))
        known = [self._number(before.value, after.value) if numeric else after.value for before, after, numeric in triples]
        if all(value is after.value for value, after in zip(known, values.elements, strict=True)):
            known = [self._unseen_number(after.value) if numeric else after.value for _, after, numeric in triples]
        elements = [after.with_changes(value=value) for after, value in zip(values.elements, known, strict=True)]
        return values.with_changes(elements=elements)

    def _unseen_number(self, value: cst.BaseExpression) -> cst.BaseExpression:
        owner = (self.scope.qualified(value.func) or "") if isinstance(value, cst.Call) else ""
        if not m.matches(value, _MAYBE) or (owner and not owner.startswith("numpy.")) or code(value).endswith(".item()"):
            return value
        self.scope.note("array of one element → .item()")
        return filled("{np}.asarray({x}).item()", {"x": value, "np": self.scope.reference("numpy")})

    def _number(self, old: cst.BaseExpression, new: cst.BaseExpression) -> cst.BaseExpression:
        """Take the number out of an array of one element, also inside a pair; other expressions stay."""
        if isinstance(old, cst.Tuple) and isinstance(new, cst.Tuple):
            values = [self._number(before.value, after.value) for before, after in zip(old.elements, new.elements, strict=True)]
            if all(value is after.value for value, after in zip(values, new.elements, strict=True)):
                return new
            elements = [element.with_changes(value=value) for element, value in zip(new.elements, values, strict=True)]
            return new.with_changes(elements=elements)
        return self._item(new) if self._is_one_element(old) else new

    def _of_library(self, func: cst.BaseExpression) -> bool:
        """Tell calls of built-in and library functions from those of the notebook's own, which may want the array."""
        if self._converts(func) or self.scope.qualified(func) is not None:
            return True
        return self._plots(func)

    def _plots(self, func: cst.BaseExpression) -> bool:
        owner = self.type_of(func.value) if isinstance(func, cst.Attribute) else None
        return (self.scope.qualified(func) or owner or "").startswith("matplotlib.")

    def _converts(self, func: cst.BaseExpression) -> bool:
        by_name = isinstance(func, cst.Name) and func.value in _BUILTINS
        return by_name or (self.scope.qualified(func) or "").startswith("math.")

    def _unseen(self, old: cst.Arg, new: cst.Arg) -> cst.Arg:
        """Convert the only argument of ``float(x)``, ``int(x)`` or ``math.f(x)`` when it is no plain chain to look at."""
        value = old.value
        taken_out = m.matches(value, m.Call(func=m.Attribute(attr=m.Name("item"))))
        if (
            self.describe(value) is not None
            or isinstance(value, cst.BaseNumber | cst.BaseString)
            or code(value) != code(new.value)
            or taken_out
        ):
            return new
        self.scope.note("array of one element → .item()")
        return new.with_changes(value=filled("{np}.asarray({x}).item()", {"x": new.value, "np": self.scope.reference("numpy")}))

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Assign:  # noqa: N802
        """``x[i] = a`` where a is an array of one element."""
        if not self._fails(_ELEMENT, original_node) and not self._fails(_SCALAR, original_node):
            return updated_node
        if not isinstance(original_node.targets[0].target, cst.Subscript):
            return updated_node
        if not self._is_one_element(original_node.value) and not m.matches(original_node.value, _ONE_SAMPLE):
            return self._element(original_node, updated_node)
        return updated_node.with_changes(value=self._item(updated_node.value))

    def _element(self, original: cst.Assign, updated: cst.Assign) -> cst.Assign:
        """``x[i] = f(...)``: the element is a number, so what is put there held exactly one."""
        target = original.targets[0].target
        single = len(original.targets) == 1 and m.matches(
            target, m.Subscript(slice=[m.AtLeastN(m.SubscriptElement(slice=m.Index()), n=1)])
        )
        taken_out = m.Call(func=m.Attribute(attr=m.Name("item")))
        computed = isinstance(original.value, cst.Call | cst.BinaryOperation) and not m.matches(original.value, taken_out)
        if not single or not computed or not isinstance(target, cst.Subscript) or self.type_of(target.value) not in {None, ARRAY}:
            return updated
        self.scope.note("array of one element → .item()")
        value = filled("{np}.asarray({x}).item()", {"x": updated.value, "np": self.scope.reference("numpy")})
        return updated.with_changes(value=value)

    def _fails(self, text: str, node: cst.CSTNode) -> bool:
        failure = self.scope.failure
        return failure is not None and text in failure.message and self.scope.failing(node)

    def _fails_to_format(self, node: cst.CSTNode) -> bool:
        failure = self.scope.failure
        return failure is not None and _FORMAT.search(failure.message) is not None and self.scope.failing(node)

    def _fails_when_drawn(self) -> bool:
        """Tell whether the error came when the cell's figure was drawn, long after the call that put the array into it."""
        failure = self.scope.failure
        if failure is None or not self._message_fits(failure.error.message):
            return False
        return any(frame.file and "matplotlib" in frame.file and _DRAWS.search(frame.function) for frame in failure.error.frames)

    def _message_fits(self, message: str) -> bool:
        """Tell whether an error is about an array where a number is needed."""
        return _SCALAR in message or _ELEMENT in message

    def _is_one_element(self, node: cst.BaseExpression) -> bool:
        """Tell whether an expression is an array of one element: one that can be looked at, or reckoned from such and numbers."""
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, _ARITHMETIC):
            sides = (node.left, node.right)
            arrays = [self._is_one_element(side) for side in sides]
            return any(arrays) and all(one or self._is_number(side) for one, side in zip(arrays, sides, strict=True))
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
            return self._is_one_element(node.expression)
        live = self._look(node)
        if live is None or live.type_name != ARRAY or not live.shape:
            return False
        return all(size == 1 for size in live.shape)

    def _look(self, node: cst.BaseExpression) -> LiveObject | None:
        """Describe a live object, also in the cell that ran when a function of another one failed."""
        failure = self.scope.failure
        elsewhere = failure is not None and self.scope.unit == failure.error.cell != failure.unit
        return self.scope.describe(node) if elsewhere and not self.is_local(node) else self.describe(node)

    def _is_number(self, node: cst.BaseExpression) -> bool:
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
            return self._is_number(node.expression)
        live = None if isinstance(node, cst.BaseNumber) else self._look(node)
        return isinstance(node, cst.BaseNumber) or (live is not None and _NUMBER.fullmatch(live.type_name) is not None)

    def _item(self, node: cst.BaseExpression) -> cst.BaseExpression:
        self.scope.note("array of one element → .item()")
        return cst.parse_expression(f"{atom(node)}.item()")


class Scalars(FailureRecipe):
    """Arrays of one element used as numbers."""

    name = "numpy-one-element"
    summary = "An array of one element is no longer taken for a number; .item() takes the number out."
    since = "NumPy 2.5"
    source = "NumPy 1.25 (deprecation) and 2.5 release notes"
    errors = frozenset({"TypeError", "ValueError"})
    message = re.compile(f"{_SCALAR}|{_ELEMENT}|{_FORMAT.pattern}")
    codemod = _Scalars

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Look at the unit that failed, and at the cell that ran: what a function of another cell draws was put there by it."""
        failure = scope.failure
        here = failure is not None and unit.key in {failure.unit, failure.error.cell}
        return super().rewrite(unit, scope) if here else None


RECIPES = (Scalars(),)
