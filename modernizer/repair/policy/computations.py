"""Rules on what a statement computes: nothing is added to a result or left out of its computation."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from modernizer.repair.policy.assigning import value
from modernizer.repair.policy.calls import arguments, family, successors
from modernizer.repair.policy.edit import Edit, Finding
from modernizer.repair.policy.expressions import bare, constants, is_literal, text, variables
from modernizer.repair.policy.reading import Call, called

_BENDING = re.compile(r"(?:min|max|round|abs|where|clip|maximum|minimum|around|rint|ceil|floor|nan_to_num|interp|select|choose)$")
# Methods that index objects have where they had operators.
_METHODS_OF = {"BitAnd": "intersection", "BitOr": "union", "Sub": "difference", "BitXor": "symmetric_difference"}
# What makes one number of many.
_SUMMARIES = frozenset(
    {"mean", "median", "average", "sum", "std", "var", "prod", "quantile", "percentile", "mode", "min", "max", "amin", "amax"}
    | {"first", "last", "nanmean", "nanmedian", "argmax", "argmin", "any", "all", "count", "nunique", "size"}
)
# Wrappers that packages no longer need.
_NEEDLESS = frozenset(
    {"Variable", "unicode", "asscalar", "list", "iter", "print", "len", "Session", "hold", "has_key", "cmp", "encode"}
)


def operators_stay(edit: Edit) -> Iterator[Finding]:
    """No operator comes, goes or turns round: a score times 1.1, or a filter the other way, is another result."""
    for old, new in edit.changed:
        was, now = _operators(old.node), _operators(new.node)
        come = called_names(new.node) - called_names(old.node)
        was.subtract(operator for operator, method in _METHODS_OF.items() if come[method] and was[operator] > now[operator])
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
    # Plots were counted from 0 once.
    calls = [child for child in ast.walk(node) if isinstance(child, ast.Call) and called(child)[0] in {"subplot", "add_subplot"}]
    places = {id(inside) for call in calls for given in call.args for inside in ast.walk(given)}
    for child in (child for child in ast.walk(node) if id(child) not in places):
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
        gone, come = called_names(old.node) - called_names(new.node), called_names(new.node) - called_names(old.node)
        lost = [name for name in gone if name not in _NEEDLESS]
        summed, other = gone.keys() & _SUMMARIES, come.keys() & _SUMMARIES
        if summed and other:
            yield Finding(new.line, f"{min(other)}() took the place of {min(summed)}()")
        given = value(new.node)
        said = _words(edit.read_through(given)) if given is not None else Counter[str]()
        if not other and (unsaid := summed - now.keys() - said.keys() - {one.value for one in constants(new.node)}):
            yield Finding(new.line, f"a step is gone: {min(unsaid)}()")
        if lost and not now - was and not come.keys() & was.keys() and text(old.node) != text(new.node):
            yield Finding(new.line, f"a step is gone: {lost[0]}()")


def called_names(node: ast.AST) -> Counter[str]:
    """Count what an expression calls, wrappers that change an object's form left out."""
    return Counter(called(child)[0] for child in ast.walk(bare(node)) if isinstance(child, ast.Call))


def _words(node: ast.AST) -> Counter[str]:
    words = (getattr(child, "id", None) or getattr(child, "attr", None) for child in ast.walk(node))
    return Counter(word.rpartition(".")[2] for word in words if isinstance(word, str))


def scoring_stays_plain(edit: Edit) -> Iterator[Finding]:
    """Give a metric and a split no new argument: weights, averages and strata change what is measured."""
    renames = edit.sides.renames
    for pair in successors(edit):
        if pair.new is None or not (family(pair.old) == "score" or pair.old.leaf == "train_test_split"):
            continue
        given = Counter(text(one) for _, one in arguments(pair.old.node))
        spare = given - Counter(text(one) for name, one in arguments(pair.new.node) if not name)
        known = {new for old, _ in arguments(pair.old.node) if old for new in renames.argument_names(pair.old.leaf, old)}
        for name, one in arguments(pair.new.node):
            if name and text(one) not in spare and name not in known:
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
