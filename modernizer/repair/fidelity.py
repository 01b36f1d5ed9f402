"""How much of the original code a repair left as it was."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from modernizer.magics import Masked, mask
from modernizer.parsing import parse_python
from modernizer.repair.outcome import Fidelity
from modernizer.repair.policy.reading import STAND_IN, head, shape
from modernizer.repair.program import Program


def fidelity(original: Program, repaired: Program) -> Fidelity:
    """Return the shares of the original statements and calls that stand in the repaired program unchanged.

    Code is compared by its syntax trees, so that layout doesn't count. A compound statement is compared by its head, a call
    without the calls inside it, so that a change counts once. A unit that does not parse on one side, or is in another
    language, is compared line by line on both.
    """
    before, after = original.sources(), repaired.sources()
    statements_before, calls_before = Counter[str](), Counter[str]()
    statements_after, calls_after = Counter[str](), Counter[str]()
    for key, source in before.items():
        new = after.get(key, "")
        trees = _tree(source), _tree(new)
        for text, tree, statements, calls in (
            (source, trees[0], statements_before, calls_before),
            (new, trees[1], statements_after, calls_after),
        ):
            if tree is None or None in trees:
                statements.update(line.strip() for line in text.splitlines() if line.strip())
            else:
                statements.update(_statements(tree))
                calls.update(_calls(tree))
    return Fidelity(_share(statements_before, statements_after), _share(calls_before, calls_after))


def _share(before: Counter[str], after: Counter[str]) -> float:
    return (before & after).total() / before.total() if before else 1.0


def _tree(source: str) -> ast.Module | None:
    masked = mask(source)
    if masked is None:
        return None
    try:
        return _with_magics(parse_python(masked.code), masked)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _with_magics(tree: ast.Module, masked: Masked) -> ast.Module:
    """Name every magic by its text: stand-ins are numbered, so that one magic more would change all behind it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and STAND_IN.match(node.id):
            node.id = masked.unmask(node.id)
    return tree


def _statements(tree: ast.Module) -> Iterator[str]:
    return (ast.dump(head(node)) for node in ast.walk(tree) if isinstance(node, ast.stmt))


def _calls(tree: ast.Module) -> Iterator[str]:
    return (shape(node) for node in ast.walk(tree) if isinstance(node, ast.Call))
