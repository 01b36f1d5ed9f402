"""Nodes, edges and neighbours by their place: networkx 1 gave lists, networkx 2 gives views and iterators."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import ReceiverCodemod

_MESSAGE = re.compile(
    r"'dict_keyiterator' object is not subscriptable|object of type 'dict_keyiterator' has no len"
    r"|does not support slicing, try list"
    r"|cannot unpack non-iterable int object|^-?\d+$|'(?:Node|Edge|OutEdge)(?:Data)?View' object is not"
)
_LISTS = m.Call(
    func=m.Attribute(attr=m.Name("nodes") | m.Name("edges") | m.Name("neighbors") | m.Name("successors") | m.Name("predecessors"))
)
_ITERATOR = "dict_keyiterator"
_PLACE = m.Index(value=m.Integer() | m.UnaryOperation(expression=m.Integer())) | m.Slice()


class _Lists(ReceiverCodemod):
    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.Subscript:  # noqa: N802 (LibCST's visitor protocol)
        placed = m.matches(original_node, m.Subscript(value=_LISTS, slice=[m.SubscriptElement(slice=_PLACE)]))
        if not placed or not self.scope.failing(original_node) or not isinstance(original_node.value, cst.Call):
            return updated_node
        return updated_node.with_changes(value=self._listed(original_node.value, updated_node.value))

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Assign:  # noqa: N802
        """Keep a list of what the failing statement takes for one."""
        value, target = original_node.value, original_node.targets[0].target
        if not self._about_an_iterator() or not m.matches(value, _LISTS) or not isinstance(target, cst.Name):
            return updated_node
        used = any(m.matches(node, m.Name(target.value)) for node in self.scope.failing_nodes)
        if not used or not isinstance(value, cst.Call):
            return updated_node
        return updated_node.with_changes(value=self._listed(value, updated_node.value))

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        """``len(graph.successors(n))``."""
        if not self._about_an_iterator() or not self.scope.failing(original_node):
            return updated_node
        if not m.matches(original_node, m.Call(func=m.Name("len"), args=[m.Arg(value=_LISTS)])):
            return updated_node
        given = cst.ensure_type(original_node.args[0].value, cst.Call)
        arg = updated_node.args[0]
        return updated_node.with_changes(args=[arg.with_changes(value=self._listed(given, arg.value))])

    def _about_an_iterator(self) -> bool:
        return self.scope.failure is not None and _ITERATOR in self.scope.failure.error.message

    def _listed(self, call: cst.Call, value: cst.BaseExpression) -> cst.BaseExpression:
        """Make a list of what a graph gives; of what another object gives nothing."""
        kind = self.type_of(cst.ensure_type(call.func, cst.Attribute).value)
        if kind is not None and not kind.startswith("networkx."):
            return value
        self.scope.note("graph.nodes()[0] → list(graph.nodes())[0]")
        return cst.Call(func=cst.Name("list"), args=[cst.Arg(value)])


class Lists(FailureRecipe):
    """Places in what graphs hold."""

    name = "networkx-lists"
    summary = "Nodes, edges and neighbours are no lists any more; a list of them has the same places."
    since = "networkx 2.0"
    source = "NetworkX migration guide 1.x to 2.0"
    words = frozenset({"nodes(", "edges(", "neighbors(", "successors(", "predecessors("})
    errors = frozenset({"TypeError", "KeyError", "NetworkXError"})
    message = _MESSAGE
    codemod = _Lists


RECIPES = (Lists(),)
