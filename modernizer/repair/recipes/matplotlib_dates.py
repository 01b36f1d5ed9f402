"""``plot_date``: an ordinary plot on an axis of dates."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.recipe import CodemodRecipe, Scope
from modernizer.repair.syntax import argument, code, keyword_names, without

_PLOT_DATE = "matplotlib.pyplot.plot_date"
_AXES = ("matplotlib.axes.Axes",)
_OTHER = frozenset({"tz", "xdate", "ydate"})
_FORMAT = 2


class _Dates(ReceiverCodemod):
    """Replaces calls, and puts the line that makes the axis one of dates before the statement they stand in."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._axes: list[str] = []

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        axes = self._axes_of(original_node.func)
        positional = [arg for arg in updated_node.args if arg.keyword is None]
        if axes is None or keyword_names(updated_node) & _OTHER or not _FORMAT <= len(positional) <= _FORMAT + 1:
            return updated_node
        if any(arg.star for arg in updated_node.args):
            return updated_node
        given = argument(updated_node, "fmt", _FORMAT)
        fmt = cst.Arg(given.value if given else cst.SimpleString("'o'"))
        rest = [arg for arg in without(updated_node, {"fmt"}).args[_FORMAT:] if arg.keyword]
        func = updated_node.func
        plot = func.with_changes(attr=cst.Name("plot")) if isinstance(func, cst.Attribute) else cst.Name("plot")
        self._axes.append(axes)
        self.scope.note("plot_date → plot on an axis of dates")
        if len(positional) > _FORMAT:
            return updated_node.with_changes(func=plot)
        fmt = fmt.with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))) if rest else fmt
        second = positional[1]
        if second.comma is cst.MaybeSentinel.DEFAULT:
            second = second.with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
        return updated_node.with_changes(func=plot, args=[positional[0], second, fmt, *rest])

    def leave_SimpleStatementLine(  # noqa: N802
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.SimpleStatementLine]:
        del original_node
        if not self._axes:
            return updated_node
        lines = [cst.ensure_type(cst.parse_statement(f"{axes}.xaxis_date()"), cst.SimpleStatementLine) for axes in self._axes]
        self._axes = []
        lines[0] = lines[0].with_changes(leading_lines=updated_node.leading_lines)
        return cst.FlattenSentinel([*lines, updated_node.with_changes(leading_lines=())])

    def _axes_of(self, func: cst.BaseExpression) -> str | None:
        """Return the source of the axes that a call draws on, None when it is no such call or not needed."""
        if self.scope.qualified(func) == _PLOT_DATE or _PLOT_DATE in self.scope.gone_from_star(func):
            if self.scope.installed.resolves(_PLOT_DATE):
                return None
            return f"{self.scope.reference('matplotlib.pyplot.gca')}()"
        if not isinstance(func, cst.Attribute) or func.attr.value != "plot_date" or self.scope.qualified(func) is not None:
            return None
        return code(func.value) if self.lacks(func.value, "plot_date", _AXES, distinctive=True) else None


class PlotDate(CodemodRecipe):
    """Plots over dates."""

    name = "matplotlib-plot-date"
    summary = "plot_date() is gone; plot() draws the same on an axis that was told to show dates."
    since = "matplotlib 3.11"
    source = "Matplotlib API changes 3.9 (deprecation) and 3.11 (removal)"
    words = frozenset({"plot_date"})
    codemod = _Dates


RECIPES = (PlotDate(),)
