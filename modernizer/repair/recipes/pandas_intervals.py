"""Labels of bins: ``pd.cut`` names them by intervals since pandas 0.20, no longer by text such as '(17.9, 33.5]'."""

from __future__ import annotations

import re

import libcst as cst

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.recipe import Codemod, Scope
from modernizer.repair.syntax import string

_NUMBER = r"-?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf)"
_LABEL = re.compile(rf"(?P<left>[(\[])(?P<from>{_NUMBER}), (?P<to>{_NUMBER})(?P<right>[)\]])")
_CLOSED = {"(]": "", "[)": ", closed='left'", "[]": ", closed='both'", "()": ", closed='neither'"}


class _Intervals(Codemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        message = scope.failure.error.message if scope.failure else ""
        self._missing = {found[0] for found in _LABEL.finditer(message)}
        self._cuts = scope.names.mentions("cut") + scope.names.mentions("qcut") + scope.names.mentions("interval_range") > 0

    def leave_SimpleString(self, original_node: cst.SimpleString, updated_node: cst.SimpleString) -> cst.BaseExpression:  # noqa: N802
        text = string(original_node)
        if not self._cuts or text not in self._missing or not (found := _LABEL.fullmatch(text or "")):
            return updated_node
        closed = _CLOSED[found["left"] + found["right"]]
        self.scope.note("label of a bin → pandas.Interval")
        ends = (f"float('{end}')" if "inf" in end else end for end in (found["from"], found["to"]))
        return cst.parse_expression(f"{self.scope.reference('pandas')}.Interval({', '.join(ends)}{closed})")


class Intervals(FailureRecipe):
    """Text labels of bins that a frame with interval labels does not find."""

    name = "pandas-interval-labels"
    summary = "pd.cut labels its bins by intervals, so that they are named by pd.Interval and no longer by their text."
    since = "pandas 0.20"
    source = "pandas What's New 0.20 (IntervalIndex: the categories of cut and qcut)"
    words = frozenset({"(", "["})
    errors = frozenset({"KeyError"})
    message = _LABEL
    codemod = _Intervals


RECIPES = (Intervals(),)
