"""Take statements without effect out of a unit, and leave the comments around them where they are."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence

import libcst as cst

from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.recipe import Scope


class DroppingCodemod(ReceiverCodemod):
    """A codemod that drops the simple statements which ``drops`` names."""

    def __init__(self, scope: Scope) -> None:
        """Start with nothing dropped."""
        super().__init__(scope)
        self._gone: list[cst.CSTNode] = []

    @abstractmethod
    def drops(self, statement: cst.BaseSmallStatement) -> bool:
        """Tell whether a statement (of the original tree) has no effect any more and cannot run."""

    def leave_SimpleStatementLine(  # noqa: N802 (LibCST's visitor protocol)
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine:
        """Take the dropped statements off their line; a line without any left goes with its block."""
        pairs = zip(original_node.body, updated_node.body, strict=True)
        kept = [new for old, new in pairs if not self.drops(old)]
        if len(kept) == len(updated_node.body):
            return updated_node
        if kept:
            return updated_node.with_changes(body=[*kept[:-1], kept[-1].with_changes(semicolon=cst.MaybeSentinel.DEFAULT)])
        self._gone.append(updated_node)
        return updated_node

    def leave_IndentedBlock(self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock) -> cst.IndentedBlock:  # noqa: N802
        """Take lines out of a block, which gets a ``pass`` when nothing is left."""
        del original_node
        body, footer = self._without_gone(updated_node.body)
        if len(body) == len(updated_node.body):
            return updated_node
        return updated_node.with_changes(body=body or [cst.parse_statement("pass")], footer=[*footer, *updated_node.footer])

    def leave_Module(self, original_node: cst.Module, updated_node: cst.Module) -> cst.Module:  # noqa: N802
        """Take lines out of the unit."""
        del original_node
        body, footer = self._without_gone(updated_node.body)
        if len(body) == len(updated_node.body):
            return updated_node
        return updated_node.with_changes(body=body, footer=[*footer, *updated_node.footer])

    def _without_gone(self, body: Sequence[cst.BaseStatement]) -> tuple[list[cst.BaseStatement], list[cst.EmptyLine]]:
        """Return the lines that stay, and the comments that have no line behind them any more."""
        kept: list[cst.BaseStatement] = []
        comments: list[cst.EmptyLine] = []
        for line in body:
            if any(line is gone for gone in self._gone):
                comments.extend(_comments(line))
            elif comments:
                kept.append(line.with_changes(leading_lines=[*comments, *_leading(line)]))
                comments = []
            else:
                kept.append(line)
        return kept, comments


def _leading(line: cst.CSTNode) -> Sequence[cst.EmptyLine]:
    return line.leading_lines if isinstance(line, cst.SimpleStatementLine) else getattr(line, "leading_lines", ())


def _comments(line: cst.CSTNode) -> Iterable[cst.EmptyLine]:
    """Return the lines above a statement from its first comment's blank lines on, when there is a comment."""
    leading = _leading(line)
    return leading if any(empty.comment for empty in leading) else ()
