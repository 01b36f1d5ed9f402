"""``read_csv(parse_dates=[['day', 'time']])``, gone in pandas 3: the columns are joined behind the reader, as it did.

The parts are read as text, the combined columns come first in the order of the groups, and the parts go unless
``keep_date_col`` keeps them. ``index_col`` means the columns as they are after that.
"""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import value_of
from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.recipes.pandas_readers import READERS, TO_DATETIME
from modernizer.repair.syntax import argument, code, keyword, keyword_names, plus, string, with_args, without

_Part = str | int
_HANDLED = frozenset({"parse_dates", "keep_date_col", "date_parser"})
_REFUSED = frozenset({"chunksize", "iterator", "squeeze", "date_format"})


@dataclass(frozen=True)
class _Group:
    """One combined column: its name, None when it is known only from the columns read, and its parts."""

    name: str | None
    parts: tuple[_Part, ...]


class _CombinedDates(Codemod):
    def leave_SimpleStatementLine(  # noqa: N802 (LibCST's visitor protocol)
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.BaseStatement]:
        statement = updated_node.body[0]
        if len(original_node.body) != 1 or not isinstance(statement, cst.Assign | cst.Return | cst.Expr) or not statement.value:
            return updated_node
        call = _innermost_call(statement.value)
        if call is None or self.scope.qualified(call.func) not in READERS - {"pandas.read_excel"}:
            return updated_node
        lines = self._lines(call, self._name(statement)) if self.scope.at_least("pandas", "3.0") else None
        if lines is None:
            return updated_node
        name, read, following = lines
        self.scope.note("parse_dates=[[…]] → to_datetime of the joined columns")
        if isinstance(statement, cst.Assign) and statement.value is call and code(statement.targets[0].target) == name:
            first = updated_node.with_changes(body=[statement.with_changes(value=read)])
            return cst.FlattenSentinel([first, *map(cst.parse_statement, following)])
        assign = cst.Assign(targets=[cst.AssignTarget(cst.Name(name))], value=read)
        last = statement.deep_replace(call, cst.Name(name))
        return cst.FlattenSentinel(
            [
                cst.SimpleStatementLine([assign], leading_lines=updated_node.leading_lines),
                *map(cst.parse_statement, following),
                updated_node.with_changes(body=[last], leading_lines=[]),
            ]
        )

    def _name(self, statement: cst.Assign | cst.Return | cst.Expr) -> str:
        """Return the name that the frame goes by: the one it is assigned to, else a new one."""
        if isinstance(statement, cst.Assign) and len(statement.targets) == 1 and statement.value is not None:
            target = statement.targets[0].target
            if isinstance(target, cst.Name) and not m.findall(statement.value, m.Name(target.value)):
                return target.value
        return next(name for name in ("frame", "table", "frame_read") if not self.scope.names.mentions(name))

    def _lines(self, call: cst.Call, name: str) -> tuple[str, cst.Call, list[str]] | None:
        """Return the frame's name, the call that reads it and the statements that combine its columns."""
        dates, given = argument(call, "parse_dates"), keyword_names(call)
        groups, others = _groups(value_of(dates.value) if dates else None, _column_names(call))
        positions = any(isinstance(part, int) for group in groups for part in group.parts)
        if not groups or given & _REFUSED or (positions and "usecols" in given):
            return None
        keeps = argument(call, "keep_date_col")
        kept = value_of(keeps.value) if keeps else False
        made = [self._datetimes(call, group, name, place) for place, group in enumerate(groups)]
        read = _reading(call, groups, others)
        if read is None or not isinstance(kept, bool) or None in made:
            return None
        lines = [
            f"{name}.insert({place}, {_label(group, name, place)}, {what})"
            for place, (group, what) in enumerate(zip(groups, made, strict=True))
        ]
        parts = list(dict.fromkeys(part for group in groups for part in group.parts))
        popped = not kept and not positions and len(parts) == sum(len(group.parts) for group in groups)
        if popped:
            for part in parts:
                lines = [line.replace(f"{name}[{part!r}]", f"{name}.pop({part!r})") for line in lines]
        elif not kept:
            gone = f"{name}.columns[{[int(part) + len(groups) for part in parts]}]" if positions else repr(parts)
            lines.append(f"{name} = {name}.drop(columns={gone})")
        index = argument(call, "index_col")
        key = value_of(index.value) if index else None
        if index is not None and key is not None and key is not False:
            lines.append(f"{name} = {name}.set_index({f'{name}.columns[{key}]' if isinstance(key, int) else code(index.value)})")
            if isinstance(key, list) and not all(isinstance(one, str) for one in key):
                return None
            read = without(read, {"index_col"})
        return name, read, lines

    def _datetimes(self, call: cst.Call, group: _Group, name: str, before: int) -> str | None:
        """Return what gives a group's datetimes; None when its parser is not known."""
        columns = [f"{name}.iloc[:, {part + before}]" if isinstance(part, int) else f"{name}[{part!r}]" for part in group.parts]
        joined = " + ' ' + ".join(columns)
        dayfirst, parser = argument(call, "dayfirst"), argument(call, "date_parser")
        to_datetime = self.scope.reference("pandas.to_datetime")
        if parser is None or value_of(parser.value) is None or self.scope.qualified(parser.value) in TO_DATETIME:
            return f"{to_datetime}({joined}{f', dayfirst={code(dayfirst.value)}' if dayfirst else ''})"
        function = self._function(parser.value)
        if function is None:
            return None
        form = _format(function)
        if form is not None:
            return f"{to_datetime}({joined}, format={form})"
        # A function of all parts was called with those of each row, another one with the joined text.
        count = len(function.params.params)
        if count == len(columns) > 1:
            return f"{to_datetime}(list(map({code(parser.value)}, {', '.join(columns)})))"
        return f"{to_datetime}(({joined}).map({code(parser.value)}))" if count == 1 else None

    def _function(self, node: cst.BaseExpression) -> cst.Lambda | cst.FunctionDef | None:
        """Return the lambda or function that a parser is, when this program says so."""
        if isinstance(node, cst.Lambda):
            return node
        if not isinstance(node, cst.Name):
            return None
        value = self.scope.names.value(node.value, self.scope.unit)
        defined = [found for tree in self.scope.names.trees for found in m.findall(tree, m.FunctionDef(name=m.Name(node.value)))]
        function = value if isinstance(value, cst.Lambda) else defined[0] if len(defined) == 1 else None
        return function if isinstance(function, cst.Lambda | cst.FunctionDef) else None


def _innermost_call(node: cst.BaseExpression) -> cst.Call | None:
    """Return the call that a chain of attributes, brackets and calls starts with."""
    found = None
    while isinstance(node, cst.Call | cst.Attribute | cst.Subscript):
        found = node if isinstance(node, cst.Call) else found
        node = node.func if isinstance(node, cst.Call) else node.value
    return found


def _groups(value: object, names: list[str] | None) -> tuple[list[_Group], list[object]]:
    """Return the groups of columns to combine and what else is to be parsed; nothing when it isn't plain."""
    given = (
        list(value.items()) if isinstance(value, dict) else [(None, each) for each in value] if isinstance(value, list) else []
    )
    groups, others = [], []
    for name, parts in given:
        if not isinstance(parts, list | tuple):
            others.append(parts)
            continue
        named = [names[part] if names and isinstance(part, int) and 0 <= part < len(names) else part for part in parts]
        kinds = {type(part) for part in named}
        if kinds not in ({str}, {int}) or any(isinstance(part, int) and part < 0 for part in named):
            return [], []
        label = str(name) if name is not None else "_".join(named) if kinds == {str} else None
        groups.append(_Group(label, tuple(named)))
    mixed = {type(part) for group in groups for part in group.parts}
    return ([], []) if len(mixed) > 1 or (isinstance(value, dict) and others) else (groups, others)


def _column_names(call: cst.Call) -> list[str] | None:
    """Return the column names that a call itself gives."""
    names = argument(call, "names")
    value = value_of(names.value) if names else None
    return value if isinstance(value, list) and all(isinstance(one, str) for one in value) else None


def _label(group: _Group, name: str, before: int) -> str:
    if group.name is not None:
        return repr(group.name)
    return f"'_'.join(map(str, {name}.columns[{[int(part) + before for part in group.parts]}]))"


def _reading(call: cst.Call, groups: list[_Group], others: list[object]) -> cst.Call | None:
    """Return the call that reads the parts as text."""
    parts = {part: "str" for group in groups for part in group.parts}
    dtype = argument(call, "dtype")
    text = ", ".join(f"{part!r}: {kind}" for part, kind in parts.items())
    if dtype is not None:
        if not isinstance(dtype.value, cst.Dict) or not _keys(dtype.value).isdisjoint({*parts, ...}):
            return None
        text = ", ".join([*(code(element).rstrip(" ,") for element in dtype.value.elements), text])
        merged = dtype.with_changes(value=cst.parse_expression(f"{{{text}}}"))
        call = with_args(call, [merged if arg is dtype else arg for arg in call.args])
    if others:
        dates = argument(call, "parse_dates")
        rest = keyword("parse_dates", repr(others))
        call = with_args(call, [rest.with_changes(comma=arg.comma) if arg is dates else arg for arg in call.args])
    return plus(without(call, _HANDLED - ({"parse_dates"} if others else set())), dtype=f"{{{text}}}")


def _keys(node: cst.Dict) -> set[object]:
    """Return the keys of a dict's text, the ellipsis for what can't be told."""
    return {value_of(element.key) if isinstance(element, cst.DictElement) else ... for element in node.elements}


def _format(function: cst.Lambda | cst.FunctionDef) -> str | None:
    """Return the format of ``lambda text: datetime.strptime(text, format)``."""
    body: cst.CSTNode = function.body
    if isinstance(function, cst.FunctionDef):
        whole = m.IndentedBlock(body=[m.SimpleStatementLine(body=[m.Return(value=m.Call())])])
        body = m.findall(body, m.Call())[0] if m.matches(body, whole) else body
    parsed = m.Call(func=m.Attribute(attr=m.Name("strptime")), args=[m.Arg(m.Name()), m.Arg(m.SimpleString())])
    if len(function.params.params) != 1 or not isinstance(body, cst.Call) or not m.matches(body, parsed):
        return None
    same = code(body.args[0].value) == function.params.params[0].name.value
    return code(body.args[1].value) if same and string(body.args[1].value) else None


class CombinedDates(CodemodRecipe):
    """parse_dates with groups of columns."""

    name = "pandas-combined-dates"
    summary = "The readers no longer combine date columns; they are joined and converted behind the reader."
    since = "pandas 3.0"
    source = "pandas What's New 2.2 (deprecation of nested lists in parse_dates, of keep_date_col) and 3.0 (removal)"
    words = frozenset({"parse_dates"})
    order = 34
    confirmed = True
    codemod = _CombinedDates


RECIPES = (CombinedDates(),)
