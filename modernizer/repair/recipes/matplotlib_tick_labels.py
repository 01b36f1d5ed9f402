"""As many tick labels as ticks, which Matplotlib insists on where the ticks' places were given."""

from __future__ import annotations

import re

import libcst as cst

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.recipe import Codemod, Scope
from modernizer.repair.syntax import code

_COUNTS = re.compile(r"number of FixedLocator locations \((\d+)\).*number of labels \((\d+)\)", re.DOTALL)
_WITH_PLACES = frozenset({"xticks", "yticks", "set_xticks", "set_yticks", "thetagrids", "set_thetagrids"})
_LABELS_ONLY = frozenset({"set_xticklabels", "set_yticklabels", "set_ticklabels"})


class _TickLabels(Codemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        found = _COUNTS.search(scope.failure.error.message) if scope.failure else None
        self._places, self._labels = (int(found[1]), int(found[2])) if found else (0, 0)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        func = original_node.func
        if self._places == self._labels or not isinstance(func, cst.Attribute) or not self.scope.failing(original_node):
            return updated_node
        name = func.attr.value
        place = 1 if name in _WITH_PLACES else 0 if name in _LABELS_ONLY else None
        if place is None:
            return updated_node
        args = list(updated_node.args)
        chosen = next((at for at, arg in enumerate(args) if arg.keyword and arg.keyword.value == "labels"), place)
        if chosen >= len(args) or args[chosen].star or _is_another(args[chosen]):
            return updated_node
        labels = code(args[chosen].value)
        missing = self._places - self._labels
        empty = "['']" if missing == 1 else f"[''] * {missing}"
        new = f"list({labels}) + {empty}" if missing > 0 else f"list({labels})[:{self._places}]"
        self.scope.note("labels for all ticks")
        args[chosen] = args[chosen].with_changes(value=cst.parse_expression(new))
        return updated_node.with_changes(args=args)


def _is_another(arg: cst.Arg) -> bool:
    return arg.keyword is not None and arg.keyword.value != "labels"


class TickLabels(FailureRecipe):
    """Fewer or more labels than ticks."""

    name = "matplotlib-tick-labels"
    summary = "Ticks without a label got an empty one and labels without a tick were left out; Matplotlib wants that said."
    since = "Matplotlib 3.3"
    source = "Matplotlib API changes 3.3, https://matplotlib.org/stable/api/prev_api_changes/api_changes_3.3.0.html"
    words = frozenset({"ticks", "ticklabels", "thetagrids"})
    errors = frozenset({"ValueError"})
    message = _COUNTS
    failing_unit_only = True
    codemod = _TickLabels


RECIPES = (TickLabels(),)
