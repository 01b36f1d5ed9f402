"""Text and dates: patterns of ``str.replace``, formats that ``to_datetime`` no longer tells apart, ``set_value``."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import bind, parsed
from modernizer.repair.receivers import FRAME, SERIES, ReceiverCodemod
from modernizer.repair.recipe import CodemodRecipe
from modernizer.repair.syntax import argument, code, keyword_names, named, plus, string

_SPECIAL = re.compile(r"[.^$*+?{}\[\]\\|()]")
_STR = m.Attribute(value=m.Attribute(attr=m.Name("str")))


class _TextMethods(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        if self.scope.qualified(original_node.func) == "pandas.to_datetime":
            return self._to_datetime(original_node, updated_node)
        if not isinstance(original_node.func, cst.Attribute) or not m.matches(original_node.func, _STR):
            return updated_node
        if not self.scope.at_least("pandas", "2.0") or any(arg.star for arg in original_node.args):
            return updated_node
        name = original_node.func.attr.value
        if name == "replace" and "regex" not in keyword_names(original_node):
            return self._replace(updated_node)
        if name in {"split", "rsplit"} and len(updated_node.args) > 1 and updated_node.args[1].keyword is None:
            self.scope.note(f"str.{name}(…, n=)")
            positions = ("pat", "n", "expand")
            args = [
                named(arg, positions[index]) if 0 < index < len(positions) and arg.keyword is None else arg
                for index, arg in enumerate(updated_node.args)
            ]
            return updated_node.with_changes(args=args)
        return updated_node

    def leave_SimpleStatementLine(  # noqa: N802
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine:
        """``df.set_value(i, c, v)``, alone or assigned to the frame itself."""
        body = [self._set_value(before, after) for before, after in zip(original_node.body, updated_node.body, strict=True)]
        return updated_node.with_changes(body=body)

    def _replace(self, call: cst.Call) -> cst.Call:
        """Say that a pattern is one: single characters were always taken as they are, anything longer was a pattern."""
        pattern, new = argument(call, "pat", 0), argument(call, "repl", 1)
        text = string(pattern.value) if pattern else None
        is_pattern = text is not None and len(text) > 1 and bool(_SPECIAL.search(text))
        if not is_pattern and not (new is not None and isinstance(new.value, cst.Lambda)):
            return call
        self.scope.note("str.replace(…, regex=True)")
        return plus(call, regex="True")

    def _to_datetime(self, original: cst.Call, updated: cst.Call) -> cst.Call:
        """Let each text be read by its own format, as all were."""
        failure = self.scope.failure
        if failure is None or failure.error.name != "ValueError" or not self.scope.failing(original):
            return updated
        if "format='mixed'" not in failure.error.message or "format" in keyword_names(original):
            return updated
        self.scope.note("to_datetime(…, format='mixed')")
        return plus(updated, format="'mixed'")

    def _set_value(self, before: cst.BaseSmallStatement, after: cst.BaseSmallStatement) -> cst.BaseSmallStatement:
        value = after.value if isinstance(after, cst.Expr | cst.Assign) else None
        old = before.value if isinstance(before, cst.Expr | cst.Assign) else None
        if not m.matches(value or cst.Name("_"), m.Call(func=m.Attribute(attr=m.Name("set_value")))):
            return after
        if not isinstance(value, cst.Call) or not isinstance(value.func, cst.Attribute) or not isinstance(old, cst.Call):
            return after
        receiver = old.func.value if isinstance(old.func, cst.Attribute) else old.func
        if not self.lacks(receiver, "set_value", {FRAME, SERIES}):
            return after
        if isinstance(after, cst.Assign) and (len(after.targets) != 1 or code(after.targets[0].target) != code(value.func.value)):
            return after
        of_series = self.type_of(receiver) == SERIES
        order = ("label", "value", "takeable") if of_series else ("index", "col", "value", "takeable")
        bound = bind(value.args, order)
        if bound is None or set(bound) != set(order[:-1]):
            return after
        keys = ", ".join(code(bound[name]) for name in order[:-2])
        self.scope.note("set_value() → .at[] =")
        target = parsed(f"{code(value.func.value)}.at[{keys}]")
        if not isinstance(target, cst.Subscript):
            return after
        return cst.Assign(targets=[cst.AssignTarget(target)], value=bound["value"], semicolon=after.semicolon)


class TextMethods(CodemodRecipe):
    """Text methods, mixed dates and set_value."""

    name = "pandas-text-and-dates"
    summary = "Patterns, mixed date formats and single values are said explicitly now; the result is the old one."
    since = ""
    source = "pandas What's New 1.0 (set_value), 2.0 (regex=False by default, one format for all dates)"
    words = frozenset({".str.", "to_datetime", "set_value"})
    codemod = _TextMethods


RECIPES = (TextMethods(),)
