"""Attributes of nodes and edges: the order of arguments changed, and dictionaries became keyword arguments."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.recipe import CodemodRecipe
from modernizer.repair.syntax import string

_SETTERS = frozenset({"networkx.set_node_attributes", "networkx.set_edge_attributes"})
_GRAPHS = frozenset(f"networkx.{name}" for name in ("Graph", "DiGraph", "MultiGraph", "MultiDiGraph"))
# Methods that took a dictionary of attributes behind so many arguments.
_TAKING = {"add_node": 1, "add_edge": 2, "add_nodes_from": 1, "add_edges_from": 1}
_SWAPPED = 3


class _Attributes(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        if not self.scope.at_least("networkx", "2.0"):
            return updated_node
        if self.scope.qualified(original_node.func) in _SETTERS:
            return self._in_new_order(updated_node)
        func = original_node.func
        if isinstance(func, cst.Attribute) and func.attr.value in _TAKING and self.type_of(func.value) in _GRAPHS:
            return self._with_keywords(_TAKING[func.attr.value], updated_node)
        return updated_node

    def _in_new_order(self, call: cst.Call) -> cst.Call:
        """Put the values before the name, which came first until 2.0."""
        if len(call.args) != _SWAPPED or any(arg.keyword or arg.star for arg in call.args):
            return call
        graph, name, values = call.args
        if string(name.value) is None:
            return call
        self.scope.note("name and values in their new order")
        return call.with_changes(args=[graph, name.with_changes(value=values.value), values.with_changes(value=name.value)])

    def _with_keywords(self, place: int, call: cst.Call) -> cst.Call:
        positional = [arg for arg in call.args if arg.keyword is None and not arg.star]
        if len(positional) != place + 1 or len(call.args) != place + 1 or not isinstance(positional[place].value, cst.Dict):
            return call
        self.scope.note("a dictionary of attributes → keyword arguments")
        return call.with_changes(args=[*call.args[:place], positional[place].with_changes(star="**")])


class NetworkxAttributes(CodemodRecipe):
    """Setters of attributes."""

    name = "networkx-attributes"
    summary = "Attributes of nodes and edges are given in another way since networkx 2."
    since = "networkx 2.0"
    source = "NetworkX migration guide 1.x to 2.0"
    words = frozenset({"set_node_attributes", "set_edge_attributes", *_TAKING})
    codemod = _Attributes


RECIPES = (NetworkxAttributes(),)
