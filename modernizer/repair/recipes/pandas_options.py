"""Display options of pandas that are gone, renamed or take other values."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.expressions import value_of
from modernizer.repair.recipe import Codemod, CodemodRecipe, Scope
from modernizer.repair.scope import dotted_name
from modernizer.repair.syntax import code, quoted_like, string

# Had no effect on results: the whole statement goes.
_GONE = frozenset({"display.mpl_style", "display.height", "mode.sim_interactive"})
# These treat infinities as missing when set; only switching them off changes nothing.
_INFINITIES = frozenset({"mode.use_inf_as_na", "mode.use_inf_as_null"})
# Renamed options, and short names that are ambiguous since the styler has options of the same name.
_NAMES = {
    "display.line_width": "display.width",
    "line_width": "display.width",
    "mpl_style": "display.mpl_style",
    "height": "display.height",
    "use_inf_as_na": "mode.use_inf_as_na",
    "use_inf_as_null": "mode.use_inf_as_null",
    "max_colwidth": "display.max_colwidth",
    "html": "display.notebook_repr_html",
    "sparse": "display.multi_sparse",
    **{name: f"display.{name}" for name in ("precision", "max_columns", "max_rows", "encoding", "width")},
}
_UNAMBIGUOUS = frozenset({"max_colwidth"})
_SETTERS = frozenset(
    {"pandas.set_option", "pandas.core.config.set_option", "pandas.options.set_option", "pandas.set_printoptions"}
)
_OBJECT = "pandas.options."


class _Options(Codemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._current = scope.at_least("pandas", "1.4")

    def leave_SimpleStatementLine(  # noqa: N802 (LibCST's visitor protocol)
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel:
        kept = [after for before, after in zip(original_node.body, updated_node.body, strict=True) if not self._sets_gone(before)]
        if len(kept) == len(updated_node.body):
            return updated_node
        if not kept:
            return cst.RemoveFromParent()
        return updated_node.with_changes(body=[*kept[:-1], kept[-1].with_changes(semicolon=cst.MaybeSentinel.DEFAULT)])

    def leave_IndentedBlock(self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock) -> cst.IndentedBlock:  # noqa: N802
        del original_node
        return updated_node if updated_node.body else updated_node.with_changes(body=[cst.parse_statement("pass")])

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        option = self._option(original_node)
        if option is None or not self._current:
            return updated_node
        args = list(updated_node.args)
        spelled = string(args[0].value)
        if spelled is not None and option != spelled and option not in _GONE | _INFINITIES and spelled not in _UNAMBIGUOUS:
            self.scope.note(f"{spelled} → {option}")
            args[0] = args[0].with_changes(value=quoted_like(args[0].value, repr(option)))
        if option == "display.max_colwidth" and len(args) > 1 and value_of(args[1].value) == -1:
            self.scope.note("max_colwidth -1 → None")
            args[1] = args[1].with_changes(value=cst.Name("None"))
        return updated_node.with_changes(args=args)

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Assign:  # noqa: N802
        if self._assigned(original_node) != "display.max_colwidth" or value_of(updated_node.value) != -1 or not self._current:
            return updated_node
        self.scope.note("max_colwidth -1 → None")
        return updated_node.with_changes(value=cst.Name("None"))

    def _option(self, call: cst.Call) -> str | None:
        if self.scope.qualified(call.func) not in _SETTERS or not call.args:
            return None
        spelled = string(call.args[0].value)
        return None if spelled is None else _NAMES.get(spelled, spelled)

    def _assigned(self, node: cst.Assign) -> str | None:
        qualified = self.scope.qualified(node.targets[0].target) or dotted_name(node.targets[0].target) or ""
        return qualified.removeprefix(_OBJECT) if qualified.startswith(_OBJECT) else None

    def _sets_gone(self, statement: cst.BaseSmallStatement) -> bool:
        if not self._current:
            return False
        option, value = None, None
        if isinstance(statement, cst.Expr) and isinstance(statement.value, cst.Call):
            option = self._option(statement.value)
            value = statement.value.args[1].value if len(statement.value.args) > 1 else None
        elif isinstance(statement, cst.Assign):
            option, value = self._assigned(statement), statement.value
        without_effect = option in _INFINITIES and value_of(value) is False and self.scope.at_least("pandas", "3.0")
        if option not in _GONE and not without_effect:
            return False
        self.scope.note(f"{code(statement).strip()} dropped")
        return True


class Options(CodemodRecipe):
    """Options of pandas."""

    name = "pandas-option"
    summary = "A pandas option is gone, renamed or ambiguous; it is set by its full present name, or no more."
    since = ""
    source = "pandas What's New 0.21, 1.0, 1.4 and 3.0"
    words = frozenset({"set_option", "pd.options", "pandas.options"})
    confirmed = True
    codemod = _Options


RECIPES = (Options(),)
