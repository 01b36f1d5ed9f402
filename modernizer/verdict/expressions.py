"""Names for the values that a cell displays or prints without one, from its source."""

from __future__ import annotations

import ast
import re
from typing import TypeGuard

from modernizer.verdict.numbers import Number, numbers, plain, unwrapped
from modernizer.verdict.source import parse
from modernizer.verdict.vocabulary import is_metric, is_weak_metric
from modernizer.verdict.words import words

_WRAPPERS = words("mean std sum min max round sqrt abs float int item tolist average median array list tuple exp log head format")
_VIEWS = words("values params iloc loc iat at T real")
_NOT_SCORES = words("confusion_matrix make_scorer learning_curve validation_curve roc_curve precision_recall_curve score_samples")
_PRINT_STATEMENT = re.compile(r"^(\s*)print[ \t]+(?!\()(.*?)[ \t]*$", re.MULTILINE)
_VALUES_ONLY = re.compile(r"[\s,()\[\]{}'\"%-]*")
_LONGEST_LIST = 20


def score_name(source: str) -> str:
    """Name the score that a cell's last expression computes, ``mean cross_val_score``; empty when it looks like none."""
    tree = parse(source)
    if tree is None:
        return _name_by_line(source)
    if not tree.body or not isinstance(tree.body[-1], ast.Expr):
        return ""
    return _name(tree.body[-1].value)


def printed_names(source: str) -> list[str]:
    """Name what each ``print`` with one argument shows, in order: the score's name, or an empty string.

    Both print as a function and Python 2's statement are read.
    """
    tree = parse(_PRINT_STATEMENT.sub(r"\1print(\2)", source)) or parse(source)
    prints = [node for node in ast.walk(tree) if _is_print(node)] if tree else []
    prints.sort(key=lambda node: (node.lineno, node.col_offset))
    return [_name(node.args[0]) if len(node.args) == 1 else "" for node in prints]


def _is_print(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"


def _name_by_line(source: str) -> str:
    """Do the same for a cell that Python 3 can't parse: its last line often is an expression of both Pythons."""
    lines = [line for line in source.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    last = parse(lines[-1]) if lines and not lines[-1][0].isspace() else None
    return _name(last.body[-1].value) if last and last.body and isinstance(last.body[-1], ast.Expr) else ""


def _name(node: ast.expr) -> str:
    match node:
        case ast.Call():
            return _call_name(node)
        case ast.Attribute(attr=attr, value=value):
            return _own(attr) or (_name(value) if attr in _VIEWS else "")
        case ast.Name(id=name):
            return _own(name)
        case ast.Subscript(value=value, slice=index):
            own = index.value if isinstance(index, ast.Constant) and isinstance(index.value, str) else ""
            return _own(own) or _name(value)
        case ast.BinOp(left=left, right=right):
            return _name(left) or _name(right)
        case ast.UnaryOp(operand=operand):
            return _name(operand)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return next((name for name in map(_name, parts) if name), "")
    return ""


def _call_name(node: ast.Call) -> str:
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    if name in _NOT_SCORES or name == "print":
        return ""
    if own := _own(name):
        return own
    if name not in _WRAPPERS:
        return ""
    candidates = [function.value] if isinstance(function, ast.Attribute) else []
    inner = next((found for found in map(_name, [*candidates, *node.args[:1]]) if found), "")
    return f"{name} {inner}" if inner and name in {"mean", "std", "min", "max", "sum", "median"} else inner


def _own(name: str) -> str:
    return (
        name if name and name not in _NOT_SCORES and (is_metric(name) or (is_weak_metric(name) and name not in _WRAPPERS)) else ""
    )


def result_values(text: str) -> list[Number]:
    """Read a displayed value that is nothing but numbers: ``0.93``, ``np.float64(0.97)``, ``array([0.9, 0.8])``, ``(0.9, 0.8)``.

    Anything else, and a list too long to be scores, gives none.
    """
    bare = unwrapped(plain(text))
    found = numbers(bare)
    if not found or len(found) > _LONGEST_LIST:
        return []
    edge = 0
    for number in found:
        if not _VALUES_ONLY.fullmatch(bare[edge : number.start]):
            return []
        edge = number.end
    return found if _VALUES_ONLY.fullmatch(bare[edge:]) else []
