"""``df.apply(lambda row: row['a'] + row['b'], axis=1)`` as ``df['a'] + df['b']``, where the columns' types prove it equal.

A row is a Series of one type. In a frame of one numeric type its elements are of that type, and arithmetic on a row and on
columns is the same machine arithmetic. In a frame of int64 and float64 a row is float64. In any other frame a row holds
Python's own numbers, which don't overflow and don't divide by zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol

import libcst as cst

from modernizer.magics import mask
from modernizer.repair.program import Key, Program
from modernizer.repair.recipe import Scope, Unit
from modernizer.repair.syntax import code, string

_ARITHMETIC = (cst.Add, cst.Subtract, cst.Multiply, cst.Divide)
_COMPARISONS = (cst.LessThan, cst.LessThanEqual, cst.GreaterThan, cst.GreaterThanEqual, cst.Equal, cst.NotEqual)
_NUMBERS = ("int64", "float64")
_OTHERS = ("object", "str", "bool")
_SMALL = 2**31


class Frame(Protocol):
    """What is looked at in a frame of a live kernel."""

    @property
    def type_name(self) -> str:
        """Its class."""

    @property
    def shape(self) -> tuple[int, ...] | None:
        """Its rows and columns."""

    @property
    def column_dtypes(self) -> Mapping[str, str] | None:
        """The types of its columns."""


@dataclass(frozen=True)
class RowApply:
    """One statement ``target = frame.apply(lambda row: ..., axis=1)`` at a cell's top level, and its vector form."""

    unit: Key
    statement: int
    frame: str
    vector: str
    columns: frozenset[str]
    arithmetic: bool
    divides: bool
    keeps_name: bool

    def proven(self, frame: Frame) -> bool:
        """Tell whether the vector form gives the same for this frame."""
        types = frame.column_dtypes
        if frame.type_name != "pandas.DataFrame" or not types or not frame.shape or frame.shape[0] == 0:
            return False
        # Equal labels leave fewer types than columns.
        if len(types) != frame.shape[-1] or not self.columns <= set(types):
            return False
        all_types, used = set(types.values()), {types[column] for column in self.columns}
        if not used <= set(_NUMBERS) or not all(
            one in (*_NUMBERS, *_OTHERS) or one.startswith("datetime64[") for one in all_types
        ):
            return False
        if all_types <= set(_NUMBERS):
            return len(all_types) == 1 or used == {"float64"}
        return not self.divides and (not self.arithmetic or used == {"float64"})


class _Refused(Exception):  # noqa: N818 (a signal inside this module, no error)
    """The function does something else than arithmetic and comparisons of columns."""


class _Reader:
    """Translates a row function's expression; keeps what has to hold for it."""

    def __init__(self, row: str, frame: str) -> None:
        self._row = row
        self._frame = frame
        self.columns: set[str] = set()
        self.arithmetic = False
        self.divides = False

    def number(self, node: cst.BaseExpression) -> str:
        if isinstance(node, cst.Subscript) and isinstance(node.value, cst.Name) and node.value.value == self._row:
            index = node.slice[0].slice if len(node.slice) == 1 else None
            label = string(index.value) if isinstance(index, cst.Index) else None
            if label is None:
                raise _Refused
            self.columns.add(label)
            return code(node.with_changes(value=cst.Name(self._frame)))
        if isinstance(node, cst.Integer) and node.evaluated_value < _SMALL:
            return code(node)
        if isinstance(node, cst.Float):
            return code(node)
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
            self.arithmetic = True
            return _in_parentheses(node, f"-{self.number(node.expression)}")
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, _ARITHMETIC):
            self.arithmetic = True
            left, right = self.number(node.left), self.number(node.right)
            if isinstance(node.operator, cst.Divide):
                if _is_zero(node.right):
                    raise _Refused
                self.divides = self.divides or not isinstance(node.right, cst.Integer | cst.Float)
            return _in_parentheses(node, f"{left}{code(node.operator)}{right}")
        raise _Refused

    def truth(self, node: cst.BaseExpression) -> str:
        if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
            target = node.comparisons[0]
            if not isinstance(target.operator, _COMPARISONS):
                raise _Refused
            before = len(self.columns)
            text = f"{self.number(node.left)}{code(target.operator)}{self.number(target.comparator)}"
            if len(self.columns) == before and not any(column in text for column in self.columns):
                raise _Refused
            return _in_parentheses(node, text)
        if isinstance(node, cst.BooleanOperation):
            sign = "&" if isinstance(node.operator, cst.And) else "|"
            return _in_parentheses(node, f"{self._part(node.left)} {sign} {self._part(node.right)}")
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
            return _in_parentheses(node, f"~{self._part(node.expression)}")
        raise _Refused

    def _part(self, node: cst.BaseExpression) -> str:
        text = self.truth(node)
        return text if node.lpar else f"({text})"


def find_row_applies(program: Program, cells: frozenset[Key]) -> Iterator[RowApply]:
    """Go through the row-wise applies of these cells that have a vector form."""
    for key, source in program.sources().items():
        masked = mask(source) if key in cells else None
        if masked is None:
            continue
        try:
            tree = cst.parse_module(masked.code)
        except cst.ParserSyntaxError:
            continue
        for place, statement in enumerate(tree.body):
            found = _row_apply(key, place, statement)
            if found is not None:
                yield found


def stopped_before(program: Program, apply: RowApply, message: str) -> Program:
    """Return the program whose run ends with this message just before the statement, so that its frame can be looked at."""
    masked = mask(program.sources()[apply.unit])
    if masked is None:
        return program
    tree = cst.parse_module(masked.code)
    stop = cst.parse_statement(f"raise RuntimeError({message!r})")
    cut = tree.with_changes(body=[*tree.body[: apply.statement], stop], footer=())
    return program.replaced({apply.unit: masked.unmask(cut.code)})


def _row_apply(unit: Key, place: int, statement: cst.CSTNode) -> RowApply | None:
    call = _only_call(statement)
    if call is None or not isinstance(call.func, cst.Attribute) or call.func.attr.value != "apply":
        return None
    frame, target = call.func.value, _target(statement)
    function = _row_function(call)
    if function is None or target is None or not isinstance(frame, cst.Name):
        return None
    row = function.params.params[0].name.value
    if row == frame.value:
        return None
    for is_truth in (False, True):
        reader = _Reader(row, frame.value)
        try:
            vector = reader.truth(function.body) if is_truth else reader.number(function.body)
        except _Refused:
            continue
        # The columns' operation is named after them when they all have one name; a row function's result has none.
        keeps_name = isinstance(target, cst.Subscript) or len(reader.columns) > 1
        if not reader.columns or not keeps_name or (not is_truth and not reader.arithmetic):
            return None
        columns = frozenset(reader.columns)
        return RowApply(unit, place, frame.value, vector, columns, reader.arithmetic, reader.divides, keeps_name)
    return None


def _only_call(statement: cst.CSTNode) -> cst.Call | None:
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return None
    assign = statement.body[0]
    if not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
        return None
    return assign.value if isinstance(assign.value, cst.Call) else None


def _target(statement: cst.CSTNode) -> cst.Name | cst.Subscript | None:
    """Return what is assigned to: a name, or a column."""
    if not isinstance(statement, cst.SimpleStatementLine) or not isinstance(statement.body[0], cst.Assign):
        return None
    target = statement.body[0].targets[0].target
    return target if isinstance(target, cst.Name | cst.Subscript) else None


def _row_function(call: cst.Call) -> cst.Lambda | None:
    if len(call.args) != 2:  # noqa: PLR2004 (the function and the axis)
        return None
    function, axis = call.args
    if function.keyword or function.star or axis.star or (axis.keyword and axis.keyword.value != "axis"):
        return None
    is_row_wise = (isinstance(axis.value, cst.Integer) and axis.value.value == "1") or string(axis.value) == "columns"
    value = function.value
    if not is_row_wise or not isinstance(value, cst.Lambda):
        return None
    given = value.params
    plain = len(given.params) == 1 and given.params[0].default is None and isinstance(given.star_arg, cst.MaybeSentinel)
    return value if plain and not given.kwonly_params and given.star_kwarg is None and not given.posonly_params else None


def _is_zero(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Integer | cst.Float) and node.evaluated_value == 0


def _in_parentheses(node: cst.BaseExpression, text: str) -> str:
    return f"{'(' * len(node.lpar)}{text}{')' * len(node.rpar)}"


class RowsToColumns:
    """The recipe, for the applies of one notebook that were proven equal."""

    name: ClassVar[str] = "rows-to-columns"
    summary: ClassVar[str] = "A function applied to every row is the same arithmetic on whole columns."
    since: ClassVar[str] = ""
    source: ClassVar[str] = "pandas user guide: Enhancing performance"
    words: ClassVar[frozenset[str]] = frozenset({".apply("})
    order: ClassVar[int] = 50
    confirmed: ClassVar[bool] = True
    at_end: ClassVar[bool] = False

    def __init__(self, proven: tuple[RowApply, ...]) -> None:
        """Take what was proven."""
        self._proven = proven

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Return the unit's new source, or None."""
        wanted = {one.statement: one for one in self._proven if one.unit == unit.key}
        if unit.tree is None or unit.masked is None or not wanted:
            return None
        body = []
        for place, statement in enumerate(unit.tree.body):
            one = wanted.get(place)
            call = _only_call(statement) if one else None
            if one and call and one == _row_apply(unit.key, place, statement):
                scope.note(f"{one.frame}.apply over rows → {one.vector}")
                body.append(statement.deep_replace(call, cst.parse_expression(one.vector)))
            else:
                body.append(statement)
        return unit.masked.unmask(unit.tree.with_changes(body=body).code)
