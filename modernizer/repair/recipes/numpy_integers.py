"""Floats where numpy and Python ask for an integer (a size, an index, a count): ``int()`` of them, as numpy once did."""

from __future__ import annotations

import re

import libcst as cst

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.syntax import code

_MESSAGES = re.compile(
    r"'(?:numpy\.)?float(?:64|32)?' object cannot be interpreted as an integer|integer argument expected, got float"
    r"|expected a sequence of integers or a single integer, got|slice indices must be integers|only integers, slices \(`:`\)"
    r"|(?:list|string|tuple|range object) indices must be integers or slices, not (?:numpy\.)?float"
    r"|Number of rows must be a positive integer|can't multiply sequence by non-int of type '(?:numpy\.)?float"
)
# Positional arguments that are integers: all of them, or the one at this position; and keywords.
_ALL = frozenset({"range", "xrange", "numpy.random.rand", "numpy.random.randn", "numpy.eye", "numpy.identity"})
_FIRST = frozenset({"numpy.zeros", "numpy.ones", "numpy.empty", "numpy.full", "numpy.random.random", "numpy.random.permutation"})
_AT = {
    "numpy.linspace": 2,
    "numpy.logspace": 2,
    "numpy.random.choice": 1,
    "numpy.random.normal": 2,
    "numpy.random.uniform": 2,
    "numpy.random.randint": 2,
    "numpy.tile": 1,
    "numpy.split": 1,
    "numpy.array_split": 1,
    "numpy.repeat": 1,
    "numpy.roll": 1,
}
_REPEATED = cst.BaseString | cst.List | cst.Tuple
_METHODS = frozenset({"reshape", "rand", "randn", "resize", "head", "tail"})
_PLOTS = frozenset({"matplotlib.pyplot.subplot", "matplotlib.pyplot.subplots", "matplotlib.pyplot.figure"})
_KEYWORDS = frozenset({"num", "size", "shape", "nrows", "ncols", "n", "bins", "reps", "base"})
_FLOAT_FUNCTIONS = frozenset(
    {"round", "numpy.round", "numpy.floor", "numpy.ceil", "numpy.sqrt", "numpy.rint", "numpy.log2", "math.sqrt", "numpy.around"}
)


class _Integers(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        if not self._fails(original_node):
            return updated_node
        args = [
            new.with_changes(value=self._integral(old.value, new.value)) if self._takes_integer(original_node, position) else new
            for position, (old, new) in enumerate(zip(original_node.args, updated_node.args, strict=True))
        ]
        return updated_node.with_changes(args=args)

    def leave_SubscriptElement(  # noqa: N802
        self, original_node: cst.SubscriptElement, updated_node: cst.SubscriptElement
    ) -> cst.SubscriptElement:
        if not self._fails(original_node):
            return updated_node
        old, new = original_node.slice, updated_node.slice
        if isinstance(old, cst.Index) and isinstance(new, cst.Index):
            return updated_node.with_changes(slice=new.with_changes(value=self._integral(old.value, new.value)))
        if not isinstance(old, cst.Slice) or not isinstance(new, cst.Slice):
            return updated_node
        parts = {
            name: self._integral(getattr(old, name), getattr(new, name))
            for name in ("lower", "upper", "step")
            if getattr(old, name) is not None
        }
        return updated_node.with_changes(slice=new.with_changes(**parts))

    def leave_BinaryOperation(self, original_node: cst.BinaryOperation, updated_node: cst.BinaryOperation) -> cst.BinaryOperation:  # noqa: N802
        """``"-" * (n / 2)``: text and lists are repeated a whole number of times."""
        if not isinstance(original_node.operator, cst.Multiply) or not self._fails(original_node):
            return updated_node
        left, right = original_node.left, original_node.right
        if isinstance(left, _REPEATED):
            return updated_node.with_changes(right=self._integral(right, updated_node.right))
        return (
            updated_node.with_changes(left=self._integral(left, updated_node.left))
            if isinstance(right, _REPEATED)
            else updated_node
        )

    def _fails(self, node: cst.CSTNode) -> bool:
        failure = self.scope.failure
        return failure is not None and self.scope.failing(node) and bool(_MESSAGES.search(failure.error.message))

    def _takes_integer(self, call: cst.Call, position: int) -> bool:
        arg = call.args[position]
        if arg.star:
            return False
        if arg.keyword is not None:
            return arg.keyword.value in _KEYWORDS
        qualified = self.scope.qualified(call.func) or (call.func.value if isinstance(call.func, cst.Name) else "")
        if qualified in _ALL or qualified in _PLOTS or (qualified in _FIRST and position == 0):
            return True
        if qualified in _AT:
            return position == _AT[qualified]
        return isinstance(call.func, cst.Attribute) and call.func.attr.value in _METHODS

    def _integral(self, old: cst.BaseExpression, new: cst.BaseExpression) -> cst.BaseExpression:
        """Put int() around what is a float, element by element in tuples and lists."""
        if isinstance(old, cst.Tuple | cst.List) and isinstance(new, cst.Tuple | cst.List):
            elements = [
                after.with_changes(value=self._integral(before.value, after.value))
                for before, after in zip(old.elements, new.elements, strict=True)
            ]
            return new.with_changes(elements=elements)
        if not self._is_float(old):
            return new
        if isinstance(new, cst.Float) and float(new.value).is_integer():
            self.scope.note(f"{new.value} → {int(float(new.value))}")
            return cst.Integer(str(int(float(new.value))))
        self.scope.note(f"{code(new)} → int({code(new)})")
        return cst.Call(func=cst.Name("int"), args=[cst.Arg(new.with_changes(lpar=(), rpar=()))])

    def _is_float(self, node: cst.BaseExpression) -> bool:
        match node:
            case cst.Float():
                return True
            case cst.BinaryOperation(operator=cst.Divide()):
                return True
            case cst.BinaryOperation(left=left, right=right):
                return self._is_float(left) or self._is_float(right)
            case cst.UnaryOperation(expression=inner):
                return self._is_float(inner)
            case cst.Call(func=func):
                return (self.scope.qualified(func) or (func.value if isinstance(func, cst.Name) else "")) in _FLOAT_FUNCTIONS
            case _:
                live = self.describe(node)
                return live is not None and live.type_name in {"float", "builtins.float", "numpy.float64", "numpy.float32"}


class Integers(FailureRecipe):
    """Floats given where integers are needed."""

    name = "float-as-integer"
    summary = "A size, count or index must be an integer now; int() gives the one that was used."
    since = "NumPy 1.18"
    source = "NumPy 1.12 and 1.18 release notes (expired deprecations)"
    errors = frozenset({"TypeError", "IndexError", "ValueError"})
    message = _MESSAGES
    failing_unit_only = True
    codemod = _Integers


RECIPES = (Integers(),)
