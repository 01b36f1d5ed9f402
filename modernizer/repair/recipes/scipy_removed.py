"""SciPy functions that are gone where a short expression gives the same."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import atom, bind, operands, seated
from modernizer.repair.imports import without_names
from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.syntax import argument, code, keyword_names, literal

_FUNCTIONS = frozenset(
    {"scipy.stats.binom_test", "scipy.stats.chisqprob", "scipy.stats.nanstd", "scipy.stats.itemfreq"}
    | {"scipy.misc.imread", "scipy.misc.imsave", "scipy.misc.derivative", "scipy.ndimage.imread"}
)
_SAID = {
    "binom_test": "binomtest().pvalue",
    "chisqprob": "chi2.sf",
    "nanstd": "numpy.nanstd(ddof=1)",
    "itemfreq": "numpy.unique(return_counts=True)",
    "imread": "PIL.Image.open",
    "imsave": "PIL.Image.save",
    "derivative": "a central difference",
}


class _Removed(Codemod):
    def visit_Module(self, node: cst.Module) -> None:  # noqa: N802 (LibCST's visitor protocol)
        self._operands = operands(node)
        calls = [call for call in m.findall(node, m.Call()) if isinstance(call, cst.Call)]
        gone = {call: dotted for call in calls if self._dropped(dotted := self.scope.qualified(call.func) or "")}
        self._kept = {dotted for call, dotted in gone.items() if self._replacement(dotted, call) is None}

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's protocol)
        qualified = self.scope.qualified(original_node.func) or ""
        if qualified not in _FUNCTIONS or self.scope.installed.resolves(qualified) or any(arg.star for arg in original_node.args):
            return updated_node
        new = self._replacement(qualified, updated_node)
        if new is None:
            return updated_node
        self.scope.note(f"{qualified} → {_SAID[qualified.rpartition('.')[2]]}")
        return seated(cst.parse_expression(new), operand=original_node in self._operands)

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:  # noqa: N802
        del node
        return False

    def leave_SimpleStatementLine(  # noqa: N802
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel:
        """Drop imports of functions whose calls are replaced."""
        del original_node
        return without_names(updated_node, lambda dotted, _: self._dropped(dotted) and dotted not in self._kept)

    def _dropped(self, dotted: str) -> bool:
        return dotted in _FUNCTIONS and not self.scope.installed.resolves(dotted)

    def _replacement(self, dotted: str, call: cst.Call) -> str | None:
        found: str | None = getattr(self, f"_{dotted.rpartition('.')[2]}")(call)
        return found

    def _binom_test(self, call: cst.Call) -> str:
        args = ", ".join(code(arg.with_changes(comma=cst.MaybeSentinel.DEFAULT)).strip() for arg in call.args)
        args = args.replace("x=", "k=", 1) if "x" in keyword_names(call) else args
        return f"{self.scope.reference('scipy.stats.binomtest')}({args}).pvalue"

    def _chisqprob(self, call: cst.Call) -> str:
        args = ", ".join(code(arg.value) for arg in call.args)
        return f"{self.scope.reference('scipy.stats.chi2')}.sf({args})"

    def _nanstd(self, call: cst.Call) -> str | None:
        if len(call.args) > 2 or keyword_names(call) - {"x", "axis"}:  # noqa: PLR2004 (x, axis)
            return None
        args = ", ".join(code(arg.with_changes(comma=cst.MaybeSentinel.DEFAULT)).strip() for arg in call.args)
        # The old default axis was 0 and the estimate unbiased.
        axis = "" if argument(call, "axis", 1) else ", axis=0"
        return f"{self.scope.reference('numpy.nanstd')}({args}{axis}, ddof=1)"

    def _itemfreq(self, call: cst.Call) -> str:
        numpy = self.scope.reference("numpy")
        return f"{numpy}.column_stack({numpy}.unique({code(call.args[0].value)}, return_counts=True))"

    def _imread(self, call: cst.Call) -> str | None:
        name = argument(call, "name", 0) or argument(call, "fname")
        flatten, mode = argument(call, "flatten", 1), argument(call, "mode", 2)
        if name is None:
            return None
        image = f"{self.scope.imported('PIL.Image')}.open({code(name.value)})"
        if mode is not None and literal(mode.value) != "None":
            image += f".convert({code(mode.value)})"
        if flatten is not None and literal(flatten.value) not in {"False", "0"}:
            image += ".convert('F')"
        return f"{self.scope.reference('numpy.array')}({image})"

    def _imsave(self, call: cst.Call) -> str | None:
        if len(call.args) != 2 or keyword_names(call):  # noqa: PLR2004 (name, array)
            return None
        name, array = (code(arg.value) for arg in call.args)
        return f"{self.scope.imported('PIL.Image')}.fromarray({array}).save({name})"

    def _derivative(self, call: cst.Call) -> str | None:
        """Write the central difference by three points out, which was the default."""
        bound = bind(call.args, ("func", "x0", "dx", "n"))
        if (
            bound is None
            or not {"func", "x0"} <= set(bound)
            or not isinstance(bound["func"], cst.Name | cst.Lambda | cst.Attribute)
        ):
            return None
        times = code(bound["n"]) if "n" in bound else "1"
        f, x, h = atom(bound["func"]), _term(bound["x0"]), _term(bound["dx"]) if "dx" in bound else "1.0"
        if times == "1":
            return f"({f}({x} + {h}) - {f}({x} - {h})) / (2 * {h})"
        return f"({f}({x} + {h}) - 2 * {f}({x}) + {f}({x} - {h})) / {h}**2" if times == "2" else None


def _term(node: cst.BaseExpression) -> str:
    """Return an expression's source, in parentheses unless it may stand beside any operator."""
    return code(node) if isinstance(node, cst.Name | cst.BaseNumber | cst.Attribute | cst.Subscript) else f"({code(node)})"


class Removed(CodemodRecipe):
    """Removed SciPy functions."""

    name = "scipy-removed-functions"
    summary = "This SciPy function is gone; the expression in its place gives the same."
    since = "scipy 1.12"
    source = "SciPy release notes 1.0 to 1.12"
    words = frozenset(dotted.rpartition(".")[2] for dotted in _FUNCTIONS)
    order = 19
    confirmed = True
    codemod = _Removed


RECIPES = (Removed(),)
