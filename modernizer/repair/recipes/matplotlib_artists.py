"""Artists that are reached otherwise: parts of contours, lines of axes, data of lines, axes of a colour bar."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.recipe import is_chain
from modernizer.repair.syntax import argument, code, keyword_names, plus

_COLLECTIONS = "ContourSet' object has no attribute 'collections'"
_SEQUENCE = re.compile(r"^(?P<axis>[xy]) must be a sequence$")
_STEAL = "Unable to determine Axes to steal space for Colorbar"
_POP = "'ArtistList' object has no attribute 'pop'"
_CYCLER = "'_process_plot_var_args' object has no attribute 'prop_cycler'"
_STEMS = "'LineCollection' object is not iterable"
_JOIN = "'GrouperView' object has no attribute 'join'"
_SETS = m.SimpleStatementLine(body=[m.Expr(value=m.Call(func=m.Attribute()))])
_PARTS = m.Attribute(
    value=m.Subscript(value=m.Attribute(attr=m.Name("collections")), slice=[m.SubscriptElement(slice=m.Index())])
)
_NEXT_COLOR = m.Subscript(
    value=m.Call(func=m.Name("next"), args=[m.Arg(value=m.Attribute(attr=m.Name("prop_cycler")))]),
    slice=[m.SubscriptElement(slice=m.Index(value=m.SimpleString(value="'color'") | m.SimpleString(value='"color"')))],
)
_SHARED = m.Attribute(value=m.Call(func=m.Attribute(attr=m.Name("get_shared_x_axes") | m.Name("get_shared_y_axes")), args=[]))
_INDEX = m.Arg(value=m.Integer() | m.UnaryOperation(operator=m.Minus(), expression=m.Integer()))


class _Artists(ReceiverCodemod):
    @property
    def _message(self) -> str:
        return self.scope.failure.error.message if self.scope.failure else ""

    def leave_For(self, original_node: cst.For, updated_node: cst.For) -> cst.For:  # noqa: N802 (LibCST's visitor protocol)
        """``for c in contours.collections: c.set_...()``: the contours themselves are one artist now."""
        parts, target = original_node.iter, original_node.target
        if _STEMS in self._message and isinstance(parts, cst.Name) and self.scope.failing(original_node):
            if not isinstance(target, cst.Name) or not self._only_sets(original_node.body, target):
                return updated_node
            self.scope.note("the stems are one artist")
            return updated_node.with_changes(iter=cst.List([cst.Element(parts)]))
        if _COLLECTIONS not in self._message or not m.matches(parts, m.Attribute(attr=m.Name("collections"))):
            return updated_node
        if (
            not isinstance(parts, cst.Attribute)
            or not isinstance(target, cst.Name)
            or not self._only_sets(original_node.body, target)
        ):
            return updated_node
        self.scope.note("contours.collections → the contours")
        whole = cst.List([cst.Element(parts.value)])
        return updated_node.with_changes(iter=whole)

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:  # noqa: N802
        """``next(axes._get_lines.prop_cycler)['color']``: the axes give their next colour."""
        if _CYCLER not in self._message or not m.matches(original_node, _NEXT_COLOR):
            return updated_node
        cycler = cst.ensure_type(cst.ensure_type(updated_node.value, cst.Call).args[0].value, cst.Attribute)
        self.scope.note("next(prop_cycler)['color'] → get_next_color()")
        return cst.Call(func=cst.Attribute(value=cycler.value, attr=cst.Name("get_next_color")))

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802
        func = original_node.func
        if not isinstance(func, cst.Attribute) or not self.scope.failing(original_node):
            return updated_node
        if m.matches(func, _PARTS) and func.attr.value == "get_paths" and _COLLECTIONS in self._message:
            return self._paths(cst.ensure_type(func.value, cst.Subscript))
        if m.matches(func, _SHARED) and func.attr.value == "join" and _JOIN in self._message:
            return self._joined(func, updated_node)
        name, missing = func.attr.value, _SEQUENCE.search(self._message)
        if name == "set_data" and missing is not None:
            return self._listed(updated_node, 0 if missing["axis"] == "x" else 1)
        if name in {"set_xdata", "set_ydata"} and missing is not None and name[4] == missing["axis"]:
            return self._listed(updated_node, 0)
        if name == "pop" and _POP in self._message and m.matches(original_node, m.Call(args=[_INDEX])) and is_chain(func.value):
            self.scope.note("lines.pop(i) → lines[i].remove()")
            return cst.parse_expression(f"{code(func.value)}[{code(original_node.args[0].value)}].remove()")
        if name == "colorbar" and _STEAL in self._message and not keyword_names(original_node) & {"ax", "cax"}:
            return self._with_axes(func.value, updated_node)
        return updated_node

    def _paths(self, parts: cst.Subscript) -> cst.BaseExpression:
        """Return the paths of one level, which its collection had: one for each line or area."""
        contours = code(cst.ensure_type(parts.value, cst.Attribute).value)
        level = code(cst.ensure_type(parts.slice[0].slice, cst.Index).value)
        self.scope.note("collections[i].get_paths() → the paths of that level")
        path = self.scope.reference("matplotlib.path.Path")
        pairs = f"zip({contours}.allsegs[{level}], {contours}.allkinds[{level}])"
        return cst.parse_expression(f"[{path}(points, kinds) for points, kinds in {pairs}]")

    def _joined(self, func: cst.Attribute, call: cst.Call) -> cst.BaseExpression:
        """Let one axes share the scale of another."""
        plain = all(arg.keyword is None and not arg.star and is_chain(arg.value) for arg in call.args)
        if len(call.args) != 2 or not plain:  # noqa: PLR2004 (two axes)
            return call
        share = "sharex" if "_x_" in code(func.value) else "sharey"
        self.scope.note(f"join(a, b) → b.{share}(a)")
        return cst.parse_expression(f"{code(call.args[1].value)}.{share}({code(call.args[0].value)})")

    def _only_sets(self, body: cst.BaseSuite, target: cst.Name) -> bool:
        """Tell whether a loop's body consists of calls of setters of its variable."""
        for line in body.body:
            if not m.matches(line, _SETS):
                return False
            call = line.body[0].value  # type: ignore[union-attr]
            if not call.func.attr.value.startswith("set_") or code(call.func.value) != target.value:
                return False
        return True

    def _listed(self, call: cst.Call, position: int) -> cst.Call:
        """Put a single coordinate into a list."""
        if len(call.args) <= position or any(arg.star or arg.keyword for arg in call.args):
            return call
        if isinstance(call.args[position].value, cst.List | cst.Tuple):
            return call
        self.scope.note("set_data(x, y) → set_data([x], [y])")
        args = [
            arg.with_changes(value=cst.List([cst.Element(arg.value)])) if index == position else arg
            for index, arg in enumerate(call.args)
        ]
        return call.with_changes(args=args)

    def _with_axes(self, owner: cst.BaseExpression, call: cst.Call) -> cst.Call:
        """Say the current axes, from which a colour bar of something that stands in none took its place."""
        if argument(call, "cax", 1) is not None or not is_chain(owner):
            return call
        self.scope.note("colorbar(…, ax=the current axes)")
        return plus(call, ax=f"{code(owner)}.gca()")


class Artists(FailureRecipe):
    """Parts of figures."""

    name = "matplotlib-artists"
    summary = "Parts of a figure are reached or given in another way now; what is drawn stays the same."
    since = ""
    source = "Matplotlib API changes 3.5 (lists of artists), 3.6 (colour bars), 3.7 (data of lines), 3.8 and 3.10 (contours)"
    words = frozenset({"collections", "set_data", "set_xdata", "set_ydata", "pop", "colorbar", "prop_cycler", "for", "_axes"})
    errors = frozenset({"AttributeError", "RuntimeError", "TypeError", "ValueError"})
    message = re.compile(f"{re.escape(_COLLECTIONS)}|must be a sequence|{_STEAL}|{_POP}|{_CYCLER}|{_STEMS}|{_JOIN}")
    codemod = _Artists


RECIPES = (Artists(),)
