"""Columns of ``get_dummies``, which are bool since pandas 2.0: numbers again where an error shows that numbers are needed."""

from __future__ import annotations

import re

import libcst as cst

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.recipe import Codemod, Failure, Scope, Unit
from modernizer.repair.syntax import argument, plus

# Where bool columns beside numbers became an object array, and where bool has no arithmetic.
_MESSAGE = re.compile(
    r"Pandas data cast to numpy dtype of object"
    r"|loop of ufunc does not support argument \d+ of type (?:float|int|bool) which has no callable"
    r"|[Nn]umpy boolean (?:subtract|negative)"
    r"|Cannot cast ufunc '?\w+'? input.* from (?:np\.)?dtype\('O'\)|ufunc '\w+' not supported for the input types"
    r"|Cannot cast array data from (?:np\.)?dtype\('O'\) to (?:np\.)?dtype\('float64'\)"
    r"|can't convert np\.ndarray of type numpy\.object_|Failed to convert a NumPy array to a Tensor \(Unsupported object type"
)
_CHAIN = re.compile(r"(?<![\w.'\"])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_DTYPE_POSITION = 7
_MOST_ASKED = 12


class _Dummies(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        if self.scope.qualified(original_node.func) != "pandas.get_dummies" or any(arg.star for arg in original_node.args):
            return updated_node
        if argument(original_node, "dtype", _DTYPE_POSITION) is not None:
            return updated_node
        self.scope.note("get_dummies(…) → get_dummies(…, dtype=int)")
        return plus(updated_node, dtype="int")


def _bool_columns(failure: Failure, scope: Scope) -> bool:
    """Tell whether something on a line of the user's that led to the error is bool, or an object array as mixing it gives."""
    lines = [frame.code for frame in failure.error.frames if frame.cell is not None or frame.local]
    found = (chain for line in reversed(lines) for chain in _CHAIN.findall(line))
    owners = (chain.rsplit(".", cut)[0] for chain in found for cut in range(chain.count(".") + 1))
    for chain in list(dict.fromkeys(owners))[:_MOST_ASKED]:
        about = scope.live.describe(chain) if scope.live else None
        if about is not None and ("bool" in (about.column_dtypes or {}).values() or about.dtype in {"bool", "object"}):
            return True
    return False


class Dummies(FailureRecipe):
    """``pd.get_dummies`` without a dtype, when arithmetic on its columns fails."""

    name = "pandas-dummies-as-numbers"
    summary = "get_dummies gives bool columns now; dtype=int gives numbers, as it did."
    since = "pandas 2.0"
    source = "pandas What's New 2.0 (get_dummies: default dtype changed to bool)"
    words = frozenset({"get_dummies"})
    errors = frozenset({"TypeError", "ValueError", "UFuncTypeError", "_UFuncInputCastingError"})
    message = _MESSAGE
    codemod = _Dummies

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Run only where a bool column is proven to stand on the failing line; statsmodels says itself that one does."""
        failure = scope.failure
        if failure is None or not scope.at_least("pandas", "2.0"):
            return None
        told = failure.error.message.startswith("Pandas data cast")
        return super().rewrite(unit, scope) if told or _bool_columns(failure, scope) else None


RECIPES = (Dummies(),)
