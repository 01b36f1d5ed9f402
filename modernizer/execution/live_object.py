"""What a live object of a notebook is: plain data, and the expressions that may be asked about."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from modernizer.parsing import parse_expression


@dataclass(frozen=True)
class Parameter:
    """One parameter of a callable; ``kind`` as in inspect (``keyword-only``, …), ``default`` its repr."""

    name: str
    kind: str
    default: str | None = None


@dataclass(frozen=True)
class Division:
    """One ``/`` in a cell, by its position as in ast, with how often integers and others were divided there."""

    cell: int
    line: int
    column: int
    end_line: int
    end_column: int
    integers: int
    others: int


@dataclass(frozen=True)
class LiveObject:
    """A live object: qualified names of its type and the type's ancestors (builtins without module), and what fits of the rest.

    ``name`` is the dotted name of a module, class or function itself. ``columns`` are (name, dtype) of a frame.
    ``parameters`` is None for objects that can't be called or have no signature.
    """

    type_name: str
    mro: tuple[str, ...] = ()
    name: str = ""
    length: int | None = None
    shape: tuple[int, ...] | None = None
    ndim: int | None = None
    dtype: str | None = None
    index_type: str | None = None
    index_dtype: str | None = None
    columns: tuple[tuple[str, str], ...] = ()
    parameters: tuple[Parameter, ...] | None = None

    @property
    def column_dtypes(self) -> Mapping[str, str] | None:
        """Return the dtypes of a frame's columns by label; None for what has no columns."""
        return dict(self.columns) if self.columns else None

    def is_a(self, *names: str) -> bool:
        """Tell whether the type or an ancestor has one of these qualified names."""
        return any(name in self.mro for name in names)


def live_object(told: Mapping[str, Any]) -> LiveObject:
    """Build a LiveObject from the kernel's answer (inside/questions.py)."""
    shape, parameters = told["shape"], told["parameters"]
    return LiveObject(
        type_name=told["type_name"],
        mro=tuple(told["mro"]),
        name=told["name"],
        length=told["length"],
        shape=None if shape is None else tuple(shape),
        ndim=told["ndim"],
        dtype=told["dtype"],
        index_type=told.get("index_type"),
        index_dtype=told.get("index_dtype"),
        columns=tuple((name, dtype) for name, dtype in told.get("columns", ())),
        parameters=None if parameters is None else tuple(Parameter(**parameter) for parameter in parameters),
    )


def is_harmless(expression: str) -> bool:
    """Tell whether an expression is a chain of names, attributes and subscripts, so that looking at it changes nothing."""
    try:
        tree = parse_expression(expression.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return _is_chain(tree.body)


def _is_chain(node: ast.expr) -> bool:
    match node:
        case ast.Name():
            return True
        case ast.Attribute(value=value):
            return _is_chain(value)
        case ast.Subscript(value=value, slice=index):
            return _is_chain(value) and _is_index(index)
        case _:
            return False


def _is_index(node: ast.expr) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return True
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return all(_is_index(item) for item in items)
        case ast.Slice(lower=lower, upper=upper, step=step):
            return all(part is None or _is_index(part) for part in (lower, upper, step))
        case _:
            return _is_chain(node)
