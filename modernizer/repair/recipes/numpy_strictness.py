"""Uses of numpy that are errors now: ragged lists, generators, negative powers, signs of booleans, crosses in the plane."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import filled, parsed, value_of
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.recipe import Scope, is_chain
from modernizer.repair.syntax import code, keyword_names, plus, string

_RAGGED = "inhomogeneous shape"
_GENERATOR = "Calling np.sum(generator)"
_NEGATIVE_POWER = "Integers to negative integer powers are not allowed"
_BOOLEAN_NEGATIVE = "numpy boolean negative"
_BOOLEAN_SUBTRACT = "numpy boolean subtract"
_PLANE_CROSS = "Both input arrays must be (arrays of) 3-dimensional vectors, but they are 2 and 2 dimensional"
_NO_COMMON_TYPE = "could not be promoted by"
_SEQUENCE = 'must be passed as a "sequence" type'
_LAZY = m.Call(func=m.Name("map") | m.Name("zip") | m.Name("filter"))
_BINARY = "The binary mode of fromstring is removed"
_ARRAYS = frozenset({"numpy.array", "numpy.asarray"})
_STACKS = frozenset({"numpy.vstack", "numpy.hstack", "numpy.stack", "numpy.concatenate", "numpy.dstack", "numpy.column_stack"})


class _Strictness(ReceiverCodemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._message = scope.failure.error.message if scope.failure else ""
        # Columns of get_dummies were numbers: what is taken from them was never boolean.
        self._booleans = not scope.names.mentions("get_dummies")
        calls = [node for node in scope.failing_nodes if isinstance(node, cst.Call)]
        self._one_array = sum(self._makes_array(call) for call in calls) == 1

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        qualified = self.scope.qualified(original_node.func)
        if qualified is None or not self.scope.failing(original_node) or not updated_node.args:
            return updated_node
        first = updated_node.args[0]
        if _RAGGED in self._message and self._one_array and self._makes_array(original_node):
            self.scope.note("ragged array(…, dtype=object)")
            return plus(updated_node, dtype="object")
        if qualified == "numpy.sum" and isinstance(first.value, cst.GeneratorExp) and len(updated_node.args) == 1:
            self.scope.note("numpy.sum(generator) → sum(generator)")
            return updated_node.with_changes(func=cst.Name("sum"))
        if qualified in _STACKS and _SEQUENCE in self._message:
            return self._stacked(qualified, updated_node)
        return self._of_function(qualified, original_node, updated_node)

    def _of_function(self, qualified: str, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        first = updated_node.args[0]
        if qualified == "numpy.fromstring" and _BINARY in self._message and "sep" not in keyword_names(original_node):
            self.scope.note("numpy.fromstring → numpy.frombuffer().copy()")
            buffer = cst.parse_expression(self.scope.reference("numpy.frombuffer"))
            return filled("{x}.copy()", {"x": updated_node.with_changes(func=buffer)})
        if qualified == "numpy.power" and _NEGATIVE_POWER in self._message:
            return updated_node.with_changes(args=[first.with_changes(value=self._floating(first.value)), *updated_node.args[1:]])
        if qualified == "numpy.where" and _NO_COMMON_TYPE in self._message:
            return self._texts(updated_node)
        if qualified == "numpy.cross" and _PLANE_CROSS in self._message:
            return self._cross(updated_node)
        return updated_node

    def _stacked(self, stack: str, call: cst.Call) -> cst.Call:
        """Make a list of the arrays that a generator or another iterator gives."""
        first = call.args[0]
        if isinstance(first.value, cst.GeneratorExp):
            new: cst.BaseExpression = cst.ListComp(elt=first.value.elt, for_in=first.value.for_in)
        elif m.matches(first.value, _LAZY):
            new = cst.Call(func=cst.Name("list"), args=[cst.Arg(first.value)])
        else:
            return call
        self.scope.note(f"{stack}(iterator) → list")
        return call.with_changes(args=[first.with_changes(value=new), *call.args[1:]])

    def leave_BinaryOperation(self, original_node: cst.BinaryOperation, updated_node: cst.BinaryOperation) -> cst.BinaryOperation:  # noqa: N802
        if not self.scope.failing(original_node):
            return updated_node
        if isinstance(original_node.operator, cst.Power) and _NEGATIVE_POWER in self._message:
            return updated_node.with_changes(left=self._floating(updated_node.left))
        if isinstance(original_node.operator, cst.Subtract) and _BOOLEAN_SUBTRACT in self._message and self._booleans:
            self.scope.note("boolean - → ^")
            old = updated_node.operator
            if isinstance(old, cst.Subtract):
                new = cst.BitXor(whitespace_before=old.whitespace_before, whitespace_after=old.whitespace_after)
                return updated_node.with_changes(operator=new)
        return updated_node

    def leave_UnaryOperation(self, original_node: cst.UnaryOperation, updated_node: cst.UnaryOperation) -> cst.UnaryOperation:  # noqa: N802
        if (
            isinstance(original_node.operator, cst.Minus)
            and _BOOLEAN_NEGATIVE in self._message
            and self._booleans
            and self.scope.failing(original_node)
        ):
            self.scope.note("-boolean → ~boolean")
            return updated_node.with_changes(operator=cst.BitInvert())
        return updated_node

    def _texts(self, call: cst.Call) -> cst.Call:
        """``np.where(condition, 'text', number)``: the number was made text."""
        if len(call.args) != 3 or any(arg.keyword or arg.star for arg in call.args):  # noqa: PLR2004 (a condition and both sides)
            return call
        texts = [string(arg.value) is not None for arg in call.args]
        numbers = [self._as_text(arg.value) for arg in call.args]
        place = next((side for side, other in ((1, 2), (2, 1)) if texts[other] and numbers[side] is not None), None)
        if place is None:
            return call
        self.scope.note("numpy.where(…, text, number) → both text")
        new = cst.parse_expression(repr(numbers[place]))
        return call.with_changes(args=[arg.with_changes(value=new) if at == place else arg for at, arg in enumerate(call.args)])

    def _as_text(self, node: cst.BaseExpression) -> str | None:
        value = value_of(node)
        if isinstance(value, int | float):
            return str(value)
        return "nan" if (self.scope.qualified(node) or "").lower() == "numpy.nan" else None

    def _makes_array(self, call: cst.Call) -> bool:
        return self.scope.qualified(call.func) in _ARRAYS and len(call.args) == 1 and "dtype" not in keyword_names(call)

    def _floating(self, base: cst.BaseExpression) -> cst.BaseExpression:
        """Make the base of a power a float."""
        self.scope.note("integer base of a negative power → float")
        if isinstance(base, cst.Integer):
            return cst.Float(f"{base.value}.0")
        if m.matches(base, m.Call(func=m.Name("float"))):
            return base
        return filled("{np}.asarray({x}, dtype=float)", {"x": base, "np": self.scope.reference("numpy")})

    def _cross(self, call: cst.Call) -> cst.BaseExpression:
        """Write out the cross product of plane vectors."""
        if len(call.args) != 2 or any(arg.keyword or arg.star for arg in call.args):  # noqa: PLR2004
            return call
        self.scope.note("numpy.cross in the plane → its determinant")
        arrays = [f"{self.scope.reference('numpy')}.asarray({code(arg.value)})" for arg in call.args]
        named = all(is_chain(arg.value) for arg in call.args)
        a, b = arrays if named else ("a", "b")
        determinant = f"({a}[..., 0] * {b}[..., 1] - {a}[..., 1] * {b}[..., 0])"
        return parsed(determinant if named else f"(lambda a, b: {determinant[1:-1]})({', '.join(arrays)})")


class Strictness(FailureRecipe):
    """Uses that numpy refuses today."""

    name = "numpy-strictness"
    summary = "numpy refuses what it once let pass; the meaning it had is spelled out."
    since = ""
    source = "NumPy 1.13 (booleans), 1.24 (ragged lists), 2.3 (fromstring), 2.5 (generators, plane vectors) release notes; NEP 50"
    errors = frozenset({"TypeError", "ValueError", "DTypePromotionError"})
    failing_unit_only = True
    codemod = _Strictness


RECIPES = (Strictness(),)
