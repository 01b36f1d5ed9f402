"""Reductions over frames with text columns, which pandas left out by itself until 2.0: ``numeric_only=True`` says so."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import FRAME, SERIES, SERIES_GROUPBY, ReceiverCodemod
from modernizer.repair.recipe import LiveObject
from modernizer.repair.syntax import keyword_names, named, plus, string, with_args

# Left out text columns in every old release; the others did so only where the error shows it.
_ALWAYS = frozenset({"mean", "median", "std", "var", "sem", "skew", "kurt", "kurtosis", "corr", "cov", "quantile"})
_WHEN_FAILING = _ALWAYS | {"sum", "prod", "product", "min", "max", "corrwith", "first", "last", "cumsum", "cumprod"}
_ALIASES = {"agg": "aggregate", "kurtosis": "kurt", "product": "prod"}
_BY_NAME = frozenset({"agg", "aggregate", "transform"})
_MESSAGES = re.compile(
    r"Cannot perform reduction '\w+' with string dtype|does not support (?:operation|reduction) '\w+'|agg function failed \[how->"
    r"|could not convert string to float|Could not convert .* to numeric|unsupported operand type\(s\) for .*'str'"
    r"|Cannot aggregate non-numeric type|can only concatenate str|not supported between instances of '(?:str|int|float)'"
    r"|float\(\) argument must be a string or a real number, not 'Timestamp'|No numeric types to aggregate",
    re.DOTALL,
)
_TEXT_DTYPES = ("str", "object", "string", "category")
_NUMPY = frozenset(f"numpy.{name}" for name in ("mean", "median", "std", "var", "sum", "prod", "min", "max"))


class _TextColumns(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        given = keyword_names(original_node)
        if "numeric_only" in given or any(arg.star for arg in original_node.args) or not self.scope.at_least("pandas", "2.0"):
            return updated_node
        name = _name(original_node.func)
        if name == "pivot_table":
            return self._pivot_table(original_node, updated_node)
        if not isinstance(original_node.func, cst.Attribute):
            return updated_node
        receiver = original_node.func.value
        if name in _BY_NAME:
            return self._by_name(name, original_node, updated_node)
        if name in _WHEN_FAILING and self._failed_in(name, original_node):
            return updated_node if self._plain(receiver) else self._numeric(name, updated_node)
        if name in _ALWAYS and self._has_text(receiver):
            return self._numeric(name, updated_node)
        return updated_node

    def _numeric(self, name: str, call: cst.Call) -> cst.Call:
        self.scope.note(f"{name}() → {name}(numeric_only=True)")
        return plus(call, numeric_only="True")

    def _failed_in(self, name: str, node: cst.Call) -> bool:
        """Tell whether the failing statement holds this call and the error about text came out of pandas' method of that name."""
        failure = self.scope.failure
        if failure is None or not self.scope.failing(node) or not _MESSAGES.search(failure.error.message):
            return False
        names = {name, _ALIASES.get(name, name)}
        return any(frame.file and "/pandas/" in frame.file and frame.function in names for frame in failure.error.frames)

    def _plain(self, receiver: cst.BaseExpression) -> bool:
        """Tell whether a receiver has no columns to choose from."""
        kind = self.type_of(receiver)
        if kind == FRAME:
            live = self.describe(receiver)
            return live is not None and live.column_dtypes is not None and not _text(live)
        return kind is not None and (kind in {SERIES, SERIES_GROUPBY} or not kind.startswith("pandas."))

    def _has_text(self, receiver: cst.BaseExpression) -> bool:
        """Tell whether a receiver is a live frame with text columns, or groups of one with text besides its keys."""
        keys: set[str] = set()
        if m.matches(receiver, m.Call(func=m.Attribute(attr=m.Name("groupby")))):
            keys = {text for node in m.findall(receiver, m.SimpleString()) if (text := string(node)) is not None}
            receiver = receiver.func.value  # type: ignore[attr-defined]
        live = self.describe(receiver) or self.describe_later(receiver)
        return live is not None and live.type_name == FRAME and bool(_text(live) - keys)

    def _by_name(self, name: str, original: cst.Call, updated: cst.Call) -> cst.Call:
        """``agg('mean')`` and ``agg(np.mean)`` of a frame or its groups, when they failed."""
        if len(original.args) != 1 or not self._failed_in(name, original):
            return updated
        function = original.args[0].value
        if string(function) in _WHEN_FAILING:
            return self._numeric(name, updated)
        qualified = self.scope.qualified(function)
        if qualified not in _NUMPY:
            return updated
        # Groups took np.std for their own std; a name still means that.
        by_name = updated.args[0].with_changes(value=cst.SimpleString(repr(qualified.rpartition(".")[2])))
        return self._numeric(name, with_args(updated, [by_name]))

    def _pivot_table(self, original: cst.Call, updated: cst.Call) -> cst.Call:
        if not self._failed_in("pivot_table", original) or not any(
            parameter.kind.lower().replace("_", "-") == "var-keyword"
            for parameter in self.scope.installed.signature("pandas.pivot_table") or ()
        ):
            return updated
        args = [
            named(arg, "aggfunc").with_changes(value=cst.SimpleString(repr(qualified.rpartition(".")[2])), comma=arg.comma)
            if arg.keyword
            and arg.keyword.value == "aggfunc"
            and (qualified := self.scope.qualified(arg.value)) in _NUMPY
            and qualified
            else arg
            for arg in updated.args
        ]
        return self._numeric("pivot_table", with_args(updated, args))


def _name(func: cst.BaseExpression) -> str:
    return func.attr.value if isinstance(func, cst.Attribute) else func.value if isinstance(func, cst.Name) else ""


def _text(live: LiveObject) -> set[str]:
    return {name for name, dtype in (live.column_dtypes or {}).items() if dtype.startswith(_TEXT_DTYPES)}


class TextColumns(FailureRecipe):
    """Reductions over text columns."""

    name = "pandas-text-columns"
    summary = "Reductions no longer leave out text columns by themselves; numeric_only=True leaves them out as before."
    since = "pandas 2.0"
    source = "pandas What's New 2.0 (default of numeric_only changed to False)"
    words = _WHEN_FAILING | _BY_NAME | {"pivot_table"}
    errors = frozenset({"TypeError", "ValueError", "DataError"})
    message = _MESSAGES
    codemod = _TextColumns


RECIPES = (TextColumns(),)
