"""``metrics=['accuracy']``: Keras records a metric as compile() spells it, where it once said acc."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import requoted
from modernizer.repair.recipe import Codemod, CodemodRecipe, Scope
from modernizer.repair.syntax import argument, code, named, string

# What compile() was told, and the name under which Keras before 2.3 recorded it.
_RECORDED = {
    "accuracy": "acc",
    "mae": "mean_absolute_error",
    "mse": "mean_squared_error",
    "mape": "mean_absolute_percentage_error",
    "msle": "mean_squared_logarithmic_error",
}
_NOW = {f"{prefix}{old}": f"{prefix}{new}" for new, old in _RECORDED.items() for prefix in ("", "val_")}


class _Accuracy(Codemod):
    """Spell a metric as the rest of the program does, so that history, callbacks and logs name it as they did."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        texts = _texts(scope) if scope.at_least("keras", "2.3") else []
        self._lost = {old for old in _RECORDED.values() if _is_lost(old, scope)}
        self._wanted = {
            spelled: old
            for spelled, old in _RECORDED.items()
            if (old in self._lost or _says(old, texts)) and not _says(spelled, texts) and not _reads(spelled, scope)
        }
        calls = (node for tree in scope.names.trees for node in m.findall(tree, m.Call())) if self._wanted else ()
        self._compiled = any(self._compiles(node) for node in calls)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        metrics = _metrics(updated_node) if self._wanted and self._compiles(original_node) else None
        if metrics is None:
            return updated_node
        new = metrics.with_changes(value=self._spelled(metrics.value))
        self.scope.note(f"metrics={code(metrics.value)} → {code(new.value)}")
        if new.keyword is None:
            new = named(new, "metrics")  # the third argument is another one in Keras 3
        return updated_node.with_changes(args=[new if arg is metrics else arg for arg in updated_node.args])

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.Subscript:  # noqa: N802
        """Name accuracies in a history as they are recorded now, where no compile() can be found that names them."""
        index = original_node.slice[0].slice if len(original_node.slice) == 1 else None
        name = string(index.value) if isinstance(index, cst.Index) else None
        if name not in _NOW or self._compiled or not isinstance(index, cst.Index):
            return updated_node
        if name.removeprefix("val_") not in self._lost:
            return updated_node
        if "history" not in code(original_node.value) and not self.scope.failing(original_node):
            return updated_node
        self.scope.note(f"{name} → {_NOW[name]}")
        new = requoted(cst.ensure_type(index.value, cst.SimpleString), _NOW[name])
        return updated_node.with_changes(slice=[original_node.slice[0].with_changes(slice=cst.Index(new))])

    def _compiles(self, node: cst.CSTNode) -> bool:
        """Tell whether a call compiles a model with such a metric."""
        if not m.matches(node, m.Call(func=m.Attribute(attr=m.Name("compile")))):
            return False
        metrics = _metrics(cst.ensure_type(node, cst.Call))
        return metrics is not None and not self._spelled(metrics.value).deep_equals(metrics.value)

    def _spelled(self, value: cst.BaseExpression) -> cst.BaseExpression:
        if isinstance(value, cst.SimpleString):
            old = self._wanted.get(string(value) or "")
            return requoted(value, old) if old else value
        if isinstance(value, cst.List | cst.Tuple | cst.Dict):
            elements = [element.with_changes(value=self._spelled(element.value)) for element in value.elements]
            return value.with_changes(elements=elements)
        return value


def _metrics(call: cst.Call) -> cst.Arg | None:
    return argument(call, "metrics", 2)


def _is_lost(name: str, scope: Scope) -> bool:
    return scope.failure is not None and re.search(rf"KeyError: '(?:val_)?{name}'", scope.failure.message) is not None


def _says(name: str, texts: list[str]) -> bool:
    """Tell whether a program names a metric as callbacks and names of files do."""
    return any(re.search(rf"^val_{name}$|\{{(?:val_)?{name}\b", text) for text in texts)


def _texts(scope: Scope) -> list[str]:
    found: list[str] = []
    for tree in scope.names.trees:
        found += [text for node in m.findall(tree, m.SimpleString()) if (text := string(node)) is not None]
        found += [code(node) for node in m.findall(tree, m.FormattedStringText())]
    return found


def _reads(name: str, scope: Scope) -> bool:
    """Tell whether the program reads a metric from a history by its present name."""
    texts = (code(node) for tree in scope.names.trees for node in m.findall(tree, m.Subscript()))
    return any("history" in text and text.endswith((f"['{name}']", f'["{name}"]')) for text in texts)


class KerasAccuracy(CodemodRecipe):
    """Names of accuracies in histories, callbacks, file names and logs."""

    name = "keras-accuracy"
    summary = (
        "Keras records a metric under the name that compile() gives it, which the rest of the program shortens or spells out."
    )
    since = "Keras 2.3"
    source = "Keras release notes 2.3: reporting of metrics"
    words = frozenset({*_RECORDED, *_RECORDED.values()})
    order = 28
    confirmed = True
    codemod = _Accuracy


RECIPES = (KerasAccuracy(),)
