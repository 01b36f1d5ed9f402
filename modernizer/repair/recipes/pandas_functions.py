"""Functions and constructors of pandas that are gone or refuse plain lists: what does the same today."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from modernizer.repair.expressions import bind, filled
from modernizer.repair.receivers import SERIES, ReceiverCodemod
from modernizer.repair.recipe import CodemodRecipe
from modernizer.repair.syntax import code, string

_READERS_OF_TEXT = frozenset({"pandas.read_json", "pandas.read_html"})
_LISTS = frozenset({"list", "tuple", "range"})
_FROM_CSV = ("path", "header", "sep", "index_col", "parse_dates", "encoding")


class _Functions(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        qualified = self.scope.qualified(original_node.func) or ""
        rewrite = _GONE.get(qualified)
        if rewrite is not None and not self.scope.installed.resolves(qualified):
            new = rewrite(self, original_node, updated_node)
        elif qualified in {"pandas.unique", "pandas.factorize"}:
            new = self._of_list(qualified.rpartition(".")[2], original_node, updated_node)
        elif qualified in _READERS_OF_TEXT:
            new = self._read_text(original_node, updated_node)
        else:
            return updated_node
        if new is None:
            return updated_node
        self.scope.note(f"{qualified} → {code(new).partition('(')[0] if qualified not in _READERS_OF_TEXT else 'io.StringIO'}")
        return new

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:  # noqa: N802
        """``frame.apply(pd.value_counts)``: the function of series does it for each column."""
        gone = "pandas.value_counts"
        if self.scope.qualified(original_node.value) != gone or self.scope.installed.resolves(gone):
            return updated_node
        self.scope.note(f"{gone} → pandas.Series.value_counts")
        return updated_node.with_changes(value=cst.parse_expression(self.scope.reference("pandas.Series.value_counts")))

    def value_counts(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression | None:
        """``pd.value_counts(x)``: the method, on a series made of x unless it is one."""
        if not updated.args or updated.args[0].star or updated.args[0].keyword is not None:
            return None
        kind = self.type_of(original.args[0].value)
        template = "{x}.value_counts({rest})" if kind == SERIES else "{Series}({x}).value_counts({rest})"
        rest = ", ".join(code(arg.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for arg in updated.args[1:])
        return filled(template, {"x": updated.args[0].value, "rest": rest, "Series": self.scope.reference(SERIES)})

    def from_items(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression | None:
        """``DataFrame.from_items(pairs)``: a dict keeps the order of the pairs today."""
        del original
        bound = bind(updated.args, ("items", "columns", "orient"))
        if bound is None or "items" not in bound:
            return None
        if "columns" not in bound and "orient" not in bound:
            return filled("{DataFrame}(dict({items}))", {**bound, "DataFrame": self.scope.reference("pandas.DataFrame")})
        if string(bound.get("orient")) != "index" or "columns" not in bound:
            return None
        template = "{DataFrame}.from_dict(dict({items}), orient='index', columns={columns})"
        return filled(template, {**bound, "DataFrame": self.scope.reference("pandas.DataFrame")})

    def frame_from_csv(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression | None:
        """``DataFrame.from_csv(path)`` took the first column for an index of dates."""
        return self._from_csv(original, updated, "{read_csv}({path}, {rest})", {"index_col": "0", "parse_dates": "True"})

    def series_from_csv(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression | None:
        """``Series.from_csv(path)`` expected no header unless told so."""
        defaults = {"index_col": "0", "parse_dates": "True", "header": "None"}
        return self._from_csv(original, updated, "{read_csv}({path}, {rest}).squeeze('columns')", defaults)

    def _from_csv(
        self, original: cst.Call, updated: cst.Call, template: str, defaults: dict[str, str]
    ) -> cst.BaseExpression | None:
        del original
        order = _FROM_CSV if "header" not in defaults else ("path", "sep", "parse_dates", "header", "index_col", "encoding")
        bound = bind(updated.args, (*order, "infer_datetime_format", "tupleize_cols"))
        if bound is None or "path" not in bound:
            return None
        given = {name: code(node) for name, node in bound.items() if name in order and name != "path"}
        rest = ", ".join(f"{name}={value}" for name, value in (defaults | given).items())
        return filled(template, {"path": bound["path"], "rest": rest, "read_csv": self.scope.reference("pandas.read_csv")})

    def float_index(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression | None:
        """``Float64Index(x)``: an index of floats."""
        del original
        if len(updated.args) != 1 or updated.args[0].keyword is not None or updated.args[0].star:
            return None
        return filled(
            "{Index}({x}, dtype='float64')", {"x": updated.args[0].value, "Index": self.scope.reference("pandas.Index")}
        )

    def _of_list(self, name: str, original: cst.Call, updated: cst.Call) -> cst.BaseExpression | None:
        """Give ``unique`` and ``factorize`` an array, as they take no lists now; text stays objects in it."""
        failure = self.scope.failure
        if (
            not updated.args
            or updated.args[0].star
            or updated.args[0].keyword is not None
            or not self.scope.at_least("pandas", "3.0")
        ):
            return None
        values = original.args[0].value
        kind = self.type_of(values)
        refused = (
            failure is not None and f"{name} requires a Series, Index" in failure.error.message and self.scope.failing(original)
        )
        if kind not in _LISTS and not (kind is None and refused):
            return None
        series = filled("{Series}({x}).to_numpy()", {"x": updated.args[0].value, "Series": self.scope.reference(SERIES)})
        return updated.with_changes(args=[updated.args[0].with_changes(value=series), *updated.args[1:]])

    def _read_text(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression | None:
        """JSON and HTML themselves are taken for a path since 3.0; the error shows them as one."""
        failure = self.scope.failure
        if failure is None or failure.error.name not in {"FileNotFoundError", "OSError"} or not self.scope.failing(original):
            return None
        if (
            not updated.args
            or updated.args[0].keyword is not None
            or not any(mark in failure.error.message for mark in ("'{", "'[", '"[', '"{', "'<", '"<'))
        ):
            return None
        text = filled("{StringIO}({x})", {"x": updated.args[0].value, "StringIO": self.scope.reference("io.StringIO")})
        return updated.with_changes(args=[updated.args[0].with_changes(value=text), *updated.args[1:]])


_GONE: dict[str, Callable[[_Functions, cst.Call, cst.Call], cst.BaseExpression | None]] = {
    "pandas.value_counts": _Functions.value_counts,
    "pandas.DataFrame.from_items": _Functions.from_items,
    "pandas.DataFrame.from_csv": _Functions.frame_from_csv,
    "pandas.Series.from_csv": _Functions.series_from_csv,
    "pandas.Float64Index": _Functions.float_index,
}


class Functions(CodemodRecipe):
    """Functions of pandas that are gone."""

    name = "pandas-function"
    summary = "A pandas function or constructor is gone or takes other input; a call of the present API gives the same."
    since = ""
    source = "pandas What's New 0.21 to 3.0"
    words = frozenset({"value_counts", "from_items", "from_csv", "Float64Index", "unique", "factorize", "read_json", "read_html"})
    codemod = _Functions


RECIPES = (Functions(),)
