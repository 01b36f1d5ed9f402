"""The lists of what stands in axes can't be changed any more: their artists are removed one by one."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.recipe import is_chain
from modernizer.repair.syntax import code

_LISTS = frozenset({"lines", "patches", "texts", "collections", "images", "artists", "tables"})
_CHANGED = re.compile(
    r"property '(?:lines|patches|texts|collections|images|artists|tables)' of '\w*Axes\w*' object has no setter"
    r"|'ArtistList' object (?:has no attribute '(?:remove|clear)'|does(?: not|n't) support item (?:deletion|assignment))"
)
_EMPTY = m.List(elements=[]) | m.Call(func=m.Name("list"), args=[])
_ALL = m.SubscriptElement(slice=m.Slice(lower=None, upper=None, step=None))


class _ArtistLists(ReceiverCodemod):
    def leave_SimpleStatementLine(  # noqa: N802 (LibCST's visitor protocol)
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.BaseStatement:
        statement = original_node.body[0] if len(original_node.body) == 1 else None
        if statement is None or not self._of_axes(original_node):
            return updated_node
        whole, one = _emptied(statement), _removed(statement)
        if whole is not None:
            self.scope.note(f"each of {code(whole)} removed")
            name = next(name for name in ("artist", "drawn", "artist_in_axes") if not self.scope.names.mentions(name))
            loop = cst.ensure_type(cst.parse_statement(f"for {name} in list({code(whole)}):\n    {name}.remove()"), cst.For)
            body = loop.body.with_changes(header=updated_node.trailing_whitespace)
            return loop.with_changes(leading_lines=updated_node.leading_lines, body=body)
        if one is not None:
            self.scope.note(f"{one}.remove()")
            return updated_node.with_changes(body=[cst.Expr(cst.parse_expression(f"{one}.remove()"))])
        return updated_node

    def _of_axes(self, line: cst.SimpleStatementLine) -> bool:
        """Tell whether a line speaks of a list of axes: the failing one, or one of axes that are known."""
        if self.scope.failing(line):
            return True
        lists = (node.value for node in m.findall(line, m.Attribute()) if isinstance(node, cst.Attribute) and _is_list(node))
        return any((self.type_of(owner) or "").startswith("matplotlib.axes.") for owner in lists)


def _is_list(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Attribute) and node.attr.value in _LISTS and is_chain(node)


def _emptied(statement: cst.BaseSmallStatement) -> cst.BaseExpression | None:
    """Return the list that a statement emptied."""
    found: cst.BaseExpression | None = None
    if isinstance(statement, cst.Assign) and len(statement.targets) == 1 and m.matches(statement.value, _EMPTY):
        target = statement.targets[0].target
        if isinstance(target, cst.Subscript) and m.matches(target, m.Subscript(slice=[_ALL])):
            found = target.value
        elif isinstance(target, cst.Attribute):
            found = target
    elif isinstance(statement, cst.Del) and m.matches(statement.target, m.Subscript(slice=[_ALL])):
        found = cst.ensure_type(statement.target, cst.Subscript).value
    elif m.matches(statement, m.Expr(value=m.Call(func=m.Attribute(attr=m.Name("clear")), args=[]))):
        found = cst.ensure_type(cst.ensure_type(cst.ensure_type(statement, cst.Expr).value, cst.Call).func, cst.Attribute).value
    return found if found is not None and _is_list(found) else None


def _removed(statement: cst.BaseSmallStatement) -> str | None:
    """Return the source of the one artist that a statement took out of its list."""
    if isinstance(statement, cst.Del) and m.matches(statement.target, m.Subscript(slice=[m.SubscriptElement(slice=m.Index())])):
        return code(statement.target) if _is_list(cst.ensure_type(statement.target, cst.Subscript).value) else None
    plain = m.Arg(value=m.Name() | m.Subscript() | m.Attribute(), keyword=None, star="")
    if m.matches(statement, m.Expr(value=m.Call(func=m.Attribute(attr=m.Name("remove")), args=[plain]))):
        call = cst.ensure_type(cst.ensure_type(statement, cst.Expr).value, cst.Call)
        return code(call.args[0].value) if _is_list(cst.ensure_type(call.func, cst.Attribute).value) else None
    return None


class ArtistLists(FailureRecipe):
    """Lists of artists."""

    name = "matplotlib-artist-lists"
    summary = "The lists of artists in axes can't be changed any more; what was taken out of one is removed itself."
    since = "matplotlib 3.7"
    source = "Matplotlib API changes 3.5 (deprecation) and 3.7 (removal)"
    words = _LISTS
    errors = frozenset({"AttributeError", "TypeError"})
    message = _CHANGED
    codemod = _ArtistLists


RECIPES = (ArtistLists(),)
