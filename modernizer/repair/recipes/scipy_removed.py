"""SciPy functions that are gone where a short expression gives the same."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.scope import dotted_name
from modernizer.repair.syntax import argument, code, keyword_names, literal

_FUNCTIONS = frozenset(
    {"scipy.stats.binom_test", "scipy.stats.chisqprob", "scipy.stats.nanstd", "scipy.stats.itemfreq"}
    | {"scipy.misc.imread", "scipy.misc.imsave", "scipy.misc.imresize", "scipy.misc.derivative", "scipy.ndimage.imread"}
)
_RESAMPLE = {"nearest": 0, "lanczos": 1, "bilinear": 2, "bicubic": 3, "cubic": 3}


class _Removed(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's protocol)
        qualified = self.scope.qualified(original_node.func) or ""
        if qualified not in _FUNCTIONS or self.scope.installed.resolves(qualified) or any(arg.star for arg in original_node.args):
            return updated_node
        leaf = qualified.rpartition(".")[2]
        new = getattr(self, f"_{leaf}")(updated_node)
        if new is None:
            return updated_node
        self.scope.note(f"{qualified} → {new.partition('(')[0] if leaf != 'imread' else 'PIL.Image.open'}")
        return cst.parse_expression(new)

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:  # noqa: N802
        del node
        return False

    def leave_SimpleStatementLine(  # noqa: N802
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel:
        """Drop imports of functions whose calls are replaced."""
        statement = original_node.body[0]
        if (
            len(original_node.body) != 1
            or not isinstance(statement, cst.ImportFrom)
            or isinstance(statement.names, cst.ImportStar)
        ):
            return updated_node
        module = dotted_name(statement.module) if statement.module else ""
        kept = [alias for alias in statement.names if not self._dropped(f"{module}.{alias.evaluated_name}")]
        if len(kept) == len(statement.names):
            return updated_node
        if not kept:
            return cst.RemoveFromParent()
        kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        return updated_node.with_changes(body=[statement.with_changes(names=kept)])

    def _dropped(self, dotted: str) -> bool:
        return dotted in _FUNCTIONS and not self.scope.installed.resolves(dotted)

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
        image = f"{self.scope.reference('PIL.Image')}.open({code(name.value)})"
        if mode is not None and literal(mode.value) != "None":
            image += f".convert({code(mode.value)})"
        if flatten is not None and literal(flatten.value) not in {"False", "0"}:
            image += ".convert('F')"
        return f"{self.scope.reference('numpy.array')}({image})"

    def _imsave(self, call: cst.Call) -> str | None:
        if len(call.args) != 2 or keyword_names(call):  # noqa: PLR2004 (name, array)
            return None
        name, array = (code(arg.value) for arg in call.args)
        return f"{self.scope.reference('PIL.Image')}.fromarray({array}).save({name})"

    def _imresize(self, call: cst.Call) -> str | None:
        """Resize 8-bit images to a size given in rows and columns; other arrays were rescaled to 8 bits first."""
        array, size, interpolation = argument(call, "arr", 0), argument(call, "size", 1), argument(call, "interp", 2)
        if array is None or size is None or argument(call, "mode", 3) is not None or not isinstance(size.value, cst.Tuple):
            return None
        how = literal(interpolation.value).strip("'") if interpolation is not None else "bilinear"
        live = self.scope.describe(array.value)
        if how not in _RESAMPLE or live is None or live.dtype != "uint8":
            return None
        rows, columns = (code(element.value) for element in size.value.elements[:2])
        image = f"{self.scope.reference('PIL.Image')}.fromarray({code(array.value)})"
        return f"{self.scope.reference('numpy.array')}({image}.resize(({columns}, {rows}), {_RESAMPLE[how]}))"

    def _derivative(self, call: cst.Call) -> str | None:
        """Write the central difference out; only the first derivative by three points, the default."""
        func, x0, step = argument(call, "func", 0), argument(call, "x0", 1), argument(call, "dx", 2)
        simple = func is not None and x0 is not None and isinstance(func.value, cst.Name)
        if not simple or keyword_names(call) - {"func", "x0", "dx"} or len(call.args) > 3:  # noqa: PLR2004 (func, x0, dx)
            return None
        f, x, h = (code(arg.value) if arg is not None else "1.0" for arg in (func, x0, step))
        if not isinstance(x0.value, cst.Name | cst.BaseNumber):  # type: ignore[union-attr]
            x = f"({x})"
        return f"({f}({x} + {h}) - {f}({x} - {h})) / (2 * {h})"


class Removed(CodemodRecipe):
    """Removed SciPy functions."""

    name = "scipy-removed-functions"
    summary = "This SciPy function is gone; the expression in its place gives the same."
    since = "scipy 1.12"
    source = "SciPy release notes 1.0 to 1.12"
    words = frozenset(dotted.rpartition(".")[2] for dotted in _FUNCTIONS)
    order = 19
    codemod = _Removed


RECIPES = (Removed(),)
