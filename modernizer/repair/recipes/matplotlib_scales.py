"""Options of one axis that loglog() took for each: base, ticks between and what isn't positive."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.recipe import CodemodRecipe, Scope, is_chain
from modernizer.repair.syntax import code, keyword, literal, with_args

_NEW = {"base": "base", "subs": "subs", "nonpos": "nonpositive"}
_OLD = frozenset(f"{name}{axis}" for name in _NEW for axis in "xy")
_DEFAULTS = {"base": ("10", "10.0"), "subs": ("None",), "nonpos": ("'clip'",)}
_PYPLOT = "matplotlib.pyplot.loglog"


class _Scales(ReceiverCodemod):
    """Gives both axes what is the same for both; another scale of one axis is set behind the statement."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._behind: list[str] = []
        self._direct: cst.CSTNode | None = None

    def visit_SimpleStatementLine(self, node: cst.SimpleStatementLine) -> None:  # noqa: N802 (LibCST's visitor protocol)
        statement = node.body[0] if len(node.body) == 1 else None
        self._direct = statement.value if isinstance(statement, cst.Expr | cst.Assign) else None

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        func = original_node.func
        name = func.attr.value if isinstance(func, cst.Attribute) else code(func)
        given = {arg.keyword.value: arg.value for arg in original_node.args if arg.keyword and arg.keyword.value in _OLD}
        if name != "loglog" or not given or not self.scope.at_least("matplotlib", "3.5") or not self._draws(func):
            return updated_node
        axes = {axis: _options(given, axis) for axis in "xy"}
        if axes["x"] != axes["y"] and original_node is not self._direct:
            return updated_node
        rest = [arg for arg in updated_node.args if not arg.keyword or arg.keyword.value not in _OLD]
        self.scope.note(f"{', '.join(f'{name}=' for name in given)} for both axes or by the scale of one")
        if axes["x"] == axes["y"]:
            return with_args(updated_node, [*rest, *(keyword(name, value) for name, value in axes["x"].items())])
        setter = self._setter(func)
        for axis, options in axes.items():
            if options:
                text = ", ".join(f"{name}={value}" for name, value in options.items())
                self._behind.append(f"{setter.format(axis)}('log', {text})")
        return with_args(updated_node, rest)

    def leave_SimpleStatementLine(  # noqa: N802
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.SimpleStatementLine]:
        del original_node
        behind, self._behind = self._behind, []
        if not behind:
            return updated_node
        lines = [cst.ensure_type(cst.parse_statement(line), cst.SimpleStatementLine) for line in behind]
        return cst.FlattenSentinel([updated_node, *lines])

    def _draws(self, func: cst.BaseExpression) -> bool:
        """Tell whether a function may be the one of matplotlib, on axes that can be named once more."""
        if self.scope.qualified(func) == _PYPLOT:
            return True
        return isinstance(func, cst.Attribute) and is_chain(func) and self.may_be_of("matplotlib", func)

    def _setter(self, func: cst.BaseExpression) -> str:
        """Return what sets the scale of the axes that a call draws on, with a place for the axis."""
        if self.scope.qualified(func) == _PYPLOT or not isinstance(func, cst.Attribute):
            return self.scope.reference("matplotlib.pyplot.xscale").removesuffix("xscale") + "{}scale"
        return f"{code(func.value)}.set_{{}}scale"


def _options(given: dict[str, cst.BaseExpression], axis: str) -> dict[str, str]:
    """Return the options of one axis by their new names, without those that are the default."""
    values = {name: literal(given[f"{name}{axis}"]) for name in _NEW if f"{name}{axis}" in given}
    return {_NEW[name]: value for name, value in values.items() if value not in _DEFAULTS[name]}


class Scales(CodemodRecipe):
    """Options of logarithmic axes."""

    name = "matplotlib-log-scales"
    summary = "loglog() takes the options of both axes together; what differs is said to the axis by itself."
    since = "matplotlib 3.5"
    source = "Matplotlib API changes 3.3 (deprecation of basex, basey and the like) and 3.5 (removal)"
    words = frozenset({"loglog"})
    confirmed = True
    codemod = _Scales


RECIPES = (Scales(),)
