"""``hold``: plots always add to what an axes shows, so asking for it is dropped."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.dropping import DroppingCodemod
from modernizer.repair.evidence import missing_attribute
from modernizer.repair.expressions import value_of
from modernizer.repair.recipe import CodemodRecipe

_AXES = ("matplotlib.axes.Axes", "mpl_toolkits.mplot3d.axes3d.Axes3D", "matplotlib.figure.Figure")


class _Hold(DroppingCodemod):
    def drops(self, statement: cst.BaseSmallStatement) -> bool:
        call = statement.value if isinstance(statement, cst.Expr) else None
        if not isinstance(call, cst.Call) or not self._is_hold(call.func):
            return False
        # Without an argument it toggled, with a false one the next plot would have cleared the axes: neither is dropped.
        value = value_of(call.args[0].value) if len(call.args) == 1 else ...
        if value is ... or not value:
            return False
        self.scope.note("hold(True) dropped")
        return True

    def _is_hold(self, func: cst.BaseExpression) -> bool:
        if isinstance(func, cst.Name):
            names = (self.scope.qualified(func), *self.scope.gone_from_star(func))
            return "matplotlib.pyplot.hold" in names and not self.scope.installed.resolves("matplotlib.pyplot.hold")
        if not isinstance(func, cst.Attribute) or func.attr.value != "hold":
            return False
        qualified = self.scope.qualified(func)
        if qualified is not None:
            return qualified in {"matplotlib.pyplot.hold", "pylab.hold"} and not self.scope.installed.resolves(qualified)
        refused = missing_attribute(self.scope.failure)
        return self.lacks(func.value, "hold", _AXES, distinctive=refused is not None and refused.owner in {"Axes", "Axes3D"})


class Hold(CodemodRecipe):
    """Statements that switch hold on."""

    name = "matplotlib-hold"
    summary = "The hold switch is gone; plots always add to the axes, as they did with hold on."
    since = "matplotlib 3.0"
    source = "Matplotlib API changes 2.0 (deprecation) and 3.0 (removal)"
    words = frozenset({"hold"})
    codemod = _Hold


RECIPES = (Hold(),)
