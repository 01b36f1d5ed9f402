"""Inputs that scikit-learn refuses today: ``numpy.matrix``, and tables whose columns have names of several types."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import filled
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import FRAME, ReceiverCodemod

_MATRIX = "np.matrix is not supported"
_NAMES = "Feature names are only supported if all input features have string names"
_MAKERS = frozenset({"numpy.matrix", "numpy.asmatrix", "numpy.mat"})
_TODENSE = m.Call(func=m.Attribute(attr=m.Name("todense")), args=[])


class _Inputs(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        failure = self.scope.failure
        if failure is None or not self.scope.failing(original_node):
            return updated_node
        qualified = self.scope.qualified(original_node.func) or ""
        if not isinstance(original_node.func, cst.Attribute) and not qualified.startswith("sklearn."):
            return updated_node
        change = self._array if _MATRIX in failure.message else self._named
        args = [
            new if old.star else new.with_changes(value=change(old.value, new.value))
            for old, new in zip(original_node.args, updated_node.args, strict=True)
        ]
        return updated_node.with_changes(args=args)

    def _array(self, old: cst.BaseExpression, new: cst.BaseExpression) -> cst.BaseExpression:
        """Return the array of a matrix; other expressions stay."""
        if m.matches(old, _TODENSE) and isinstance(new, cst.Call):
            self.scope.note(".todense() → .toarray()")
            return new.with_changes(func=cst.ensure_type(new.func, cst.Attribute).with_changes(attr=cst.Name("toarray")))
        made = isinstance(old, cst.Call) and self.scope.qualified(old.func) in _MAKERS
        live = self.describe(old)
        if not made and (live is None or live.type_name not in _MAKERS):
            return new
        self.scope.note("numpy.matrix → numpy.asarray()")
        return filled("{np}.asarray({x})", {"x": new, "np": self.scope.reference("numpy")})

    def _named(self, old: cst.BaseExpression, new: cst.BaseExpression) -> cst.BaseExpression:
        """Return a table with text for names of columns; other expressions stay."""
        live = self.describe(old)
        if live is None or live.type_name != FRAME:
            return new
        self.scope.note("names of columns → text")
        return filled("{x}.rename(columns=str)", {"x": new})


class Inputs(FailureRecipe):
    """Matrices and mixed names of columns."""

    name = "sklearn-refused-input"
    summary = "scikit-learn takes arrays and tables with names of one type only; the same numbers are passed so."
    since = "scikit-learn 1.2"
    source = "scikit-learn What's New 1.0 (deprecations) and 1.2 (errors)"
    errors = frozenset({"TypeError", "ValueError"})
    failing_unit_only = True
    message = re.compile(f"{_MATRIX}|{_NAMES}")
    codemod = _Inputs


RECIPES = (Inputs(),)
