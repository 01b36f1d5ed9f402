"""``DataFrame.append`` and ``Series.append``, gone since pandas 2.0: ``pandas.concat`` of the same parts."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.expressions import bind, value_of
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import FRAME, SERIES, ReceiverCodemod
from modernizer.repair.syntax import code, keyword

_FRAME_PARAMETERS = ("other", "ignore_index", "verify_integrity", "sort")
_SERIES_PARAMETERS = ("to_append", "ignore_index", "verify_integrity")
_ROWS = {"dict", "collections.OrderedDict", SERIES}


class _Append(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        func = original_node.func
        if not isinstance(func, cst.Attribute) or func.attr.value != "append" or not isinstance(updated_node.func, cst.Attribute):
            return updated_node
        if not self.lacks(func.value, "append", {FRAME, SERIES}):
            return updated_node
        kind = self.type_of(func.value) or f"pandas.{self._owner()}"
        parameters = _SERIES_PARAMETERS if kind == SERIES else _FRAME_PARAMETERS
        before, after = bind(original_node.args, parameters), bind(updated_node.args, parameters)
        if not before or not after or parameters[0] not in before:
            return updated_node
        parts = self._parts(kind, before[parameters[0]], after[parameters[0]])
        if parts is None:
            return updated_node
        args = [cst.Arg(cst.parse_expression(f"[{code(updated_node.func.value)}, {parts}]"))]
        args += [keyword(name, after[name]) for name in parameters[1:] if name in after and value_of(after[name]) is not False]
        self.scope.note(f"{kind.rpartition('.')[2]}.append → pandas.concat")
        return cst.Call(func=cst.parse_expression(self.scope.reference("pandas.concat")), args=_spaced(args))

    def _owner(self) -> str:
        message = self.scope.failure.error.message if self.scope.failure else ""
        return "Series" if message.startswith("'Series'") else "DataFrame"

    def _parts(self, kind: str, before: cst.BaseExpression, after: cst.BaseExpression) -> str | None:
        """Return the source of what is appended, as parts of a list; None when its class isn't known and matters."""
        other = self.type_of(before)
        if isinstance(after, cst.List | cst.ListComp) or other in {"list", "tuple"}:
            return self._many(kind, before, after)
        if kind == SERIES:
            return code(after)
        if other is None and isinstance(before, cst.Call):
            other = self.scope.qualified(before.func)
        if other in _ROWS:
            return f"{self.scope.reference('pandas.DataFrame')}([{code(after)}])"
        return code(after) if other == FRAME else None

    def _many(self, kind: str, before: cst.BaseExpression, after: cst.BaseExpression) -> str | None:
        """Return the source for a list of frames, or of rows."""
        if kind == SERIES:
            return f"*{code(after)}"
        first: cst.BaseExpression | None = None
        if isinstance(before, cst.List) and before.elements:
            first = before.elements[0].value
        elif isinstance(before, cst.ListComp):
            first = before.elt
        kinds = self.type_of(first) if first is not None else self._first_of(before)
        if kinds in _ROWS:
            return f"{self.scope.reference('pandas.DataFrame')}({code(after)})"
        return f"*{code(after)}" if kinds == FRAME else None

    def _first_of(self, node: cst.BaseExpression) -> str | None:
        if not isinstance(node, cst.Name):
            return None
        return self.type_of(cst.parse_expression(f"{node.value}[0]"))


def _spaced(args: list[cst.Arg]) -> list[cst.Arg]:
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    return [*(arg.with_changes(comma=comma) for arg in args[:-1]), args[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)]


class Append(FailureRecipe):
    """DataFrame.append and Series.append."""

    name = "pandas-append"
    summary = "DataFrame.append and Series.append are gone; pandas.concat joins the same parts."
    since = "pandas 2.0"
    source = "pandas What's New 1.4 (deprecation) and 2.0 (removal)"
    words = frozenset({".append"})
    errors = frozenset({"AttributeError"})
    codemod = _Append


RECIPES = (Append(),)
