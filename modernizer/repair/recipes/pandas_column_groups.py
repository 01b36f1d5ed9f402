"""``groupby(keys, axis=1)``, gone since pandas 3: the rows of the transpose are grouped, and pieces are taken as columns.

Reductions of the transpose give what reductions of the columns gave. The pieces that a loop is handed keep the dtypes of
their columns only when the columns are selected, as the transpose has one dtype for all.
"""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst
import libcst.matchers as m

from modernizer.repair.evidence import refused_keyword
from modernizer.repair.expressions import base_name, filled, value_of
from modernizer.repair.kept_whole import KeptWholeRecipe
from modernizer.repair.receivers import FRAME, ReceiverCodemod, labels_are_unique
from modernizer.repair.recipe import Scope, Unit, is_chain
from modernizer.repair.syntax import argument, code, string, with_args

_COLUMNS: frozenset[object] = frozenset({1, "columns"})
_REDUCTIONS = frozenset({"sum", "mean", "median", "min", "max", "std", "var", "prod", "count", "first", "last"})
_CUMULATIVE = frozenset({"cumsum", "cumprod", "cummin", "cummax"})
_BY_FUNCTION = frozenset({"agg", "aggregate", "transform"})
# Of the groups themselves: labels and numbers, the same for rows of the transpose.
_ABOUT = frozenset({"size", "groups", "ngroups", "indices", "ngroup"})
_NUMBERS = ("int", "uint", "float")
_TEXTS = frozenset({"object", "str"})
_TAKERS = frozenset({"list", "tuple", "iter", "enumerate", "sorted"})
_TAKER = m.OneOf(*map(m.Name, _TAKERS))
# The names in what selects the pieces, which a frame can't have there.
_PIECES = frozenset({"key", "rows"})


class _ColumnGroups(ReceiverCodemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._iterated: set[cst.CSTNode] = set()
        self._sound: dict[str, bool] = {}

    def visit_For(self, node: cst.For) -> None:  # noqa: N802 (LibCST's visitor protocol)
        self._iterated.add(node.iter)

    def visit_CompFor(self, node: cst.CompFor) -> None:  # noqa: N802
        self._iterated.add(node.iter)

    def visit_Call(self, node: cst.Call) -> None:  # noqa: N802
        if m.matches(node.func, _TAKER) and node.args and self.scope.names.unbound(code(node.func), self.scope.unit):
            self._iterated.add(node.args[0].value)

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:  # noqa: N802
        """``x.groupby(keys, axis=1).groups``."""
        call = original_node.value
        if original_node.attr.value not in _ABOUT or not isinstance(call, cst.Call) or not self._of_columns(call):
            return updated_node
        return updated_node.with_changes(value=self._turned(call, updated_node.value))

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802
        if self._of_columns(original_node):
            return self._pieces(original_node, updated_node) if original_node in self._iterated else updated_node
        func, new = original_node.func, updated_node.func
        if m.matches(updated_node, m.Call(func=m.Name("list"), args=[m.Arg(m.ListComp(), keyword=None)])):
            taken = original_node.args[0].value
            return updated_node.args[0].value if self._held(taken) else updated_node
        if not isinstance(func, cst.Attribute) or not isinstance(new, cst.Attribute) or func.attr.value in _ABOUT:
            return updated_node
        grouped, held = self._held(func.value), isinstance(func.value, cst.Name)
        if grouped is None:
            return updated_node
        turned = new.value if held else self._turned(grouped, new.value)
        if func.attr.value == "get_group" and len(original_node.args) == 1:
            frame = _name_of(grouped) if held else self._frame(grouped)
            labels = updated_node.with_changes(func=new.with_changes(value=turned))
            return updated_node if frame is None else filled("{frame}[{labels}.index]", {"frame": frame, "labels": labels})
        if not self._works_transposed(original_node, func.attr.value, grouped):
            return updated_node
        return filled("{self}.T", {"self": updated_node.with_changes(func=new.with_changes(value=turned))})

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:  # noqa: N802
        """``for key, part in by`` where ``by`` is a grouping of columns."""
        grouped = self._held(original_node) if original_node in self._iterated else None
        return updated_node if grouped is None else _selected(_name_of(grouped), updated_node)

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Assign:  # noqa: N802
        """``by = x.groupby(keys, axis=1)`` when all that is done with it can be done with rows."""
        call, target = original_node.value, original_node.targets[0].target
        if not isinstance(call, cst.Call) or not isinstance(target, cst.Name) or self._held(target) is not call:
            return updated_node
        return updated_node.with_changes(value=self._turned(call, updated_node.value))

    def _of_columns(self, node: cst.BaseExpression) -> bool:
        """Tell whether a call groups the columns of a frame, in packages that have no ``axis`` there."""
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute) or node.func.attr.value != "groupby":
            return False
        axis = argument(node, "axis", 1)
        if axis is None or value_of(axis.value) not in _COLUMNS or isinstance(value_of(axis.value), bool):
            return False
        refused = refused_keyword(self.scope.failure)
        told = refused is not None and refused.name == "axis" and refused.owner.endswith("groupby") and axis.keyword is not None
        kind = self.type_of(node.func.value)
        if kind != FRAME and not (told and (kind is None or self.scope.failing(node))):
            return False
        signature = self.scope.installed.signature(f"{FRAME}.groupby")
        return signature is not None and all(parameter.name != "axis" for parameter in signature)

    def _held(self, node: cst.BaseExpression) -> cst.Call | None:
        """Return the grouping of columns that an expression is, or that the name was given once and for all."""
        if not isinstance(node, cst.Name):
            return node if isinstance(node, cst.Call) and self._of_columns(node) else None
        value = None if self.is_local(node) else self.scope.names.value(node.value, self.scope.unit)
        if not isinstance(value, cst.Call) or not self._of_columns(value) or not self._only_known_uses(node.value, value):
            return None
        return value

    def _only_known_uses(self, name: str, grouped: cst.Call) -> bool:
        """Tell whether rows can do all that is done with a grouping anywhere, whatever unit asks."""
        if name not in self._sound:
            seen, known, pieces = 0, 1, 0
            for tree in self.scope.names.trees:
                seen += len(m.findall(tree, m.Name(name)))
                taken = self._taken(tree, name)
                known += sum(self._known_uses(tree, name, grouped)) + taken
                pieces += taken
            once = self._bound_once(name) and seen == known
            self._sound[name] = once and (not pieces or self._selectable(grouped))
        return self._sound[name]

    def _bound_once(self, name: str) -> bool:
        bound = [names[name] for names in self.scope.names.bindings.values() if name in names]
        return len(bound) == 1 and len(bound[0]) == 1

    def _selectable(self, grouped: cst.Call) -> bool:
        """Tell whether the columns of a grouped frame can be selected wherever its name stands."""
        frame, live = grouped.func, self.scope.live
        if not isinstance(frame, cst.Attribute) or not isinstance(frame.value, cst.Name) or live is None:
            return False
        if frame.value.value in _PIECES:
            return False
        described = live.describe(frame.value.value) if self._bound_once(frame.value.value) else None
        return described is not None and labels_are_unique(described)

    def _taken(self, tree: cst.Module, name: str) -> int:
        """Count where the pieces of a grouping are handed out."""
        loops = m.findall(tree, m.For(iter=m.Name(name)) | m.CompFor(iter=m.Name(name)))
        calls = m.findall(tree, m.Call(func=_TAKER, args=[m.Arg(m.Name(name)), m.ZeroOrMore()]))
        group = m.Call(func=m.Attribute(value=m.Name(name), attr=m.Name("get_group")))
        return len(loops) + len(calls) + len(m.findall(tree, group))

    def _known_uses(self, tree: cst.Module, name: str, grouped: cst.Call) -> Iterable[int]:
        yield len(m.findall(tree, m.SimpleStatementLine(body=[m.Expr(m.Name(name))])))
        for use in m.findall(tree, m.Attribute(value=m.Name(name))):
            yield isinstance(use, cst.Attribute) and use.attr.value in _ABOUT
        for call in m.findall(tree, m.Call(func=m.Attribute(value=m.Name(name)))):
            if isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute):
                yield self._works_transposed(call, call.func.attr.value, grouped)

    def _works_transposed(self, call: cst.Call, method: str, grouped: cst.Call) -> bool:
        """Tell whether a method gives the transpose of its result on rows: its function sees one column of numbers."""
        if argument(call, "axis") is not None or (method != "count" and self._of_kinds(grouped)):
            return False
        if method in _REDUCTIONS or method in _CUMULATIVE:
            return True
        if method not in _BY_FUNCTION or len(call.args) != 1:
            return False
        function = call.args[0].value
        name = string(function) or (self.scope.qualified(function) or "").removeprefix("numpy.")
        return name in _REDUCTIONS

    def _of_kinds(self, grouped: cst.Call) -> bool:
        """Tell whether columns are known of which the transpose makes objects: text, or others beside numbers."""
        frame = grouped.func.value if isinstance(grouped.func, cst.Attribute) else grouped
        live = self.describe(frame) or self.describe_later(frame)
        kinds = set((live.column_dtypes or {}).values()) if live is not None else set()
        return not all(kind.startswith(_NUMBERS) for kind in kinds) and (len(kinds) > 1 or not kinds.isdisjoint(_TEXTS))

    def _turned(self, original: cst.Call, updated: cst.BaseExpression) -> cst.BaseExpression:
        """Group the rows of the transpose instead."""
        if not isinstance(updated, cst.Call) or not isinstance(updated.func, cst.Attribute):
            return updated
        self.scope.note("groupby(axis=1) → .T.groupby()")
        turned = updated.func.with_changes(value=filled("{self}.T", {"self": updated.func.value}))
        axis = argument(original, "axis", 1)
        kept = [new for old, new in zip(original.args, updated.args, strict=True) if old is not axis]
        return self._by_kinds(with_args(updated, kept).with_changes(func=turned))

    def _by_kinds(self, call: cst.Call) -> cst.Call:
        """Let the dtype of text stand as object among the keys, as dtypes of pandas and numpy have no order among them."""
        keys = argument(call, "by", 0)
        if keys is None or not isinstance(keys.value, cst.Attribute) or keys.value.attr.value != "dtypes":
            return call
        live = self.describe(keys.value.value)
        if live is not None and live.column_dtypes is not None and not any("str" in kind for kind in live.column_dtypes.values()):
            return call
        numpy = self.scope.reference("numpy.dtype")
        kinds = filled(f"{{keys}}.map(lambda kind: {numpy}(object) if kind == 'str' else kind)", {"keys": keys.value})
        return with_args(call, [keys.with_changes(value=kinds) if arg is keys else arg for arg in call.args])

    def _frame(self, grouped: cst.Call) -> str | None:
        """Return the name of the grouped frame, when its columns can be selected by their labels."""
        frame = grouped.func.value if isinstance(grouped.func, cst.Attribute) else grouped
        live = self.describe(frame) or self.describe_later(frame)
        if base_name(frame) in _PIECES:
            return None
        return code(frame) if is_chain(frame) and live is not None and labels_are_unique(live) else None

    def _pieces(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
        frame = self._frame(original)
        return updated if frame is None else _selected(frame, self._turned(original, updated))


def _name_of(grouped: cst.Call) -> str:
    return code(grouped.func.value) if isinstance(grouped.func, cst.Attribute) else ""


def _selected(frame: str, grouped: cst.BaseExpression) -> cst.BaseExpression:
    """Give pairs of a key and the frame's columns of that group."""
    return filled(f"[(key, {frame}[rows.index]) for key, rows in {{grouped}}]", {"grouped": grouped})


class ColumnGroups(KeptWholeRecipe):
    """groupby(axis=1)."""

    name = "pandas-column-groups"
    summary = "Columns can't be grouped any more; the rows of the transpose are, and pieces are selected from the frame."
    since = "pandas 3.0"
    source = "pandas What's New 2.1 (deprecation of axis=1 in groupby) and 3.0 (removal)"
    confirmed = True
    codemod = _ColumnGroups

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Look at every unit of a program that groups: what holds a grouping may be used where nothing is grouped."""
        return super().rewrite(unit, scope) if scope.names.mentions("groupby") else None


RECIPES = (ColumnGroups(),)
