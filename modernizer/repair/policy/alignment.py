"""Which statement and call of a unit became which, judged by their text and their places."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import Protocol, TypeVar

from modernizer.repair.policy.assigning import targets
from modernizer.repair.policy.reading import Statement

Pairs = tuple[tuple[Statement, Statement], ...]
_SIMILAR = 0.34


class _Shaped(Protocol):
    @property
    def shape(self) -> str: ...

    @property
    def around(self) -> tuple[str, ...]: ...


S = TypeVar("S", bound=_Shaped)


def matched(before: Iterable[S], after: Iterable[S]) -> tuple[tuple[tuple[S, S], ...], tuple[S, ...], tuple[S, ...]]:
    """Pair what has the same shape, preferably under the same conditions."""
    pairs: list[tuple[S, S]] = []
    left, right = list(before), list(after)
    for same in (lambda one: (one.shape, one.around), lambda one: (one.shape, ())):
        waiting: dict[object, list[S]] = {}
        for one in left:
            waiting.setdefault(same(one), []).append(one)
        rest = []
        for other in right:
            partners = waiting.get(same(other))
            if partners:
                pairs.append((partners.pop(0), other))
            else:
                rest.append(other)
        paired = {id(one) for one, _ in pairs}
        left = [one for one in left if id(one) not in paired]
        right = rest
    return tuple(pairs), tuple(left), tuple(right)


def aligned(
    before: tuple[Statement, ...], after: tuple[Statement, ...]
) -> tuple[Pairs, Pairs, tuple[Statement, ...], tuple[Statement, ...]]:
    """Tell which statements stayed, changed, went and came."""
    kept, removed, added = matched(before, after)
    # A statement that changed stands between the same neighbours as before; then alikeness decides.
    changed: list[tuple[Statement, Statement]] = []
    matcher = SequenceMatcher(None, [one.shape for one in before], [one.shape for one in after], autojunk=False)
    gone, come = {id(one) for one in removed}, {id(one) for one in added}
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "replace":
            old = [one for one in before[i1:i2] if id(one) in gone]
            new = [one for one in after[j1:j2] if id(one) in come]
            changed += _alike(old, new, alone=len(old) == len(new) == 1)
    taken = {id(one) for pair in changed for one in pair}
    changed += _alike([one for one in removed if id(one) not in taken], [one for one in added if id(one) not in taken])
    taken = {id(one) for pair in changed for one in pair}
    return (
        kept,
        tuple(changed),
        tuple(one for one in removed if id(one) not in taken),
        tuple(one for one in added if id(one) not in taken),
    )


def _alike(old: list[Statement], new: list[Statement], *, alone: bool = False) -> list[tuple[Statement, Statement]]:
    if alone and type(old[0].node) is type(new[0].node):
        return [(old[0], new[0])]
    scores = sorted(((_likeness(one, other), i, j) for i, one in enumerate(old) for j, other in enumerate(new)), reverse=True)
    left, right, pairs = set(range(len(old))), set(range(len(new))), []
    for score, i, j in scores:
        if score >= _SIMILAR and i in left and j in right:
            left.discard(i)
            right.discard(j)
            pairs.append((old[i], new[j]))
    return pairs


def _likeness(one: Statement, other: Statement) -> float:
    a, b = _features(one.node), _features(other.node)
    total = a.total() + b.total()
    shared = 2 * (a & b).total() / total if total else 0.0
    same_targets = bool(targets(one.node)) and targets(one.node) == targets(other.node)
    return shared + (0.5 if same_targets else 0.0)


def _features(node: ast.AST) -> Counter[str]:
    found: Counter[str] = Counter()
    for child in ast.walk(node):
        if isinstance(child, ast.Name):
            found[child.id.rpartition(".")[2]] += 1
        elif isinstance(child, ast.Attribute):
            found[child.attr] += 1
        elif isinstance(child, ast.Constant):
            found[repr(child.value)] += 1
    return found
