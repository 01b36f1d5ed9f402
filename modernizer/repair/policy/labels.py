"""Rules on the names of columns and records: the same are chosen, dropped and predicted."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from modernizer.repair.policy.assigning import target_names, value
from modernizer.repair.policy.calls import arguments, family, renamed_calls
from modernizer.repair.policy.edit import Edit, Finding, line_of
from modernizer.repair.policy.expressions import constants, text, variables
from modernizer.repair.policy.reading import Call, called
from modernizer.repair.policy.roles import speaks_of_test

_TARGETED = frozenset({"fit", "train_test_split", "cross_val_score", "cross_val_predict", "cross_validate", "fit_predict"})


def columns_stay(edit: Edit) -> Iterator[Finding]:
    """No columns are chosen by new names: fewer features make another model."""
    known = {one.value for node in edit.before.nodes if isinstance(node, ast.Constant) for one in [node]}
    for node, _ in edit.new_nodes(lambda node: text(node) if isinstance(node, ast.Subscript) else None):
        chosen = node.slice if isinstance(node, ast.Subscript) else None
        if isinstance(chosen, ast.List) and any(isinstance(one, ast.Constant) and one.value not in known for one in chosen.elts):
            yield Finding(line_of(node), f"no new choice of columns: {ast.unparse(node)[:80]}")


def dropped_columns_stay(edit: Edit) -> Iterator[Finding]:
    """Leave out the same columns, no more and no fewer: they are the features, and the target isn't one."""
    for pair in renamed_calls(edit):
        if pair.old.leaf != "drop" or (pair.new is not None and _labels(pair.old) == _labels(pair.new)):
            continue
        if pair.new is not None or not any(_takes_out(node) for node in edit.after.nodes):
            line = pair.new.line if pair.new is not None else 0
            yield Finding(line, f"the same columns must be dropped: {ast.unparse(pair.old.node)[:80]}")
    if any(isinstance(old.node, ast.Delete) for old in edit.removed):
        return
    for call, _ in edit.more(lambda call: "drop" if call.leaf == "drop" else None):
        yield Finding(call.line, f"no more columns or rows may be dropped: {ast.unparse(call.node)[:80]}")


def _takes_out(node: ast.AST) -> bool:
    return isinstance(node, ast.Delete) or (isinstance(node, ast.Call) and called(node)[0] == "pop")


def _labels(call: Call) -> Counter[object]:
    given = [one for name, one in arguments(call.node) if name not in {"axis", "errors", "level"}]
    return Counter(one.value for value in given for one in constants(value) if isinstance(one.value, str))


def records_stay(edit: Edit) -> Iterator[Finding]:
    """Read no record of validation as one of training, nor the other way: they are two scores."""
    for old, new in edit.changed:
        was, now = _keys(old.node), _keys(new.node)
        lost, came = list((was - now).elements()), list((now - was).elements())
        if lost and came and sum(map(speaks_of_test, lost)) != sum(map(speaks_of_test, came)):
            yield Finding(new.line, f"{', '.join(map(repr, came))} took the place of {', '.join(map(repr, lost))}")


def _keys(node: ast.AST) -> Counter[str]:
    slices = (child.slice for child in ast.walk(node) if isinstance(child, ast.Subscript))
    return Counter(one.value for one in slices if isinstance(one, ast.Constant) and isinstance(one.value, str))


def target_column_stays_out(edit: Edit) -> Iterator[Finding]:
    """Read the column that is predicted in no new place: a feature made of it knows the answer."""
    came = edit.new_nodes(_column)
    answers = _answers(edit) if came else set()
    for old, new in edit.changed:
        was, now = value(old.node), value(new.node)
        if was is not None and now is not None and target_names(old.node) & answers and _made_of(was) != _made_of(now):
            yield Finding(new.line, f"the column to predict must stay: {ast.unparse(old.node)[:80]}")
    labels = _target_labels(edit, answers) if came else set()
    for node, label in ((node, label) for node, label in came if label in labels):
        yield Finding(line_of(node), f"the column to predict comes into a computation: {label}")


def _answers(edit: Edit) -> set[str]:
    """Name the variables and columns that are the second argument of what fits, or the first of what scores."""
    units = edit.sides.units_before.values()
    return {
        name
        for code in units
        for call in code.calls
        for place, (key, one) in enumerate(arguments(call.node))
        if _is_answer(call, key, place)
        for name in (*variables(one), *filter(None, [_column(one)]))
    }


def _target_labels(edit: Edit, answers: set[str]) -> set[str]:
    """Name the columns of which such variables are made."""
    return {
        label
        for code in edit.sides.units_before.values()
        for statement in code.statements
        if (given := value(statement.node)) is not None and target_names(statement.node) & answers
        for label in filter(None, [_made_of(given)])
    }


def _is_answer(call: Call, key: str, place: int) -> bool:
    if call.leaf in _TARGETED:
        return key == "y" or (not key and place == 1)
    return family(call) == "score" and not key and place == 0


def _made_of(node: ast.expr) -> str | None:
    """Name the column that an expression is, its form aside."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    if isinstance(node, ast.Attribute) and node.attr in {"values", "array", "T"}:
        return _made_of(node.value)
    return _column(node)


def _column(node: ast.AST) -> str | None:
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        inner = node.slice.elts[0] if isinstance(node.slice, ast.List) and len(node.slice.elts) == 1 else node.slice
        return inner.value if isinstance(inner, ast.Constant) and isinstance(inner.value, str) else None
    return node.attr if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) else None
