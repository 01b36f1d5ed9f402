"""One changed unit: which of its statements and calls stayed, changed, went and came."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property
from typing import Protocol, TypeVar

from modernizer.repair.policy.expressions import variables
from modernizer.repair.policy.reading import Call, Code, Statement
from modernizer.repair.policy.renames import Renames
from modernizer.repair.program import Key, Program

_SIMILAR = 0.34
_CALLED = re.compile(r"\b(\w+)\s*\(")


@dataclass(frozen=True)
class Finding:
    """What a rule found: the line in the unit after the edit, and what is wrong there."""

    line: int
    detail: str


@dataclass(frozen=True)
class Sides:
    """The whole program before and after, for rules that look beyond a unit."""

    before: Program
    after: Program
    units_before: Mapping[Key, Code]
    units_after: Mapping[Key, Code]
    renames: Renames
    recorded: Collection[float]

    @cached_property
    def names_before(self) -> frozenset[str]:
        """Every name that the program bound before."""
        return frozenset(name for code in self.units_before.values() for name in bound(code))

    @cached_property
    def names_after(self) -> frozenset[str]:
        """Every name that the program binds after."""
        return frozenset(name for code in self.units_after.values() for name in bound(code))


@dataclass(frozen=True)
class Edit:
    """One unit before and after."""

    key: Key
    before: Code
    after: Code
    sides: Sides = field(repr=False)

    @cached_property
    def kept(self) -> tuple[tuple[Statement, Statement], ...]:
        """Statements that stand in the unit still, wherever."""
        return self._alignment[0]

    @cached_property
    def changed(self) -> tuple[tuple[Statement, Statement], ...]:
        """Statements that read differently, with what each became."""
        return self._alignment[1]

    @cached_property
    def removed(self) -> tuple[Statement, ...]:
        """Statements that went."""
        return self._alignment[2]

    @cached_property
    def added(self) -> tuple[Statement, ...]:
        """Statements that came."""
        return self._alignment[3]

    @cached_property
    def new_statements(self) -> tuple[Statement, ...]:
        """Statements that came or read differently."""
        return (*(after for _, after in self.changed), *self.added)

    @cached_property
    def kept_calls(self) -> tuple[tuple[Call, Call], ...]:
        """Calls that stand unchanged, calls inside them aside."""
        return self._calls[0]

    @cached_property
    def gone_calls(self) -> tuple[Call, ...]:
        """Calls that went or read differently."""
        return self._calls[1]

    @cached_property
    def new_calls(self) -> tuple[Call, ...]:
        """Calls that came or read differently."""
        return self._calls[2]

    @cached_property
    def _calls(self) -> tuple[tuple[tuple[Call, Call], ...], tuple[Call, ...], tuple[Call, ...]]:
        return _matched(self.before.calls, self.after.calls)

    @cached_property
    def _alignment(self) -> tuple[_Pairs, _Pairs, tuple[Statement, ...], tuple[Statement, ...]]:
        return _aligned(self.before.statements, self.after.statements)

    def more(self, name_of: Callable[[Call], str | None]) -> list[tuple[Call, str]]:
        """List calls that ``name_of`` names and of which the unit has more than before, the new ones first."""
        old = Counter(name for call in self.before.calls if (name := name_of(call)))
        if self.before.tree is None:
            # What can't be parsed still shows what it calls; a call is new when its last name wasn't called.
            shown = {*_CALLED.findall(self.before.source)}
            old.update({name: 10**6 for call in self.after.calls if (name := name_of(call)) and call.leaf in shown})
        new = {id(call) for call in self.new_calls}
        named = [(call, name) for call in self.after.calls if (name := name_of(call))]
        named.sort(key=lambda pair: id(pair[0]) not in new)
        spare = Counter(name for _, name in named) - old
        found = []
        for call, name in named:
            if spare[name] > 0:
                spare[name] -= 1
                found.append((call, name))
        return found

    def new_nodes(self, chosen: Callable[[ast.AST], str | None]) -> list[tuple[ast.AST, str]]:
        """List nodes that ``chosen`` writes as text and of which the unit has more than before, the later ones."""
        if self.after.tree is None:
            return []
        old = Counter(name for node in self.before.nodes if (name := chosen(node)) is not None)
        found = []
        for node in self.after.nodes:
            name = chosen(node)
            if name is None:
                continue
            old[name] -= 1
            if old[name] < 0:
                found.append((node, name))
        return found


_Pairs = tuple[tuple[Statement, Statement], ...]


def line_of(node: ast.AST) -> int:
    """Return a node's line; 0 for what has none."""
    return getattr(node, "lineno", 0)


class _Shaped(Protocol):
    @property
    def shape(self) -> str: ...

    @property
    def around(self) -> tuple[str, ...]: ...


S = TypeVar("S", bound=_Shaped)


def _matched(before: Iterable[S], after: Iterable[S]) -> tuple[tuple[tuple[S, S], ...], tuple[S, ...], tuple[S, ...]]:
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


def _aligned(
    before: tuple[Statement, ...], after: tuple[Statement, ...]
) -> tuple[_Pairs, _Pairs, tuple[Statement, ...], tuple[Statement, ...]]:
    kept, removed, added = _matched(before, after)
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


def targets(node: ast.AST) -> list[str]:
    """List what a statement assigns, in order, each as text."""
    match node:
        case ast.Assign():
            found = node.targets
        case ast.AugAssign() | ast.AnnAssign() | ast.For() | ast.AsyncFor() | ast.NamedExpr():
            found = [node.target]
        case _:
            found = []
    return [ast.dump(target) for target in found]


def value(node: ast.AST) -> ast.expr | None:
    """Return the expression that a statement assigns."""
    return node.value if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) else None


def target_names(node: ast.AST) -> set[str]:
    """Return the variables that a statement assigns, or whose parts it does."""
    match node:
        case ast.Assign():
            found: list[ast.expr] = node.targets
        case ast.AugAssign() | ast.AnnAssign() | ast.For() | ast.AsyncFor():
            found = [node.target]
        case _:
            return set()
    return {name for target in found for name in _bound_by(target)}


def _bound_by(target: ast.expr) -> set[str]:
    if isinstance(target, ast.Tuple | ast.List):
        return {name for item in target.elts for name in _bound_by(item)}
    while isinstance(target, ast.Attribute | ast.Subscript | ast.Starred):
        target = target.value
    return {target.id} if isinstance(target, ast.Name) else set(variables(target))


def bound(code: Code) -> Iterator[str]:
    """List the names that a unit binds by assigning, defining and looping."""
    for node in code.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
