"""Arguments of the readers that have no namesake today: ``squeeze``, ``prefix`` and ``date_parser``."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import filled, value_of
from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.syntax import argument, code, keyword, keyword_names, string, with_args, without

READERS = frozenset({"pandas.read_csv", "pandas.read_table", "pandas.read_excel", "pandas.read_fwf"})
_STRPTIME = m.Call(func=m.Attribute(attr=m.Name("strptime")))
TO_DATETIME = frozenset({"pandas.to_datetime", "pandas.tseries.tools.to_datetime"})


class _Readers(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        reader = self.scope.qualified(original_node.func)
        if reader not in READERS or reader is None:
            return updated_node
        given = keyword_names(updated_node)
        call: cst.BaseExpression = updated_node
        if "date_parser" in given and self._gone(reader, "date_parser"):
            call = self._date_parser(updated_node)
        if "squeeze" in given and self._gone(reader, "squeeze"):
            call = self._behind(call, "squeeze", ".squeeze('columns')")
        if "prefix" in given and self._gone(reader, "prefix") and isinstance(call, cst.Call):
            prefix = argument(call, "prefix")
            call = self._behind(call, "prefix", f".add_prefix({code(prefix.value)})" if prefix else "")
        return call

    def _gone(self, reader: str, parameter: str) -> bool:
        signature = self.scope.installed.signature(reader)
        return signature is not None and all(present.name != parameter for present in signature)

    def _behind(self, call: cst.BaseExpression, name: str, method: str) -> cst.BaseExpression:
        """Take an argument out and let a method do its work, when it was switched on."""
        arg = argument(call, name) if isinstance(call, cst.Call) else None
        if arg is None or not isinstance(call, cst.Call):
            return call
        on = value_of(arg.value) not in {False, None}
        self.scope.note(f"{name}= → {method}" if on else f"{name}= dropped")
        bare = without(call, {name})
        return filled(f"{{self}}{method.replace('{', '{{').replace('}', '}}')}", {"self": bare}) if on else bare

    def _date_parser(self, call: cst.Call) -> cst.Call:
        """Say the format that the parser knew; a parser that is to_datetime itself says nothing."""
        parser = argument(call, "date_parser")
        if parser is None:
            return call
        if value_of(parser.value) is None or self.scope.qualified(parser.value) in TO_DATETIME:
            self.scope.note("date_parser= dropped")
            return without(call, {"date_parser"})
        formats = [found for found in m.findall(self._function(parser.value), _STRPTIME) if isinstance(found, cst.Call)]
        if len(formats) == 1 and len(formats[0].args) == 2 and string(formats[0].args[1].value):  # noqa: PLR2004 (text, format)
            self.scope.note("date_parser= → date_format=")
            new = keyword("date_format", formats[0].args[1].value)
            return with_args(call, [new.with_changes(comma=arg.comma) if arg is parser else arg for arg in call.args])
        return self._converters(call, parser)

    def _converters(self, call: cst.Call, parser: cst.Arg) -> cst.Call:
        """Let any other parser convert the named date columns, cell by cell as it did in the end."""
        dates, index = argument(call, "parse_dates"), argument(call, "index_col")
        columns = value_of(dates.value) if dates else None
        if columns is True:
            columns = [value_of(index.value)] if index else None
        if (
            not isinstance(columns, list)
            or not all(isinstance(column, str | int) and not isinstance(column, bool) for column in columns)
            or "converters" in keyword_names(call)
        ):
            return call
        self.scope.note("date_parser= → converters=")
        table = "{" + ", ".join(f"{column!r}: {code(parser.value)}" for column in columns) + "}"
        new = keyword("converters", table)
        return with_args(call, [new.with_changes(comma=arg.comma) if arg is parser else arg for arg in call.args])

    def _function(self, node: cst.BaseExpression) -> cst.CSTNode:
        """Return what a parser's name was assigned, when that is a lambda in this program."""
        if isinstance(node, cst.Name):
            for bindings in self.scope.names.bindings.values():
                for binding in bindings.get(node.value, []):
                    if isinstance(binding.value, cst.Lambda):
                        return binding.value
        return node


class Readers(CodemodRecipe):
    """Arguments of pandas' readers."""

    name = "pandas-reader-argument"
    summary = "An argument of a pandas reader is gone; what it did is done behind the reader."
    since = ""
    source = "pandas What's New 1.4 (prefix, squeeze), 2.0 (date_parser, their removal) and 3.0"
    words = frozenset({"squeeze", "prefix", "date_parser"})
    order = 35
    confirmed = True
    codemod = _Readers


RECIPES = (Readers(),)
