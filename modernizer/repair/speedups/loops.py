"""A frame that grows by ``pd.concat`` in a loop: its parts are collected and joined once, behind the loop.

Joining parts of the same columns and types one by one or all at once is the same; whether they are is looked at in the
kernel of the proof, where the collected parts still are.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import ClassVar

import libcst as cst

from modernizer.repair.program import Key
from modernizer.repair.recipe import Scope, Unit
from modernizer.repair.syntax import code

_READERS = frozenset(f"pandas.{name}" for name in ("read_csv", "read_table", "read_parquet", "read_feather"))


@dataclass(frozen=True)
class _Growing:
    """A loop at a cell's top level, the frame that grows in it, what is joined to it, and ``concat``'s own options."""

    frame: str
    part: cst.BaseExpression
    call: cst.Call


class _Uses(cst.CSTVisitor):
    """Counts how a name is used: at all, and as a bare value, which may be kept or changed elsewhere."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.all = 0
        self.bare = 0
        self.in_functions = 0
        self._functions = 0

    def visit_Name(self, node: cst.Name) -> None:  # noqa: N802 (LibCST's visitor protocol)
        if node.value == self.name:
            self.all += 1
            self.bare += 1
            self.in_functions += bool(self._functions)

    def visit_Attribute(self, node: cst.Attribute) -> None:  # noqa: N802
        self._of(node.value)

    def visit_Subscript(self, node: cst.Subscript) -> None:  # noqa: N802
        self._of(node.value)

    def _of(self, value: cst.CSTNode) -> None:
        if isinstance(value, cst.Name) and value.value == self.name:
            self.bare -= 1

    def visit_FunctionDef(self, _node: cst.FunctionDef) -> None:  # noqa: N802
        self._functions += 1

    def leave_FunctionDef(self, _original_node: cst.FunctionDef) -> None:  # noqa: N802
        self._functions -= 1

    def visit_Lambda(self, _node: cst.Lambda) -> None:  # noqa: N802
        self._functions += 1

    def leave_Lambda(self, _original_node: cst.Lambda) -> None:  # noqa: N802
        self._functions -= 1


def _uses(node: cst.CSTNode, name: str) -> _Uses:
    counted = _Uses(name)
    node.visit(counted)
    return counted


def _growing(loop: cst.CSTNode, scope: Scope) -> _Growing | None:
    """Read a loop whose last statement is ``frame = pd.concat([frame, part])`` and that uses the frame nowhere else."""
    if not isinstance(loop, cst.For) or loop.orelse or loop.asynchronous or not isinstance(loop.body, cst.IndentedBlock):
        return None
    *before, last = loop.body.body
    joined = _joined(last, scope)
    if joined is None:
        return None
    if _uses(loop.iter, joined.frame).all or any(_uses(statement, joined.frame).all for statement in before):
        return None
    if any(isinstance(statement, cst.Try | cst.TryStar) for statement in before):
        return None
    return joined if _is_fresh(joined.part, before, scope) else None


def _joined(statement: cst.CSTNode, scope: Scope) -> _Growing | None:
    assigned = _assigned(statement)
    if assigned is None:
        return None
    name, call = assigned
    if not isinstance(call, cst.Call) or not call.args or scope.qualified(call.func) != "pandas.concat":
        return None
    first, *options = call.args
    if first.keyword or first.star or not isinstance(first.value, cst.List) or len(first.value.elements) != 2:  # noqa: PLR2004
        return None
    frame, part = (element.value for element in first.value.elements)
    literal = all(arg.keyword and arg.keyword.value == "ignore_index" and code(arg.value) in {"True", "False"} for arg in options)
    if not literal or not isinstance(frame, cst.Name) or frame.value != name or _uses(part, name).all:
        return None
    return _Growing(name, part, call)


def _is_fresh(part: cst.BaseExpression, before: list[cst.BaseStatement], scope: Scope) -> bool:
    """Tell whether every round makes its own frame, which nothing else holds."""
    if _makes_frame(part, scope):
        return True
    if not isinstance(part, cst.Name):
        return False
    values = [found[1] for statement in before if (found := _assigned(statement)) is not None and found[0] == part.value]
    if len(values) != 1 or not _makes_frame(values[0], scope):
        return False
    return sum(_uses(statement, part.value).bare for statement in before) == 1


def _makes_frame(node: cst.BaseExpression, scope: Scope) -> bool:
    callee = scope.qualified(node.func) if isinstance(node, cst.Call) else None
    if not isinstance(node, cst.Call) or not node.args or any(arg.star for arg in node.args):
        return False
    if callee in _READERS:
        return not any(arg.keyword and arg.keyword.value in {"iterator", "chunksize"} for arg in node.args)
    return callee == "pandas.DataFrame" and node.args[0].keyword is None and isinstance(node.args[0].value, cst.List | cst.Dict)


def _assigned(statement: cst.CSTNode) -> tuple[str, cst.BaseExpression] | None:
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return None
    assign = statement.body[0]
    if not isinstance(assign, cst.Assign) or len(assign.targets) != 1 or not isinstance(assign.targets[0].target, cst.Name):
        return None
    return assign.targets[0].target.value, assign.value


def _starts_empty(name: str, before: list[cst.BaseStatement | cst.SimpleStatementLine], scope: Scope) -> bool:
    """Tell whether the frame is ``pd.DataFrame()`` when the loop begins."""
    for statement in reversed(before):
        assigned = _assigned(statement)
        if assigned is not None and assigned[0] == name:
            value = assigned[1]
            return isinstance(value, cst.Call) and not value.args and scope.qualified(value.func) == "pandas.DataFrame"
        if _uses(statement, name).all:
            return False
    return False


@dataclass
class ConcatOnce:
    """The recipe, for the slow cells of one notebook. ``parts`` are the names that hold the parts, to be looked at."""

    slow: Collection[Key]
    parts: list[str] = field(default_factory=list)
    name: ClassVar[str] = "concat-once"
    summary: ClassVar[str] = "The parts of a growing frame are joined once instead of in every round of the loop."
    since: ClassVar[str] = ""
    source: ClassVar[str] = "https://pandas.pydata.org/docs/user_guide/merging.html"
    words: ClassVar[frozenset[str]] = frozenset({"concat"})
    order: ClassVar[int] = 50
    confirmed: ClassVar[bool] = True
    at_end: ClassVar[bool] = False

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Return the unit's new source, or None."""
        if unit.key not in self.slow or unit.tree is None or unit.masked is None:
            return None
        body: list[cst.BaseStatement | cst.SimpleStatementLine] = []
        for statement in unit.tree.body:
            found = _growing(statement, scope)
            functions = sum(_uses(tree, found.frame).in_functions for tree in scope.names.trees) if found else 0
            if found is None or functions or not _starts_empty(found.frame, body, scope):
                body.append(statement)
                continue
            body += self._collected(statement, found, scope)
        return unit.masked.unmask(unit.tree.with_changes(body=body).code)

    def _collected(
        self, loop: cst.BaseStatement | cst.SimpleStatementLine, found: _Growing, scope: Scope
    ) -> list[cst.BaseStatement | cst.SimpleStatementLine]:
        parts = f"{found.frame}_parts"
        while scope.names.mentions(parts):
            parts += "_"
        self.parts.append(parts)
        scope.note(f"{found.frame}")
        assert isinstance(loop, cst.For)  # noqa: S101 (see _growing)
        start = cst.parse_statement(f"{parts} = [{found.frame}]").with_changes(leading_lines=loop.leading_lines)
        last = loop.body.body[-1]
        added = cst.parse_statement(f"{parts}.append({code(found.part)})").with_changes(
            leading_lines=getattr(last, "leading_lines", ()), trailing_whitespace=getattr(last, "trailing_whitespace", None)
        )
        block = loop.body.with_changes(body=[*loop.body.body[:-1], added])
        first = found.call.args[0].with_changes(value=cst.Name(parts))
        whole = cst.parse_statement(f"{found.frame} = {code(found.call.with_changes(args=[first, *found.call.args[1:]]))}")
        return [start, loop.with_changes(body=block, leading_lines=()), whole]
