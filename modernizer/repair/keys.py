"""What the key between the brackets of a pandas object is: labels, positions or a mask."""

from __future__ import annotations

from typing import Literal

import libcst as cst

from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.recipe import LiveObject, is_chain
from modernizer.repair.syntax import code

Kind = Literal["label", "int", "mask", "all", "unknown"]

_MASKS = frozenset(
    {
        "isin",
        "isnull",
        "isna",
        "notnull",
        "notna",
        "duplicated",
        "between",
        "contains",
        "startswith",
        "endswith",
        "match",
        "isnan",
    }
)
_INTS = frozenset({"range", "len", "int", "numpy.arange", "numpy.argsort", "numpy.random.permutation", "numpy.random.randint"})
_INT_METHODS = frozenset({"argsort", "argmax", "argmin", "get_loc", "searchsorted"})
_LABEL_METHODS = frozenset({"idxmax", "idxmin", "strftime", "format", "lower", "upper", "strip"})
_LABELS = frozenset({"str", "pandas.Timestamp", "pandas.to_datetime", "datetime.datetime", "datetime.date", "pandas.date_range"})


def kind_of(node: cst.BaseSlice | cst.BaseExpression, codemod: ReceiverCodemod) -> Kind:
    """Classify a key of the original tree by its text, else by the live object that it names."""
    if isinstance(node, cst.Index):
        return kind_of(node.value, codemod)
    if isinstance(node, cst.Slice):
        return _joined([kind_of(part, codemod) for part in (node.lower, node.upper) if part is not None], empty="all")
    if isinstance(node, cst.BaseExpression):
        return _constant(node) or _compound(node, codemod) or _live(codemod.describe(node), node, codemod)
    return "unknown"


def _constant(node: cst.BaseExpression) -> Kind | None:
    match node:
        case (
            cst.SimpleString() | cst.ConcatenatedString() | cst.FormattedString() | cst.Float() | cst.Name(value="True" | "False")
        ):
            return "label"
        case cst.Integer():
            return "int"
        case cst.Attribute(attr=cst.Name(value="index" | "columns")):
            return "label"
        case cst.Subscript(value=cst.Attribute(attr=cst.Name(value="index" | "columns"))):
            return "label"
        case _:
            return None


def _compound(node: cst.BaseExpression, codemod: ReceiverCodemod) -> Kind | None:
    match node:
        case cst.Comparison() | cst.BooleanOperation() | cst.UnaryOperation(operator=cst.Not() | cst.BitInvert()):
            return "mask"
        case cst.UnaryOperation(expression=inner) | cst.ListComp(elt=inner):
            return kind_of(inner, codemod)
        case cst.List(elements=elements):
            return _joined([_element(element.value, codemod) for element in elements], empty="label")
        case cst.BinaryOperation(left=left, right=right, operator=operator):
            sides = _joined([kind_of(left, codemod), kind_of(right, codemod)], empty="unknown")
            return "mask" if isinstance(operator, cst.BitAnd | cst.BitOr) else sides if sides in {"int", "label"} else "unknown"
        case cst.Call():
            return _call(node, codemod)
        case cst.Name() if codemod.counts(node):
            return "int"
        case cst.Subscript(value=inner, slice=[cst.SubscriptElement(slice=cst.Slice())]):
            return kind_of(inner, codemod)
        case _:
            return None


def _element(node: cst.BaseExpression, codemod: ReceiverCodemod) -> Kind:
    return "mask" if isinstance(node, cst.Name) and node.value in {"True", "False"} else kind_of(node, codemod)


def _call(node: cst.Call, codemod: ReceiverCodemod) -> Kind:
    name = node.func.attr.value if isinstance(node.func, cst.Attribute) else ""
    qualified = codemod.scope.qualified(node.func) or (node.func.value if isinstance(node.func, cst.Name) else "")
    if name in _MASKS:
        return "mask"
    if qualified in _INTS or name in _INT_METHODS:
        return "int"
    if qualified in {"list", "sorted"} and len(node.args) == 1:
        return kind_of(node.args[0].value, codemod)
    return "label" if qualified in _LABELS or name in _LABEL_METHODS else "unknown"


def _live(live: LiveObject | None, node: cst.BaseExpression, codemod: ReceiverCodemod) -> Kind:
    if live is None:
        return "unknown"
    if live.dtype is not None:
        return "mask" if live.dtype == "bool" else "int" if live.dtype.startswith(("int", "uint")) else "label"
    if live.type_name in {"int", "builtins.int", "range"}:
        return "int"
    if live.type_name in {"list", "builtins.list", "tuple", "builtins.tuple"}:
        if not is_chain(node) or not live.length:
            return "unknown"
        first = cst.parse_expression(f"{code(node)}[0]")
        described = codemod.describe(first)
        is_mask = described is not None and described.type_name.rpartition(".")[2] == "bool"
        return "mask" if is_mask else _live(described, first, codemod)
    return "label"


def _joined(kinds: list[Kind], *, empty: Kind) -> Kind:
    if not kinds:
        return empty
    return kinds[0] if len(set(kinds)) == 1 else "unknown"
