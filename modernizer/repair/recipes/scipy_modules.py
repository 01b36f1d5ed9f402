"""``scipy.stats.mode`` keeps its axis no more, and ``scipy.fft`` is a module: the old shape and function are named."""

from __future__ import annotations

import re

import libcst as cst

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.recipe import Codemod
from modernizer.repair.syntax import argument, keyword_names, literal, plus

_SCALAR = "invalid index to scalar variable"
_MODULE = "'module' object is not callable"


class _Modules(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        failure, qualified = self.scope.failure, self.scope.qualified(original_node.func)
        if failure is None:
            return updated_node
        if qualified == "scipy.fft" and _MODULE in failure.error.message:
            self.scope.note("scipy.fft() → numpy.fft.fft()")
            return updated_node.with_changes(func=cst.parse_expression(self.scope.reference("numpy.fft.fft")))
        axis = argument(original_node, "axis", 1)
        of_all = axis is not None and literal(axis.value) == "None"
        if qualified == "scipy.stats.mode" and _SCALAR in failure.error.message and not of_all:
            if "keepdims" in keyword_names(original_node) or not self.scope.at_least("scipy", "1.11"):
                return updated_node
            self.scope.note("scipy.stats.mode(…, keepdims=True)")
            return plus(updated_node, keepdims="True")
        return updated_node


class Modules(FailureRecipe):
    """The mode's shape and the Fourier transform."""

    name = "scipy-mode-and-fft"
    summary = "scipy.stats.mode() drops the axis it works along, and scipy.fft is a module; both are told to do as before."
    since = "scipy 1.11"
    source = "SciPy release notes 1.4 and 1.5 (scipy.fft), 1.9 and 1.11 (keepdims of mode)"
    words = frozenset({"mode", "fft"})
    errors = frozenset({"IndexError", "TypeError"})
    message = re.compile(f"{_SCALAR}|{_MODULE}")
    codemod = _Modules


RECIPES = (Modules(),)
