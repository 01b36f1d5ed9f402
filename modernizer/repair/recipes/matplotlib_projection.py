"""``gca(projection='3d')``: the current axes takes no arguments any more, a new subplot does."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.recipe import Codemod, CodemodRecipe, Scope
from modernizer.repair.syntax import code, keyword_names

_MADE_BY = frozenset({"add_subplot", "add_axes", "gca", "axes", "subplot"})


class _Projection(Codemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._made: set[str] = set()

    def visit_Assign(self, node: cst.Assign) -> None:  # noqa: N802 (LibCST's visitor protocol)
        # A figure bound anew has no axes yet.
        self._made -= {code(target.target) for target in node.targets}

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        func = original_node.func
        qualified = self.scope.qualified(func)
        name = func.attr.value if isinstance(func, cst.Attribute) else code(func)
        if qualified == "matplotlib.pyplot.figure":
            self._made.clear()
        if name not in _MADE_BY or not keyword_names(original_node) or not self.scope.at_least("matplotlib", "3.7"):
            return updated_node
        owner = code(func.value) if isinstance(func, cst.Attribute) else "pyplot"
        has_one = owner in self._made
        if "projection" in keyword_names(original_node):
            self._made.add(owner)
        if name != "gca" or any(arg.keyword is None for arg in original_node.args):
            return updated_node
        if has_one:
            self.scope.note("gca(projection=…) → gca() of the axes made before")
            return updated_node.with_changes(args=[])
        if qualified == "matplotlib.pyplot.gca":
            # pyplot.subplot gives the current axes back when it has that projection, as gca did.
            self.scope.note("gca(projection=…) → subplot(projection=…)")
            subplot = cst.parse_expression(self.scope.reference("matplotlib.pyplot.subplot"))
            new = func.with_changes(attr=cst.Name("subplot")) if isinstance(func, cst.Attribute) else subplot
            return updated_node.with_changes(func=new)
        if not isinstance(updated_node.func, cst.Attribute) or qualified is not None:
            return updated_node
        self.scope.note("gca(projection=…) → add_subplot(projection=…)")
        return updated_node.with_changes(func=updated_node.func.with_changes(attr=cst.Name("add_subplot")))


class Projection(CodemodRecipe):
    """Axes of another projection."""

    name = "matplotlib-gca-projection"
    summary = "gca() takes no arguments any more; add_subplot() makes the axes that it made."
    since = "matplotlib 3.7"
    source = "Matplotlib API changes 3.4 (deprecation) and 3.7 (removal)"
    words = frozenset({"gca("})
    codemod = _Projection


RECIPES = (Projection(),)
