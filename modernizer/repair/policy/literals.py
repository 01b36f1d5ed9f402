"""Rules on numbers: no score is written down, no constant changes."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from types import MappingProxyType

from modernizer.repair.policy.assigning import target_names, value
from modernizer.repair.policy.edit import Edit, Finding, line_of
from modernizer.repair.policy.expressions import is_literal, is_number, numbers, variables

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
_NOTHING: Mapping[str, object] = MappingProxyType({})
# Numbers with fewer digits say too little to be taken from somewhere.
_DIGITS = 2


def no_recorded_score(edit: Edit) -> Iterator[Finding]:
    """No literal is a score that the notebook recorded: a repair computes its result."""
    recorded = edit.sides.recorded
    if not recorded or edit.after.tree is None:
        return
    old = {one for code in edit.sides.units_before.values() for node in code.nodes for one in _said(node)}
    if edit.before.tree is None:
        old |= {float(found) for found in _NUMBER.findall(edit.before.source)}
    seen: set[int] = set()
    known = _named(edit)
    for node in edit.after.nodes:
        if (
            any(number not in old and _is_recorded(number, recorded) for number in _said(node, known))
            and line_of(node) not in seen
        ):
            seen.add(line_of(node))
            yield Finding(line_of(node), f"this number is a recorded score: {ast.unparse(node)}")


def _named(edit: Edit) -> dict[str, object]:
    """Map names that new statements give to literals to what they stand for."""
    found: dict[str, object] = {}
    for new in edit.new_statements:
        given = value(new.node)
        if given is not None and (folded := _fold(given, found)) is not None:
            found |= dict.fromkeys(target_names(new.node), folded)
    return found


def _said(node: ast.AST, known: Mapping[str, object] = _NOTHING) -> Iterator[float]:
    """List the numbers that an expression of literals stands for."""
    if not isinstance(node, ast.expr):
        return
    folded = _fold(node, known)
    if isinstance(folded, int | float) and is_number(folded):
        # No score has more digits than a float.
        with suppress(OverflowError):
            yield float(folded)
    elif isinstance(folded, str):
        yield from (float(found) for found in _NUMBER.findall(folded))


def _fold(node: ast.AST, known: Mapping[str, object]) -> object:  # noqa: PLR0911 (one answer for each kind of expression)
    """Compute an expression of literals; None when it is anything else."""
    match node:
        case ast.Constant(value=found):
            return found
        case ast.Name(id=name):
            return known.get(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand) if is_number(inner := _fold(operand, known)):
            return -inner  # type: ignore[operator]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _computed(_OPERATORS[type(op)], _fold(left, known), _fold(right, known))
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _CONVERSIONS:
            inner = _fold(first, known)
            if name == "str":
                return None if inner is None else str(inner)
            if isinstance(inner, str) and _NUMBER.fullmatch(inner.strip()):
                return float(inner)
            return inner
        case ast.Call(func=ast.Name(id="sum"), args=[ast.List(elts=items) | ast.Tuple(elts=items), *_]):
            terms = [_fold(item, known) for item in items]
            return sum(terms) if all(map(is_number, terms)) else None  # type: ignore[arg-type]
        case ast.JoinedStr(values=values):
            parts = [_fold(part.value if isinstance(part, ast.FormattedValue) else part, known) for part in values]
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
            setting = any("." in name for name in target_names(old.node))
            if not setting and (after is None or _numeric(before) != _numeric(after)):
                yield Finding(new.line, f"the constant {ast.unparse(old.node)} must stay")
        elif _without_numbers(old.node) == _without_numbers(new.node) and numbers(old.node) != numbers(new.node):
            yield Finding(new.line, f"only numbers changed here: {ast.unparse(old.node).splitlines()[0][:80]}")
        elif isinstance(old.node, ast.FunctionDef) and isinstance(new.node, ast.FunctionDef):
            lost = numbers(old.node.args) - numbers(new.node.args)
            if lost:
                yield Finding(new.line, f"the defaults of {old.node.name}() must stay")


def _without_numbers(node: ast.AST) -> str:
    return re.sub(r"Constant\(value=-?[\d.]+(?:e[-+]?\d+)?\)", "Constant()", ast.dump(node))


def variables_stay(edit: Edit) -> Iterator[Finding]:
    """Keep the variables that a statement reads: another variable in one's place is another computation."""
    old_names = edit.sides.names_before
    for old, new in edit.changed:
        was, now = variables(old.node), variables(new.node)
        lost, came = ({name for name in one - other if name in old_names} for one, other in ((was, now), (now, was)))
        if lost and came:
            yield Finding(new.line, f"{', '.join(sorted(came))} took the place of {', '.join(sorted(lost))}")


def _numeric(node: ast.expr) -> Counter[str]:
    return Counter(
        repr(child.value) for child in ast.walk(node) if isinstance(child, ast.Constant) and not isinstance(child.value, str)
    )
