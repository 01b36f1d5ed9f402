"""Functions and constants of numpy that are gone and have no namesake: an expression gives the same."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import atom, bind, filled, parsed, value_of
from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.syntax import code

_CONSTANTS = {"numpy.NINF": "-{np}.inf", "numpy.PZERO": "0.0", "numpy.NZERO": "-0.0"}
# Function: old parameters and a template for each set of given ones.
_FUNCTIONS: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "numpy.msort": (("a",), {"a": "{np}.sort({a}, axis=0)"}),
    "numpy.asfarray": (("a", "dtype"), {"a": "{np}.asarray({a}, dtype=float)", "a,dtype": "{np}.asarray({a}, dtype={dtype})"}),
    "numpy.disp": (("mesg",), {"mesg": "print({mesg})"}),
    "numpy.recfromcsv": (
        ("fname",),
        {"fname": "{np}.genfromtxt({fname}, delimiter=',', names=True, dtype=None, case_sensitive='lower').view({np}.recarray)"},
    ),
    "numpy.recfromtxt": (("fname",), {"fname": "{np}.genfromtxt({fname}, dtype=None).view({np}.recarray)"}),
}
_FLOATS = frozenset({"float", "numpy.float64", "numpy.float32", "numpy.float_"})


class _NumpyRemoved(Codemod):
    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        return self._constant(original_node, updated_node)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:  # noqa: N802
        return self._constant(original_node, updated_node)

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:  # noqa: N802
        del node
        return False

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802
        qualified = self.scope.qualified(original_node.func) or ""
        if m.matches(original_node.func, m.Subscript()):
            return self._cast(original_node, updated_node)
        if qualified == "numpy.in1d" and self._gone(qualified):
            return self._flat(original_node, updated_node)
        if qualified == "numpy.asscalar" and self._gone(qualified):
            return self._asscalar(original_node, updated_node)
        if qualified == "numpy.find_common_type" and self._gone(qualified):
            return self._common_type(updated_node)
        if qualified not in _FUNCTIONS or not self._gone(qualified):
            return updated_node
        parameters, forms = _FUNCTIONS[qualified]
        bound = bind(updated_node.args, parameters)
        template = None if bound is None else forms.get(",".join(name for name in parameters if name in bound))
        if bound is None or template is None:
            return updated_node
        if "dtype" in bound and self._type_name(bound["dtype"]) not in _FLOATS:
            return updated_node
        self.scope.note(f"{qualified} → {template.partition('(')[0].replace('{np}', 'numpy')}")
        return filled(template, {**bound, "np": self.scope.reference("numpy")})

    def _constant(self, original: cst.Name | cst.Attribute, updated: cst.BaseExpression) -> cst.BaseExpression:
        qualified = self.scope.qualified(original)
        if qualified not in _CONSTANTS or qualified is None or not self._gone(qualified):
            return updated
        self.scope.note(f"{qualified} → {_CONSTANTS[qualified].replace('{np}', 'numpy')}")
        return parsed(_CONSTANTS[qualified].format(np=self.scope.reference("numpy")))

    def _gone(self, dotted: str) -> bool:
        return self.scope.installed.version("numpy") is not None and not self.scope.installed.resolves(dotted)

    def _flat(self, original: cst.Call, call: cst.Call) -> cst.Call:
        """``in1d(x, y)`` gave one axis whatever x had; ``isin``, its present name, keeps the axes."""
        first = original.args[0] if original.args else None
        if first is None or first.star or (first.keyword and first.keyword.value != "ar1") or self._has_one_axis(first.value):
            return call
        self.scope.note("numpy.in1d(x, …) → numpy.isin(numpy.ravel(x), …)")
        flat = cst.parse_expression(f"{self.scope.reference('numpy')}.ravel({code(call.args[0].value)})")
        return call.with_changes(args=[call.args[0].with_changes(value=flat), *call.args[1:]])

    def _has_one_axis(self, node: cst.BaseExpression) -> bool:
        """Tell whether an expression is a flat list, a series, or an array that the kernel knows to have one axis."""
        if isinstance(node, cst.List | cst.Tuple):
            return not any(isinstance(element.value, cst.List | cst.Tuple | cst.Name | cst.Call) for element in node.elements)
        if isinstance(node, cst.Call) and self.scope.qualified(node.func) in {"numpy.arange", "numpy.ravel", "numpy.unique"}:
            return True
        live = self.scope.describe(node)
        return self.scope.type_of(node) == "pandas.Series" or (live is not None and len(live.shape or ()) == 1)

    def _asscalar(self, original: cst.Call, call: cst.Call) -> cst.BaseExpression:
        """``asscalar(x)`` was ``x.item()``, and took plain numbers too."""
        if len(call.args) != 1 or call.args[0].star or call.args[0].keyword:
            return call
        value = original.args[0].value
        kind = self.scope.type_of(value) or self.scope.qualified(value.func if isinstance(value, cst.Call) else value) or ""
        self.scope.note("numpy.asscalar(x) → x.item()")
        if kind.startswith("numpy.") or (isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute)):
            return parsed(f"{atom(call.args[0].value)}.item()")
        return filled("{np}.asarray({x}).item()", {"x": call.args[0].value, "np": self.scope.reference("numpy")})

    def _common_type(self, call: cst.Call) -> cst.BaseExpression:
        if len(call.args) != 2 or value_of(call.args[1].value) not in ([], ()):  # noqa: PLR2004 (arrays, scalars)
            return call
        self.scope.note("numpy.find_common_type → numpy.result_type")
        return parsed(f"{self.scope.reference('numpy')}.result_type(*{code(call.args[0].value)})")

    def _cast(self, original: cst.Call, call: cst.Call) -> cst.BaseExpression:
        """``np.cast[dtype](x)``: an array of that dtype."""
        func = call.func
        if not isinstance(original.func, cst.Subscript) or not isinstance(func, cst.Subscript) or len(call.args) != 1:
            return call
        if self.scope.qualified(original.func.value) != "numpy.cast" or not self._gone("numpy.cast"):
            return call
        self.scope.note("numpy.cast[dtype](x) → numpy.asarray(x).astype(dtype)")
        return parsed(f"{self.scope.reference('numpy')}.asarray({code(call.args[0].value)}).astype({code(func.slice[0].slice)})")

    def _type_name(self, node: cst.BaseExpression) -> str:
        return self.scope.qualified(node) or code(node)


class NumpyRemoved(CodemodRecipe):
    """Gone functions and constants of numpy."""

    name = "numpy-removed"
    summary = "A numpy function or constant is gone; an expression of the present API gives the same value."
    since = "NumPy 2.0"
    source = "NumPy 1.23 and 2.0 release notes, migration guide"
    words = frozenset({"NINF", "PZERO", "NZERO", "asscalar", "in1d", "find_common_type", "np.cast", "numpy.cast"}) | frozenset(
        name.removeprefix("numpy.") for name in _FUNCTIONS
    )
    # Before moved symbols, which give in1d its present name.
    order = 19
    confirmed = True
    codemod = _NumpyRemoved


RECIPES = (NumpyRemoved(),)
