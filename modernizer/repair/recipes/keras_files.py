"""Files of models and weights: Keras 3 tells their format by the ending and refuses others."""

from __future__ import annotations

import re
from collections.abc import Callable

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import requoted
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.recipe import Codemod, Scope
from modernizer.repair.syntax import argument, keyword_names, plus, string

_REFUSAL = re.compile(
    r"file(?:path|name) (?:provided )?must end in `(?P<ending>\.keras|\.weights\.h5)`.*?filepath=(?P<path>\S+)"
    r"|Invalid filepath extension for saving.*?filepath=(?P<plain>\S+?)\.?$",
    re.DOTALL,
)
_OLD = re.compile(r"(?:\.weights)?\.(?:hdf5|h5|ckpt|keras|hdf|model|tf)$")
_HOLE = re.compile(r"%[-+ #0]*\d*(?:\.\d+)?[a-z]|\{[^{}]*\}")
# Calls whose first argument is such a file, and those that only join a path.
_FILES = frozenset({"ModelCheckpoint", "save_weights", "load_weights", "save", "save_model", "load_model"})
_FORMAT = m.Call(func=m.Attribute(value=m.SimpleString(), attr=m.Name("format")))
_JOIN = m.Call(func=m.Name("join") | m.Attribute(attr=m.Name("join")), args=[m.AtLeastN(n=1)])


class _Files(Codemod):
    """Give a refused path the ending that its format asks for, wherever the program spells that path."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        refusal = _REFUSAL.search(scope.failure.error.message) if scope.failure else None
        self._path = (refusal["path"] or refusal["plain"]).strip("'\"") if refusal else ""
        self._ending = (refusal["ending"] or ".keras") if refusal else ""

    def leave_SimpleString(self, original_node: cst.SimpleString, updated_node: cst.SimpleString) -> cst.SimpleString:  # noqa: N802 (LibCST's visitor protocol)
        path = string(original_node)
        is_path = path == self._path and bool(re.search(r"[./]", self._path))  # a bare word may mean other things too
        return self._renamed(updated_node) if is_path else updated_node

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        name = original_node.func
        last = name.attr.value if isinstance(name, cst.Attribute) else name.value if isinstance(name, cst.Name) else ""
        if last not in _FILES:
            return updated_node
        old, new = (argument(node, "filepath", 0) for node in (original_node, updated_node))
        if old is None or new is None or not self._spells(old.value):
            return updated_node
        changed = new.with_changes(value=_at_end(new.value, self._renamed))
        return updated_node.with_changes(args=[changed if arg is new else arg for arg in updated_node.args])

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Assign:  # noqa: N802
        """Follow a path to the name that holds it."""
        names = {target.target.value for target in original_node.targets if isinstance(target.target, cst.Name)}
        held = any(name in _held(tree) for tree in self.scope.names.trees for name in names)
        if not held or not self._spells(original_node.value):
            return updated_node
        return updated_node.with_changes(value=_at_end(updated_node.value, self._renamed))

    def _spells(self, node: cst.BaseExpression) -> bool:
        """Tell whether an expression, other than a string that is changed anyway, can give the refused path."""
        if isinstance(node, cst.SimpleString):
            return bool(self._path) and string(node) == self._path and not re.search(r"[./]", self._path)
        pattern = _pattern(node)
        return pattern is not None and re.fullmatch(pattern, self._path, re.DOTALL) is not None

    def _renamed(self, node: cst.SimpleString) -> cst.SimpleString:
        text = node.raw_value
        new = _OLD.sub("", text) + self._ending
        self.scope.note(f"{text} → {new}")
        return requoted(node, new)


def _held(tree: cst.Module) -> set[str]:
    """Return the names given to calls that write or read such files."""
    held = set()
    for call in m.findall(tree, m.Call()):
        func = cst.ensure_type(call, cst.Call).func
        last = func.attr.value if isinstance(func, cst.Attribute) else func.value if isinstance(func, cst.Name) else ""
        path = argument(cst.ensure_type(call, cst.Call), "filepath", 0)
        if last in _FILES and path is not None and isinstance(path.value, cst.Name):
            held.add(path.value.value)
    return held


def _pattern(node: cst.BaseExpression) -> str | None:
    """Return what an expression's string looks like, with anything for the parts that only a run knows; None for no string."""
    if isinstance(node, cst.SimpleString):
        text = string(node)
        return None if text is None else re.escape(text)
    if isinstance(node, cst.FormattedString):
        return "".join(re.escape(part.value) if isinstance(part, cst.FormattedStringText) else ".*" for part in node.parts)
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
        return f"{_pattern(node.left) or '.*'}{_pattern(node.right) or '.*'}"
    filled = _filled(node)
    if filled is not None and (text := string(filled)) is not None:
        return ".*".join(re.escape(part) for part in _HOLE.split(text))
    if m.matches(node, _JOIN):
        last = _pattern(cst.ensure_type(node, cst.Call).args[-1].value)
        return None if last is None else f".*{last}"
    return None


def _filled(node: cst.BaseExpression) -> cst.SimpleString | None:
    """Return the template of ``'…'.format()`` or ``'…' % …``."""
    if m.matches(node, _FORMAT):
        return cst.ensure_type(cst.ensure_type(cst.ensure_type(node, cst.Call).func, cst.Attribute).value, cst.SimpleString)
    modulo = isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Modulo)
    return node.left if modulo and isinstance(node.left, cst.SimpleString) else None  # type: ignore[attr-defined]


def _at_end(node: cst.BaseExpression, change: Callable[[cst.SimpleString], cst.SimpleString]) -> cst.BaseExpression:
    """Change the string that ends what an expression gives; the expression itself when there is none."""
    if isinstance(node, cst.SimpleString):
        return change(node)
    if isinstance(node, cst.FormattedString) and node.parts and isinstance(last := node.parts[-1], cst.FormattedStringText):
        text = cst.ensure_type(change(cst.SimpleString(f"'{last.value}'")), cst.SimpleString).raw_value
        return node.with_changes(parts=[*node.parts[:-1], last.with_changes(value=text)])
    filled = _filled(node)
    if filled is not None:
        return node.deep_replace(filled, change(filled))
    if isinstance(node, cst.BinaryOperation):
        return node.with_changes(right=_at_end(node.right, change))
    if m.matches(node, _JOIN) and isinstance(node, cst.Call):
        end = node.args[-1]
        return node.with_changes(args=[*node.args[:-1], end.with_changes(value=_at_end(end.value, change))])
    return node


class KerasFiles(FailureRecipe):
    """Endings of files with models and weights."""

    name = "keras-file-ending"
    summary = "Keras 3 tells a file's format by its ending; every mention of the file has the ending of its format now."
    since = "Keras 3.0"
    source = "Keras 3 migration guide, saving"
    words = frozenset()
    order = 28
    errors = frozenset({"ValueError"})
    message = _REFUSAL
    codemod = _Files


class _Loads(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        name = (self.scope.qualified(original_node.func) or "").rpartition(".")[2]
        if name != "load_model" or "safe_mode" in keyword_names(original_node):
            return updated_node
        self.scope.note("load_model(…, safe_mode=False): it runs functions of the file, as it always did before")
        return plus(updated_node, safe_mode="False")


class KerasLoads(FailureRecipe):
    """Models with functions of their own."""

    name = "keras-load"
    summary = "Keras 3 loads functions in a model only when it is told that the file can be trusted, as it once took for granted."
    since = "Keras 2.13"
    source = "Keras 3 documentation of load_model: safe_mode"
    words = frozenset({"load_model"})
    errors = frozenset({"ValueError"})
    message = re.compile("Requested the deserialization of a `Lambda` layer")
    codemod = _Loads


_LOSS = re.compile(r"Could not (?:locate function|deserialize) '(?:keras\.(?:metrics|losses)\.)?(?P<name>mse|mae|mape|msle)'")
_LOSSES = {
    "mse": "mean_squared_error",
    "mae": "mean_absolute_error",
    "mape": "mean_absolute_percentage_error",
    "msle": "mean_squared_logarithmic_error",
}


class _Losses(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        if not m.matches(original_node, m.Call(func=m.Attribute(attr=m.Name("compile")))):
            return updated_node
        loss = argument(updated_node, "loss", 1)
        found = _LOSS.search(self.scope.failure.error.message) if self.scope.failure else None
        if found is None or loss is None or not isinstance(loss.value, cst.SimpleString) or string(loss.value) != found["name"]:
            return updated_node
        new = loss.with_changes(value=requoted(loss.value, _LOSSES[found["name"]]))
        self.scope.note(f"loss {found['name']} → {_LOSSES[found['name']]}")
        return updated_node.with_changes(args=[new if arg is loss else arg for arg in updated_node.args])


class KerasLosses(FailureRecipe):
    """Losses of stored models."""

    name = "keras-stored-loss"
    summary = "Keras 3 finds a loss of a model stored as HDF5 by its full name only."
    since = "Keras 3.0"
    source = "keras/saving: deserialize_keras_object of short names"
    words = frozenset({"compile"})
    errors = frozenset({"ValueError", "TypeError"})
    message = _LOSS
    codemod = _Losses


RECIPES = (KerasFiles(), KerasLoads(), KerasLosses())
