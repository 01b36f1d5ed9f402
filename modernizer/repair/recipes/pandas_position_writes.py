"""``series[0] = value`` on an index of labels: by position until pandas 3, a new label since; ``series.iloc[0] = value``."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import value_of
from modernizer.repair.kept_whole import KeptWholeRecipe
from modernizer.repair.keys import kind_of
from modernizer.repair.receivers import SERIES, ReceiverCodemod
from modernizer.repair.recipe import Scope
from modernizer.repair.syntax import argument, code, string

# Objects of these keep their index; the result has the labels of what they are called on.
_SAME_INDEX = frozenset({"copy", "astype", "fillna", "round", "abs", "sort_values", "sort_index"})
_DATES = frozenset({"pandas.date_range", "pandas.bdate_range", "pandas.period_range", "pandas.timedelta_range"})
_LABELS = ("str", "datetime64", "period", "timedelta64")


class _Writes(ReceiverCodemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._loops: list[str] = []

    def visit_For(self, node: cst.For) -> None:  # noqa: N802 (LibCST's visitor protocol)
        counts = m.matches(node.iter, m.Call(func=m.Name("range"))) and isinstance(node.target, cst.Name)
        self._loops.append(code(node.target) if counts and not _bound_in(node.body, code(node.target)) else "")

    def leave_For(self, original_node: cst.For, updated_node: cst.For) -> cst.For:  # noqa: N802
        del original_node
        self._loops.pop()
        return updated_node

    def leave_AssignTarget(self, original_node: cst.AssignTarget, updated_node: cst.AssignTarget) -> cst.AssignTarget:  # noqa: N802
        target, new = original_node.target, updated_node.target
        if isinstance(target, cst.Tuple) and isinstance(new, cst.Tuple):
            pairs = zip(target.elements, new.elements, strict=True)
            elements = [to.with_changes(value=self._placed(one.value, to.value)) for one, to in pairs]
            return updated_node.with_changes(target=new.with_changes(elements=elements))
        return updated_node.with_changes(target=self._placed(target, new))

    def leave_AugAssign(self, original_node: cst.AugAssign, updated_node: cst.AugAssign) -> cst.AugAssign:  # noqa: N802
        return updated_node.with_changes(target=self._placed(original_node.target, updated_node.target))

    def _placed(self, original: cst.BaseExpression, updated: cst.BaseExpression) -> cst.BaseExpression:
        if not isinstance(original, cst.Subscript) or not isinstance(updated, cst.Subscript) or len(original.slice) != 1:
            return updated
        key = original.slice[0].slice
        if not isinstance(key, cst.Index) or not self.scope.at_least("pandas", "3.0") or not self._counts(key.value):
            return updated
        if not self._has_labels(original.value):
            return updated
        self.scope.note(f"[{code(key)}] = → .iloc[{code(key)}] =")
        return updated.with_changes(value=cst.Attribute(value=updated.value, attr=cst.Name("iloc")))

    def _counts(self, key: cst.BaseExpression) -> bool:
        if isinstance(key, cst.Name) and key.value in self._loops:
            return True
        return not isinstance(key, cst.List) and kind_of(key, self) == "int" and not self._is_array(key)

    def _is_array(self, key: cst.BaseExpression) -> bool:
        live = self.describe(key)
        return live is not None and live.length is not None

    def _has_labels(self, node: cst.BaseExpression) -> bool:
        """Tell whether a series has labels that are no numbers: by the live object, else by how the text makes it."""
        live = self.describe(node)
        if live is not None and live.type_name != SERIES:
            return False
        if live is not None and live.index_dtype is not None and live.index_dtype.startswith(_LABELS):
            return True
        # A label that was written already made the live index one of objects.
        if not isinstance(node, cst.Name) or self.is_local(node) or self._index_is_set(node.value):
            return False
        return self._made_with_labels(self.scope.names.value(node.value, self.scope.unit))

    def _index_is_set(self, name: str) -> bool:
        target = m.AssignTarget(target=m.Attribute(value=m.Name(name), attr=m.Name("index")))
        return any(m.findall(tree, target) for tree in self.scope.names.trees)

    def _made_with_labels(self, made: cst.BaseExpression | None) -> bool:
        while isinstance(made, cst.Call) and isinstance(made.func, cst.Attribute) and made.func.attr.value in _SAME_INDEX:
            made = made.func.value
        if not isinstance(made, cst.Call) or self.scope.qualified(made.func) != SERIES:
            return False
        index, data = argument(made, "index", 1), argument(made, "data", 0)
        if index is not None:
            return self._is_labels(index.value)
        keys = value_of(data.value) if data is not None and isinstance(data.value, cst.Dict) else None
        return isinstance(keys, dict) and bool(keys) and all(isinstance(key, str) for key in keys)

    def _is_labels(self, node: cst.BaseExpression | None) -> bool:
        if isinstance(node, cst.Name):
            node = self.scope.names.value(node.value, self.scope.unit)
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "list" and len(node.args) == 1:
            return bool(string(node.args[0].value))
        if isinstance(node, cst.Call):
            return self.scope.qualified(node.func) in _DATES
        labels = value_of(node)
        return isinstance(labels, list) and bool(labels) and all(isinstance(label, str) for label in labels)


def _bound_in(body: cst.BaseSuite, name: str) -> bool:
    """Tell whether the body of a loop gives the loop's variable another value."""
    target = m.Name(name) | m.Tuple(elements=[m.ZeroOrMore(), m.Element(m.Name(name)), m.ZeroOrMore()])
    return bool(m.findall(body, m.AssignTarget(target) | m.For(target=target) | m.NamedExpr(target=target)))


class PositionWrites(KeptWholeRecipe):
    """Integer keys that a series with labels is written at."""

    name = "pandas-position-write"
    summary = "Writing at an integer into a series with labels adds a label; .iloc writes at the position, as it was."
    since = "pandas 3.0"
    source = "pandas What's New 2.1 (deprecation) and 3.0 (Series.__setitem__ treats integers as labels)"
    words = frozenset({"["})
    order = 60
    confirmed = True
    codemod = _Writes


RECIPES = (PositionWrites(),)
