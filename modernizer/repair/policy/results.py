"""Rules on what is shown: it is computed, and no score is bent on its way."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from modernizer.repair.policy.assigning import value
from modernizer.repair.policy.calls import family
from modernizer.repair.policy.computations import called_names
from modernizer.repair.policy.edit import Edit, Finding, line_of
from modernizer.repair.policy.expressions import dotted, is_literal, numbers, text
from modernizer.repair.policy.reading import Call, called

_SHOWING = re.compile(
    r"(?:print|display|write|writelines|log|info|Markdown|HTML|Latex|text|set_title|title|suptitle|annotate|pprint)$"
)
_DIGIT = re.compile(r"\d")
_BENDING = frozenset(
    {
        "sqrt",
        "square",
        "log",
        "log1p",
        "log2",
        "log10",
        "exp",
        "expm1",
        "power",
        "pow",
        "tanh",
        "sigmoid",
        "sign",
        "cbrt",
        "divmod",
    }
    | {"divmod", "ceil", "floor", "trunc", "fsum", "hypot", "mean", "median", "max", "min", "sorted", "next", "float_power"}
)
_PROBE = ast.Call(ast.Name("", ast.Load()), [], [])


def results_stay_computed(edit: Edit) -> Iterator[Finding]:
    """Keep what was computed a computation: a value in place of its computation, or shown beside it, reproduces nothing."""
    for new in edit.added:
        if isinstance(new.node, ast.Expr) and _shows_number(edit.read_through(new.node.value), edit.sides.names_before):
            yield Finding(new.line, f"a number is shown that nothing computed: {ast.unparse(new.node)[:80]}")
    for node, written in edit.new_nodes(_falls_back):
        yield Finding(line_of(node), f"no literal may stand in for a computed value: {written}")
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
            if (
                printed
                and _shows(new.node.value)
                and text(old.node.value) != text(new.node.value)
                and _all_literal(new.node.value)
            ):
                yield Finding(new.line, f"printed text takes the place of a printed value: {ast.unparse(new.node)}")


def _scores(node: ast.AST) -> bool:
    names = (called(child) for child in ast.walk(node) if isinstance(child, ast.Call))
    return any(leaf.startswith("evaluate") or family(Call(_PROBE, leaf, dotted, "", ())) == "score" for leaf, dotted in names)


def _falls_back(node: ast.AST) -> str | None:
    """Write an expression that gives a computed value in one case and a literal number in another."""
    match node:
        case ast.IfExp():
            choices = [node.body, node.orelse]
        case ast.BoolOp(op=ast.Or()):
            choices = node.values
        case _:
            return None
    literal = [one for one in choices if is_literal(one) and numbers(one)]
    return ast.unparse(node)[:80] if literal and len(literal) < len(choices) else None


def _shows_number(node: ast.expr, computed: Collection[str]) -> bool:
    """Tell whether a statement shows a number that comes from literals alone."""
    if not isinstance(node, ast.Call) or not _SHOWING.match(called(node)[0]):
        return False
    inside = [child for given in (*node.args, *(word.value for word in node.keywords)) for child in ast.walk(given)]
    if any(isinstance(child, ast.Name) and child.id in computed for child in inside):
        return False
    written = [str(child.value) for child in inside if isinstance(child, ast.Constant) and not isinstance(child.value, bool)]
    return any(_DIGIT.search(one) for one in written)


def _shows(node: ast.expr) -> bool:
    return not isinstance(node, ast.Call) or dotted(node.func) in {"print", "display", "IPython.display.display"}


def _printed(node: ast.expr) -> bool:
    return any(isinstance(child, ast.Call | ast.Name) for child in ast.walk(node)) and not _all_literal(node)


def _all_literal(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return all(is_literal(arg) for arg in node.args) and all(is_literal(word.value) for word in node.keywords)
    return is_literal(node)


def scores_stay_unbent(edit: Edit) -> Iterator[Finding]:
    """Let no number and no function join a score: its root or its maximum with something is another result."""
    for old, new in edit.changed:
        if not _scores(old.node) or isinstance(old.node, ast.FunctionDef | ast.ClassDef):
            continue
        came = [number for number in numbers(new.node) - numbers(old.node) if number != int(number)]
        if came:
            yield Finding(new.line, f"no number may join a score: {came[0]}")
        lost, more = called_names(old.node) - called_names(new.node), called_names(new.node) - called_names(old.node)
        if more.total() > lost.total() and (bent := sorted(more.keys() & _BENDING)):
            yield Finding(new.line, f"no score may be bent: {bent[0]}()")
