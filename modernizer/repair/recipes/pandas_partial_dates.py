"""``frame['2016-02']`` picked rows by a part of a date until pandas 2: ``frame.loc['2016-02']``."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.evidence import raised_in
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import FRAME, ReceiverCodemod
from modernizer.repair.recipe import Scope, is_chain
from modernizer.repair.syntax import code, string

PARTIAL_DATE = re.compile(
    r"(?:\d{1,2}[-/ ])?(?:\d{4}|[A-Za-z]{3,9}[ -]\d{4})(?:[-/]?\d{1,2}){0,2}(?:[ T]\d{1,2}(?::\d{2})*)?|\d{4}-?[Qq][1-4]"
)


_WRITTEN = m.AssignTarget(target=m.Subscript(slice=[m.SubscriptElement(slice=m.Index(m.SimpleString()))]))


class _PartialDates(ReceiverCodemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._targets: set[cst.CSTNode] = set()

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.Subscript:  # noqa: N802 (LibCST's visitor protocol)
        failure = self.scope.failure
        if failure is None or len(original_node.slice) != 1 or not isinstance(original_node.slice[0].slice, cst.Index):
            return updated_node
        text = string(original_node.slice[0].slice.value)
        if (
            text is None
            or not PARTIAL_DATE.fullmatch(text)
            or not (self._by_dates(original_node.value) or self._failed(original_node, text))
        ):
            return updated_node
        if not self._as_failing(text) or original_node in self._targets or self._written(original_node.value):
            return updated_node
        self.scope.note(f"frame[{text!r}] → frame.loc[{text!r}]")
        return updated_node.with_changes(value=cst.Attribute(value=updated_node.value, attr=cst.Name("loc")))

    def visit_AssignTarget(self, node: cst.AssignTarget) -> bool:  # noqa: N802
        # That makes a column or is lost.
        return not isinstance(node.target, cst.Subscript | cst.Attribute)

    def visit_AugAssign(self, node: cst.AugAssign) -> None:  # noqa: N802
        # What is written into a part of picked rows does not reach the frame.
        if isinstance(node.target, cst.Subscript | cst.Attribute):
            self._targets.update(m.findall(node.target.value, m.Subscript()))

    def visit_Del(self, node: cst.Del) -> None:  # noqa: N802
        self._targets.update(m.findall(node, m.Subscript()))

    def _written(self, frame: cst.BaseExpression) -> bool:
        """Tell whether the program writes to a date of a frame, which meant rows then and a column now."""
        targets = (
            found.target
            for tree in self.scope.names.trees
            for found in m.findall(tree, _WRITTEN)
            if isinstance(found, cst.AssignTarget)
        )
        subscripts = [target for target in targets if isinstance(target, cst.Subscript) and code(target.value) == code(frame)]
        keys = (one.slice[0].slice.value for one in subscripts if isinstance(one.slice[0].slice, cst.Index))
        return any(PARTIAL_DATE.fullmatch(string(key) or "") for key in keys)

    def _failed(self, node: cst.Subscript, text: str) -> bool:
        """Tell whether a frame that can't be looked at was searched for this text: with other rows it failed ever since."""
        failure = self.scope.failure
        unseen = not is_chain(node.value) or self.is_local(node.value)
        same = failure is not None and repr(text) == failure.error.message and raised_in(failure, "pandas/core/frame.py")
        return unseen and same and self.scope.failing(node)

    def _as_failing(self, text: str) -> bool:
        """Tell whether a date is as long as the one that failed: another of that kind."""
        message = self.scope.failure.error.message if self.scope.failure else ""
        return re.sub(r"\d", "0", repr(text)) == re.sub(r"\d", "0", message)

    def _by_dates(self, frame: cst.BaseExpression) -> bool:
        """Tell whether a frame has dates for its rows and none for its columns."""
        live = self.describe(frame) or self.describe_later(frame)
        if live is None or live.type_name != FRAME or live.index_type != "pandas.DatetimeIndex" or not is_chain(frame):
            return False
        columns = self.describe(cst.parse_expression(f"{code(frame)}.columns"))
        return columns is None or columns.type_name == "pandas.Index"


class PartialDates(FailureRecipe):
    """Rows by part of a date."""

    name = "pandas-partial-date"
    summary = "A part of a date between the brackets of a frame is a column today; .loc picks its rows."
    since = "pandas 2.0"
    source = "pandas What's New 1.2 (deprecation of partial dates in DataFrame.__getitem__) and 2.0 (removal)"
    words = frozenset({"["})
    errors = frozenset({"KeyError"})
    codemod = _PartialDates


RECIPES = (PartialDates(),)
