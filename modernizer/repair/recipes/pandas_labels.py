"""Keys that look-ups refuse today: sets, lists with missing labels; and set operations on indexes by ``|`` and ``&``."""

from __future__ import annotations

import re

import libcst as cst

from modernizer.repair.evidence import raised_in
from modernizer.repair.expressions import atom, filled
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import INDEXES, SERIES, ReceiverCodemod
from modernizer.repair.syntax import code, string

_OPERATIONS = {cst.BitOr: "union", cst.BitAnd: "intersection", cst.BitXor: "symmetric_difference"}
# Some labels were found, else even old releases raised ("None of [...] are in the [index]").
_NO_DIFFERENCE = re.compile(r"Lengths of operands do not match|unsupported operand type\(s\) for -|operation 'sub' not supported")
_SOME_MISSING = re.compile(r"not in index['\"]?$")


class _Labels(ReceiverCodemod):
    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        failure = self.scope.failure
        if failure is None or not self.scope.failing(original_node):
            return updated_node
        if failure.error.name == "TypeError" and "Passing a set as an indexer is not supported" in failure.error.message:
            return self._listed(original_node, updated_node)
        if failure.error.name == "KeyError" and _SOME_MISSING.search(failure.error.message) and len(original_node.slice) == 1:
            return self._reindexed(original_node, updated_node)
        if failure.error.name == "KeyError" and _SOME_MISSING.search(failure.error.message):
            return self._rows_reindexed(original_node, updated_node)
        return updated_node

    def leave_BinaryOperation(self, original_node: cst.BinaryOperation, updated_node: cst.BinaryOperation) -> cst.BaseExpression:  # noqa: N802
        name = _OPERATIONS.get(type(original_node.operator))
        if isinstance(original_node.operator, cst.Subtract) and self._refuses_difference() and self.scope.failing(original_node):
            return self._difference(original_node, updated_node)
        if name is None or not self.scope.at_least("pandas", "2.0"):
            return updated_node
        if self._kind(original_node.left) not in INDEXES or self._kind(original_node.right) not in INDEXES:
            return updated_node
        self.scope.note(f"{code(original_node.operator).strip()} of indexes → .{name}()")
        new = filled(f"{{left}}.{name}({{right}})", {"left": updated_node.left, "right": updated_node.right})
        return new.with_changes(lpar=updated_node.lpar, rpar=updated_node.rpar)

    def _refuses_difference(self) -> bool:
        return self.scope.failure is not None and bool(_NO_DIFFERENCE.search(self.scope.failure.error.message))

    def _difference(self, original: cst.BinaryOperation, updated: cst.BinaryOperation) -> cst.BaseExpression:
        """``index - labels`` was the set of labels without those, before it became arithmetic."""
        labels = isinstance(original.right, cst.List) or self._kind(original.right) in INDEXES
        if self._kind(original.left) not in INDEXES or not labels:
            return updated
        self.scope.note("index - labels → .difference()")
        new = filled("{left}.difference({right})", {"left": updated.left, "right": updated.right})
        return new.with_changes(lpar=updated.lpar, rpar=updated.rpar)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:  # noqa: N802
        """``DataFrame(..., columns={'a'})``: the order of a set of several names means nothing, that of one does."""
        failure, name = self.scope.failure, original_node.keyword.value if original_node.keyword else ""
        value = updated_node.value
        if failure is None or f"{name} cannot be a set" not in failure.error.message or not isinstance(value, cst.Set):
            return updated_node
        if not self.scope.failing(original_node) or len(value.elements) != 1:
            return updated_node
        self.scope.note(f"{name}={{label}} → {name}=[label]")
        return updated_node.with_changes(value=cst.List(value.elements))

    def _kind(self, node: cst.BaseExpression) -> str | None:
        """Return the class of an expression; ``.index`` and ``.columns`` of anything pandas are indexes."""
        kind = self.type_of(node)
        if kind is None and isinstance(node, cst.Attribute) and node.attr.value in {"index", "columns"}:
            owner = self.type_of(node.value)
            return "pandas.Index" if owner in {"pandas.DataFrame", SERIES} else None
        return kind

    def _listed(self, original: cst.Subscript, updated: cst.Subscript) -> cst.BaseExpression:
        """Turn the keys that are sets into lists."""
        elements = [
            new.with_changes(slice=cst.Index(cst.parse_expression(f"list({code(new.slice.value)})")))
            if isinstance(old.slice, cst.Index) and isinstance(new.slice, cst.Index) and self._is_set(old.slice.value)
            else new
            for old, new in zip(original.slice, updated.slice, strict=True)
        ]
        self.scope.note("set as a key → list(set)")
        return updated.with_changes(slice=elements)

    def _is_set(self, node: cst.BaseExpression) -> bool:
        if isinstance(node, cst.Set | cst.SetComp):
            return True
        if isinstance(node, cst.Call):
            return isinstance(node.func, cst.Name) and node.func.value in {"set", "frozenset"}
        if isinstance(node, cst.BinaryOperation):
            return self._is_set(node.left) or self._is_set(node.right)
        return self.type_of(node) in {"set", "frozenset", "builtins.set", "builtins.frozenset"}

    def _reindexed(self, original: cst.Subscript, updated: cst.Subscript) -> cst.BaseExpression:
        """``x.loc[labels]`` and ``series[labels]`` gave missing values for missing labels when it was read."""
        by_loc = isinstance(original.value, cst.Attribute) and original.value.attr.value == "loc"
        if not raised_in(self.scope.failure, "pandas/core/index") or not isinstance(updated.slice[0].slice, cst.Index):
            return updated
        if not by_loc and self.type_of(original.value) != SERIES:
            return updated
        receiver = updated.value.value if by_loc and isinstance(updated.value, cst.Attribute) else updated.value
        self.scope.note("[labels] with missing ones → .reindex(labels)")
        return cst.parse_expression(f"{atom(receiver)}.reindex({code(updated.slice[0].slice)})")

    def _rows_reindexed(self, original: cst.Subscript, updated: cst.Subscript) -> cst.BaseExpression:
        """``x.loc[labels, column]`` with missing rows: of the rows that are there and missing values for the others."""
        by_loc = isinstance(original.value, cst.Attribute) and original.value.attr.value == "loc"
        rows, column = original.slice[0].slice, original.slice[-1].slice
        text = isinstance(column, cst.Index) and (string(column.value) is not None or isinstance(column.value, cst.List))
        missing = isinstance(column, cst.Index) and (string(column.value) or "\0") in (
            self.scope.failure.error.message if self.scope.failure else ""
        )
        if not by_loc or not text or missing or not isinstance(rows, cst.Index) or not isinstance(updated.value, cst.Attribute):
            return updated
        if not raised_in(self.scope.failure, "pandas/core/index"):
            return updated
        self.scope.note("[labels, column] with missing labels → .reindex(labels)[column]")
        source = f"{atom(updated.value.value)}.reindex({code(updated.slice[0].slice)})[{code(updated.slice[-1].slice)}]"
        return cst.parse_expression(source)

    def visit_AssignTarget(self, node: cst.AssignTarget) -> bool:  # noqa: N802
        # Assigning to missing labels is another thing.
        return not isinstance(node.target, cst.Subscript)


class Labels(FailureRecipe):
    """Sets and missing labels as keys, operators of indexes."""

    name = "pandas-labels"
    summary = "Sets, missing labels and index operators are refused or mean another thing; the named method does what they did."
    since = ""
    source = "pandas What's New 1.0 (missing labels), 2.0 (sets as indexers, set operations of indexes)"
    words = frozenset({"[", "|", "&", "-", "{"})
    errors = frozenset({"KeyError", "TypeError", "ValueError"})
    codemod = _Labels


RECIPES = (Labels(),)
