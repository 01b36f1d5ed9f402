"""Arguments of the readers that have no namesake today: ``squeeze``, ``prefix``, ``date_parser`` and combined date columns."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import filled, value_of
from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.syntax import argument, code, keyword, keyword_names, plus, string, with_args, without

_READERS = frozenset({"pandas.read_csv", "pandas.read_table", "pandas.read_excel", "pandas.read_fwf"})
_STRPTIME = m.Call(func=m.Attribute(attr=m.Name("strptime")))
_TO_DATETIME = frozenset({"pandas.to_datetime", "pandas.tseries.tools.to_datetime"})


class _Readers(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        reader = self.scope.qualified(original_node.func)
        if reader not in _READERS or reader is None:
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

    def leave_SimpleStatementLine(  # noqa: N802
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.BaseStatement]:
        """Combine date columns behind ``x = read_csv(…, parse_dates=[['date', 'time']])``, as the reader did."""
        assign, after = original_node.body[0], updated_node.body[0]
        if len(original_node.body) != 1 or not isinstance(assign, cst.Assign) or not isinstance(after, cst.Assign):
            return updated_node
        call, new, target = assign.value, after.value, assign.targets[0].target
        if not isinstance(call, cst.Call) or not isinstance(new, cst.Call) or not isinstance(target, cst.Name):
            return updated_node
        if self.scope.qualified(call.func) not in _READERS - {"pandas.read_excel"} or not self.scope.at_least("pandas", "3.0"):
            return updated_node
        combined = _combined(call)
        if combined is None:
            return updated_node
        name = target.value
        parts = [part for _, columns in combined for part in columns]
        index = argument(new, "index_col")
        gone = (
            {"parse_dates", "index_col"}
            if index and string(index.value) in {target for target, _ in combined}
            else {"parse_dates"}
        )
        dtypes = "{" + ", ".join(f"{part!r}: str" for part in parts) + "}"
        if "dtype" in keyword_names(new) or (index and len(gone) == 1):
            return updated_node
        read = after.with_changes(value=plus(without(new, gone), dtype=dtypes))
        lines: list[cst.BaseStatement] = [updated_node.with_changes(body=[read])]
        to_datetime = self.scope.reference("pandas.to_datetime")
        for position, (column, columns) in enumerate(combined):
            joined = " + ' ' + ".join(f"{name}.pop({part!r})" for part in columns)
            lines.append(cst.parse_statement(f"{name}.insert({position}, {column!r}, {to_datetime}({joined}))"))
        if index and len(gone) > 1:
            lines.append(cst.parse_statement(f"{name} = {name}.set_index({code(index.value)})"))
        self.scope.note("parse_dates=[[…]] → to_datetime of the joined columns")
        return cst.FlattenSentinel(lines)

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
        if value_of(parser.value) is None or self.scope.qualified(parser.value) in _TO_DATETIME:
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


def _combined(call: cst.Call) -> list[tuple[str, list[str]]] | None:
    """Return the combined date columns: their name and their parts; None when there are none or others beside them."""
    dates = argument(call, "parse_dates")
    value = value_of(dates.value) if dates else None
    if isinstance(value, dict):
        groups = [(str(name), list(parts)) for name, parts in value.items() if isinstance(parts, list)]
        whole = len(groups) == len(value)
    elif isinstance(value, list):
        groups = [("_".join(map(str, parts)), parts) for parts in value if isinstance(parts, list)]
        whole = len(groups) == len(value)
    else:
        return None
    named = all(isinstance(part, str) for _, parts in groups for part in parts)
    return groups if groups and whole and named else None


class Readers(CodemodRecipe):
    """Arguments of pandas' readers."""

    name = "pandas-reader-argument"
    summary = "An argument of a pandas reader is gone; what it did is done behind the reader."
    since = ""
    source = "pandas What's New 1.4 (prefix, squeeze), 2.0 (date_parser, their removal), 2.2 (combined dates) and 3.0"
    words = frozenset({"squeeze", "prefix", "date_parser", "parse_dates"})
    order = 35
    confirmed = True
    codemod = _Readers


RECIPES = (Readers(),)
