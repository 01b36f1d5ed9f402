"""Nodes, edges and neighbours by their place: networkx 1 gave lists, networkx 2 gives views and iterators."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import ReceiverCodemod

_MESSAGE = re.compile(
    r"'dict_keyiterator' object is not subscriptable|does not support slicing, try list"
    r"|cannot unpack non-iterable int object|^-?\d+$|'(?:Node|Edge|OutEdge)(?:Data)?View' object is not"
)
_LISTS = m.Call(
    func=m.Attribute(attr=m.Name("nodes") | m.Name("edges") | m.Name("neighbors") | m.Name("successors") | m.Name("predecessors"))
)
_PLACE = m.Index(value=m.Integer() | m.UnaryOperation(expression=m.Integer())) | m.Slice()


class _Lists(ReceiverCodemod):
    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.Subscript:  # noqa: N802 (LibCST's visitor protocol)
        placed = m.matches(original_node, m.Subscript(value=_LISTS, slice=[m.SubscriptElement(slice=_PLACE)]))
        if not placed or not self.scope.failing(original_node) or not isinstance(original_node.value, cst.Call):
            return updated_node
        graph = cst.ensure_type(original_node.value.func, cst.Attribute).value
        kind = self.type_of(graph)
        if kind is not None and not kind.startswith("networkx."):
            return updated_node
        self.scope.note("graph.nodes()[0] → list(graph.nodes())[0]")
        return updated_node.with_changes(value=cst.Call(func=cst.Name("list"), args=[cst.Arg(updated_node.value)]))


class Lists(FailureRecipe):
    """Places in what graphs hold."""

    name = "networkx-lists"
    summary = "Nodes, edges and neighbours are no lists any more; a list of them has the same places."
    since = "networkx 2.0"
    source = "NetworkX migration guide 1.x to 2.0"
    words = frozenset({"nodes(", "edges(", "neighbors(", "successors(", "predecessors("})
    errors = frozenset({"TypeError", "KeyError", "NetworkXError"})
    message = _MESSAGE
    failing_unit_only = True
    codemod = _Lists


RECIPES = (Lists(),)
