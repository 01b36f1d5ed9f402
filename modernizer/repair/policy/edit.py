"""One changed unit: which of its statements and calls stayed, changed, went and came."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from modernizer.repair.policy.alignment import Pairs, aligned, matched
from modernizer.repair.policy.assigning import bound
from modernizer.repair.policy.expressions import copied
from modernizer.repair.policy.reading import Call, Code, Statement
from modernizer.repair.policy.renames import Renames
from modernizer.repair.program import Key, Program

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

    @cached_property
    def names_read(self) -> frozenset[str]:
        """Every name that the program reads after."""
        nodes = (node for code in self.units_after.values() for node in code.nodes)
        return frozenset(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))


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
        return matched(self.before.calls, self.after.calls)

    @cached_property
    def _alignment(self) -> tuple[Pairs, Pairs, tuple[Statement, ...], tuple[Statement, ...]]:
        return aligned(self.before.statements, self.after.statements)

    @cached_property
    def helpers(self) -> Mapping[str, ast.expr]:
        """What the new variables stand for that new statements give one value each."""
        stored = Counter(bound(self.after))
        given = {
            node.targets[0].id: node.value
            for node in (new.node for new in self.new_statements)
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
        }
        return {name: one for name, one in given.items() if stored[name] == 1 and name not in self.sides.names_before}

    def read_through(self, node: ast.expr) -> ast.expr:
        """Return an expression with new variables replaced by what they stand for."""
        found: ast.expr = _ReadThrough(self.helpers).visit(copied(node))
        return found

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


class _ReadThrough(ast.NodeTransformer):
    def __init__(self, helpers: Mapping[str, ast.expr], inside: frozenset[str] = frozenset()) -> None:
        self._helpers = helpers
        self._inside = inside

    def visit_Name(self, node: ast.Name) -> ast.AST:
        meant = None if node.id in self._inside else self._helpers.get(node.id)
        return node if meant is None else _ReadThrough(self._helpers, self._inside | {node.id}).visit(copied(meant))


def line_of(node: ast.AST) -> int:
    """Return a node's line; 0 for what has none."""
    return getattr(node, "lineno", 0)
