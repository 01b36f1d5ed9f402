"""Rows and columns that methods picked: ``first('3D')``, ``last('3D')``, ``select(function)`` and ``loc[series.argmax()]``."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.evidence import missing_attribute
from modernizer.repair.expressions import atom, filled, value_of
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import FRAME, SERIES, ReceiverCodemod
from modernizer.repair.recipe import is_chain
from modernizer.repair.syntax import argument, code, string

_SPAN = re.compile(r"(?P<number>\d*)(?P<unit>D|H|h|T|min|S|s|M|ME)")
_POSITION = re.compile(r"(?:np\.int\d+\()?\d+\)?")
_UNITS = {"D": "days", "H": "hours", "h": "hours", "T": "minutes", "min": "minutes", "S": "seconds", "s": "seconds"}


class _PickedRows(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        func = original_node.func
        if not isinstance(func, cst.Attribute) or not isinstance(updated_node.func, cst.Attribute):
            return updated_node
        name = func.attr.value
        if name in {"first", "last"} and self._lacks(func.value, name):
            return self._span(original_node, updated_node, name)
        if name == "select" and self.scope.failing(original_node):
            return self._select(original_node, updated_node)
        if name in {"argmax", "argmin"} and not original_node.args and self._looked_up(original_node, func.value):
            self.scope.note(f".{name}() → .idx{name[3:]}()")
            return updated_node.with_changes(func=updated_node.func.with_changes(attr=cst.Name(f"idx{name[3:]}")))
        return updated_node

    def _lacks(self, receiver: cst.BaseExpression, name: str) -> bool:
        refused = missing_attribute(self.scope.failure)
        return refused is not None and refused.name == name and self.lacks(receiver, name, {FRAME, SERIES})

    def _span(self, original: cst.Call, call: cst.Call, name: str) -> cst.BaseExpression:
        """Pick the first or last rows of a span of time; what starts a span of days is not in the next one."""
        receiver = original.func.value if isinstance(original.func, cst.Attribute) else original
        given = argument(original, "offset", 0)
        found = _SPAN.fullmatch(string(given.value) or "") if given is not None else None
        if found is None or not is_chain(receiver) or len(call.args) != 1:
            return call
        number, months = int(found["number"] or 1), found["unit"] in {"M", "ME"}
        length = "pandas.offsets.MonthEnd" if months else "pandas.Timedelta"
        unit = "" if months else f"{_UNITS[found['unit']]}="
        span = f"{self.scope.reference(length)}({unit}{number})"
        place, sign, mark = (0, "+", "<=" if months else "<") if name == "first" else (-1, "-", ">")
        self.scope.note(f".{name}(offset) → rows by their index")
        rows = filled(f"{{x}}[{{x}}.index {mark} {{x}}.index[{place}] {sign} {span}]", {"x": receiver})
        return _commented(rows, original.func)

    def _select(self, original: cst.Call, call: cst.Call) -> cst.BaseExpression:
        """Pick the labels that a function says yes to: ``x.select(function, axis=1)``."""
        receiver = original.func.value if isinstance(original.func, cst.Attribute) else original
        function, axis = argument(original, "crit", 0), argument(original, "axis", 1)
        side = value_of(axis.value) if axis else 0
        live = self.describe(receiver)
        if function is None or live is None or live.type_name not in {FRAME, SERIES} or not is_chain(receiver):
            return call
        called = isinstance(function.value, cst.Lambda) or self._is_function(function.value)
        if not called or side not in {0, 1, "index", "columns"} or len(call.args) > 2:  # noqa: PLR2004 (the function and an axis)
            return call
        self.scope.note(".select(function) → the labels it says yes to")
        by_columns = side in {1, "columns"}
        axis_name, accessor = ("columns", "") if by_columns else ("index", ".loc")
        if isinstance(function.value, cst.Lambda) and (body := _applied(function.value)) is not None:
            label, test = body
        else:
            label, test = "label", f"{atom(function.value)}(label)"
        picked = f"{{x}}{accessor}[[{label} for {label} in {{x}}.{axis_name} if {{test}}]]"
        return _commented(filled(picked, {"x": receiver, "test": test}), original.func)

    def _is_function(self, node: cst.BaseExpression) -> bool:
        live = self.describe(node)
        return live is not None and live.type_name.rpartition(".")[2] in {"function", "builtin_function_or_method"}

    def _looked_up(self, call: cst.Call, receiver: cst.BaseExpression) -> bool:
        """Tell whether the failed look-up was for the position that a series gives today for its label."""
        failure = self.scope.failure
        missing = failure is not None and failure.error.name == "KeyError" and _POSITION.fullmatch(failure.error.message)
        if not missing or not self.scope.failing(call):
            return False
        live = self.describe(receiver)
        return (
            live is not None and live.type_name == SERIES and not (live.index_dtype or "int").startswith(("int", "uint", "float"))
        )


def _commented(picked: cst.BaseExpression, func: cst.BaseExpression) -> cst.BaseExpression:
    """Keep a comment that stood before the dot of the method."""
    space = func.dot.whitespace_before if isinstance(func, cst.Attribute) else None
    if not isinstance(picked, cst.Subscript) or not isinstance(space, cst.ParenthesizedWhitespace) or "#" not in code(space):
        return picked
    return picked.with_changes(whitespace_after_value=space)


def _applied(function: cst.Lambda) -> tuple[str, str] | None:
    """Return the parameter and the body of a function of one label."""
    params = function.params.params
    plain = len(params) == 1 and params[0].default is None and not m.findall(function.body, m.Lambda() | m.CompFor())
    return (params[0].name.value, code(function.body)) if plain else None


class PickedRows(FailureRecipe):
    """Picked rows and columns."""

    name = "pandas-picked-rows"
    summary = "The method that picked rows or columns is gone or means another thing; they are picked between brackets."
    since = ""
    source = "pandas What's New 0.21 (select, argmax of Series), 1.0 (their removal), 2.1 (first, last) and 3.0"
    words = frozenset({".first(", ".last(", ".select(", ".argmax(", ".argmin("})
    errors = frozenset({"AttributeError", "KeyError", "TypeError"})
    codemod = _PickedRows


RECIPES = (PickedRows(),)
