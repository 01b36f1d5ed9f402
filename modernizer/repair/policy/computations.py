"""Rules on what a statement computes: nothing is added to a result or left out of its computation."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from modernizer.repair.policy.calls import arguments, family, successors
from modernizer.repair.policy.edit import Edit, Finding, line_of
from modernizer.repair.policy.expressions import bare, is_literal, text, variables
from modernizer.repair.policy.reading import Call, called

_BENDING = re.compile(r"(?:min|max|round|abs|where|clip|maximum|minimum|around|rint|ceil|floor|nan_to_num|interp|select|choose)$")
# Wrappers that packages no longer need.
_NEEDLESS = frozenset({"Variable", "unicode", "asscalar", "list", "iter", "print", "len", "Session", "hold", "has_key"})


def operators_stay(edit: Edit) -> Iterator[Finding]:
    """No operator comes, goes or turns round: a score times 1.1, or a filter the other way, is another result."""
    for old, new in edit.changed:
        was, now = _operators(old.node), _operators(new.node)
        if was != now and not isinstance(old.node, ast.Assert):
            names = ", ".join(sorted((was - now) + (now - was)))
            yield Finding(new.line, f"operators must stay as they are: {names}")
    for call, name in edit.more(_bends):
        yield Finding(call.line, f"no value may be bent: {name}()")


def _bends(call: Call) -> str | None:
    return call.leaf if _BENDING.match(call.leaf) else None


def _operators(node: ast.AST) -> Counter[str]:
    """Count operators; division of Python 2 is one kind, and sums of literals and tests of membership don't count."""
    found: Counter[str] = Counter()
    for child in ast.walk(node):
        counted = (isinstance(child, ast.BinOp) and not _is_text(child)) or isinstance(child, ast.UnaryOp | ast.AugAssign)
        if counted and not (isinstance(child, ast.expr) and is_literal(child)):
            op = getattr(child, "op", None)
            found["Div" if isinstance(op, ast.FloorDiv) else type(op).__name__] += 1
        elif isinstance(child, ast.Compare):
            found.update(type(op).__name__ for op in child.ops if not isinstance(op, ast.In | ast.NotIn | ast.Is | ast.IsNot))
        elif isinstance(child, ast.BoolOp):
            found[type(child.op).__name__] += 1
    return found


def _is_text(node: ast.BinOp) -> bool:
    """Tell whether an operator formats text or, in Python 2, prints to a file."""
    if isinstance(node.op, ast.RShift):
        return isinstance(node.left, ast.Name) and node.left.id == "print"
    return isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)


def computations_stay(edit: Edit) -> Iterator[Finding]:
    """No step is cut out of a statement: without it, other data goes on."""
    for old, new in edit.changed:
        was, now = _words(bare(old.node)), _words(bare(new.node))
        lost = [name for name in _called(old.node) - _called(new.node) if name not in _NEEDLESS]
        if lost and not now - was and text(old.node) != text(new.node):
            yield Finding(new.line, f"a step is gone: {lost[0]}()")


def _called(node: ast.AST) -> Counter[str]:
    return Counter(called(child)[0] for child in ast.walk(bare(node)) if isinstance(child, ast.Call))


def _words(node: ast.AST) -> Counter[str]:
    words = (getattr(child, "id", None) or getattr(child, "attr", None) for child in ast.walk(node))
    return Counter(word.rpartition(".")[2] for word in words if isinstance(word, str))


def scoring_stays_plain(edit: Edit) -> Iterator[Finding]:
    """Give a metric and a split no new argument: weights, averages and strata change what is measured."""
    for pair in successors(edit):
        if pair.new is None or not (family(pair.old) == "score" or pair.old.leaf == "train_test_split"):
            continue
        given = Counter(text(one) for _, one in arguments(pair.old.node))
        spare = given - Counter(text(one) for name, one in arguments(pair.new.node) if not name)
        for name, one in arguments(pair.new.node):
            if name and text(one) not in spare and name not in {key for key, _ in arguments(pair.old.node)}:
                yield Finding(pair.new.line, f"{pair.new.leaf}() gets a new argument: {name}={ast.unparse(one)}")


def answers_stay_out(edit: Edit) -> Iterator[Finding]:
    """Let the true answers into no statement that didn't know them, other than a split: predictions would be copied."""
    truths = {
        name
        for code in edit.sides.units_before.values()
        for call in code.calls
        if family(call) == "score" and call.node.args and call.dotted
        for name in variables(call.node.args[0])
    }
    before = {id(new): old for old, new in edit.changed}
    for new in edit.new_statements:
        old = before.get(id(new))
        was = variables(old.node) if old is not None else Counter[str]()
        came = (variables(new.node) - was - _split(new.node)).keys() & truths
        if came and old is not None and isinstance(old.node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            yield Finding(new.line, f"the true answers come into a computation: {', '.join(sorted(came))}")


def _split(node: ast.AST) -> Counter[str]:
    splits = (child for child in ast.walk(node) if isinstance(child, ast.Call) and called(child)[0] in {"split", "concat"})
    return sum((variables(child) for child in splits), Counter[str]())


def columns_stay(edit: Edit) -> Iterator[Finding]:
    """No columns are chosen by new names: fewer features make another model."""
    known = {one.value for node in edit.before.nodes if isinstance(node, ast.Constant) for one in [node]}
    for node, _ in edit.new_nodes(lambda node: text(node) if isinstance(node, ast.Subscript) else None):
        chosen = node.slice if isinstance(node, ast.Subscript) else None
        if isinstance(chosen, ast.List) and any(isinstance(one, ast.Constant) and one.value not in known for one in chosen.elts):
            yield Finding(line_of(node), f"no new choice of columns: {ast.unparse(node)[:80]}")
