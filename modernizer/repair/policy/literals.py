"""Rules on numbers: no score is written down, no constant changes."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from modernizer.repair.policy.edit import Edit, Finding, line_of, value
from modernizer.repair.policy.expressions import is_literal, is_number, numbers, text

_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_CONVERSIONS = frozenset({"float", "int", "round", "str", "numpy.float64", "numpy.float32", "numpy.round", "numpy.array", "eval"})
# Numbers with fewer digits say too little to be taken from somewhere.
_DIGITS = 2


def no_recorded_score(edit: Edit) -> Iterator[Finding]:
    """No literal is a score that the notebook recorded: a repair computes its result."""
    recorded = edit.sides.recorded
    if not recorded or edit.after.tree is None:
        return
    old = {one for code in edit.sides.units_before.values() if code.tree for node in ast.walk(code.tree) for one in _said(node)}
    if edit.before.tree is None:
        old |= {float(found) for found in _NUMBER.findall(edit.before.source)}
    seen: set[int] = set()
    for node in ast.walk(edit.after.tree):
        if any(number not in old and _is_recorded(number, recorded) for number in _said(node)) and line_of(node) not in seen:
            seen.add(line_of(node))
            yield Finding(line_of(node), f"this number is a recorded score: {ast.unparse(node)}")


def _said(node: ast.AST) -> Iterator[float]:
    """List the numbers that an expression of literals stands for."""
    if not isinstance(node, ast.expr):
        return
    folded = _fold(node)
    if is_number(folded):
        yield float(folded)  # type: ignore[arg-type]
    elif isinstance(folded, str):
        yield from (float(found) for found in _NUMBER.findall(folded))


def _fold(node: ast.AST) -> object:
    """Compute an expression of literals; None when it is anything else."""
    match node:
        case ast.Constant(value=found):
            return found
        case ast.UnaryOp(op=ast.USub(), operand=operand) if is_number(inner := _fold(operand)):
            return -inner  # type: ignore[operator]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _computed(_OPERATORS[type(op)], _fold(left), _fold(right))
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _CONVERSIONS:
            inner = _fold(first)
            if isinstance(inner, str) and _NUMBER.fullmatch(inner.strip()):
                return float(inner)
            return inner
        case ast.JoinedStr(values=values):
            parts = [_fold(part.value if isinstance(part, ast.FormattedValue) else part) for part in values]
            return "".join(map(str, parts)) if None not in parts else None
    return None


def _computed(compute: object, left: object, right: object) -> object:
    both_text = isinstance(left, str) and isinstance(right, str) and compute is operator.add
    if not both_text and not (is_number(left) and is_number(right)):
        return None
    try:
        return compute(left, right)  # type: ignore[operator]
    except (ArithmeticError, TypeError):
        return None


def _is_recorded(number: float, recorded: Collection[float]) -> bool:
    """Tell whether a number is a score within its digits, plainly or as percent, complement or negative."""
    if not math.isfinite(number) or _digits(number) < _DIGITS:
        return False
    forms = {number, -number, 1 - number, number / 100, number * 100, 100 - number, 1 - number / 100}
    return any(_agree(form, score) for form in forms for score in recorded if math.isfinite(score))


def _agree(number: float, score: float) -> bool:
    if _digits(score) < _DIGITS:
        return False
    places, printed = (len(f"{one:.12g}".partition(".")[2]) for one in (number, score))
    shorter = places > 0 and math.isclose(number, round(score, places), rel_tol=0, abs_tol=1e-12)
    longer = printed > _DIGITS and math.isclose(round(number, printed), score, rel_tol=0, abs_tol=1e-12)
    return math.isclose(number, score, rel_tol=1e-9) or shorter or longer


def _digits(number: float) -> int:
    return len(f"{abs(number):.12e}".split("e")[0].replace(".", "").rstrip("0"))


def constants_stay(edit: Edit) -> Iterator[Finding]:
    """Numbers that are given a name, or are a function's defaults, stay: sizes, thresholds and seeds are the author's."""
    for old, new in edit.changed:
        before = value(old.node)
        if before is not None and is_literal(before):
            after = value(new.node)
            if after is None or _numeric(before) != _numeric(after):
                yield Finding(new.line, f"the constant {ast.unparse(old.node)} must stay")
        elif isinstance(old.node, ast.FunctionDef) and isinstance(new.node, ast.FunctionDef):
            lost = numbers(old.node.args) - numbers(new.node.args)
            if lost:
                yield Finding(new.line, f"the defaults of {old.node.name}() must stay")


def _numeric(node: ast.expr) -> Counter[str]:
    return Counter(
        repr(child.value) for child in ast.walk(node) if isinstance(child, ast.Constant) and not isinstance(child.value, str)
    )


def results_stay_computed(edit: Edit) -> Iterator[Finding]:
    """What was computed is not written down: a value in place of its computation reproduces nothing."""
    for old, new in edit.changed:
        before, after = value(old.node), value(new.node)
        if before is not None and after is not None and not is_literal(before) and is_literal(after):
            yield Finding(new.line, f"a computed value became a literal: {ast.unparse(new.node)}")
        if isinstance(old.node, ast.Return) and isinstance(new.node, ast.Return):
            was, now = old.node.value, new.node.value
            if was is not None and not is_literal(was) and (now is None or is_literal(now)):
                yield Finding(new.line, f"a computed result became a literal: {ast.unparse(new.node)}")
        if isinstance(old.node, ast.Expr) and isinstance(new.node, ast.Expr):
            printed = _printed(old.node.value)
            if printed and text(old.node.value) != text(new.node.value) and _all_literal(new.node.value):
                yield Finding(new.line, f"printed text takes the place of a printed value: {ast.unparse(new.node)}")


def _printed(node: ast.expr) -> bool:
    return any(isinstance(child, ast.Call | ast.Name) for child in ast.walk(node)) and not _all_literal(node)


def _all_literal(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return all(is_literal(arg) for arg in node.args) and all(is_literal(word.value) for word in node.keywords)
    return is_literal(node)
