"""How much of the original code a repair left as it was."""

from __future__ import annotations

import ast
from collections import Counter

from modernizer.repair.magics import mask
from modernizer.repair.outcome import Fidelity
from modernizer.repair.program import Program


def fidelity(original: Program, repaired: Program) -> Fidelity:
    """Return the shares of the original statements and calls that stand in the repaired program unchanged.

    Code is compared by its syntax trees, so that layout doesn't count; code that does not parse is compared line by line.
    """
    statements_before, calls_before = _pieces(original)
    statements_after, calls_after = _pieces(repaired)
    return Fidelity(_share(statements_before, statements_after), _share(calls_before, calls_after))


def _share(before: Counter[str], after: Counter[str]) -> float:
    return (before & after).total() / before.total() if before else 1.0


def _pieces(program: Program) -> tuple[Counter[str], Counter[str]]:
    statements: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    for source in program.sources().values():
        masked = mask(source)
        try:
            tree = ast.parse(masked.code if masked else "")
        except (SyntaxError, ValueError, RecursionError):
            statements.update(line.strip() for line in source.splitlines() if line.strip())
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt) and not hasattr(node, "body"):
                statements[ast.dump(node)] += 1
            elif isinstance(node, ast.Call):
                calls[ast.dump(node)] += 1
    return statements, calls
