"""Programs that build graphs for sessions: TensorFlow 2 runs them as they are through ``tensorflow.compat.v1``."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.dropping import DroppingCodemod
from modernizer.repair.expressions import bind
from modernizer.repair.recipe import Codemod, CodemodRecipe, Scope
from modernizer.repair.scope import dotted_name
from modernizer.repair.syntax import code

_GRAPH = frozenset(
    {"Session", "InteractiveSession", "placeholder", "placeholder_with_default", "global_variables_initializer"}
    | {"initialize_all_variables", "get_variable", "variable_scope", "reset_default_graph"}
)
_KERAS = re.compile(r"\bkeras\b")
_OLD, _HOME = "tensorflow", "tensorflow.compat.v1"


def _builds_graphs(scope: Scope) -> bool:
    """Tell whether a program runs graphs by itself: Keras models need TensorFlow 2's way, and what runs no session runs in it."""
    runs = any(scope.names.mentions(name) for name in ("Session", "InteractiveSession"))
    keras = any(_KERAS.search(tree.code) for tree in scope.names.trees)
    return runs and not keras and any(scope.names.mentions(name) for name in _GRAPH) and _lost(scope)


def _lost(scope: Scope) -> bool:
    gone = "tensorflow.Session"
    return not scope.installed.resolves(gone) and scope.installed.resolves(f"{_HOME}.Session")


class _Graphs(Codemod):
    """Import the first version's names, and switch its behaviour on where TensorFlow is imported first."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._wanted = _builds_graphs(scope)
        units = [unit for unit in scope.names.bindings if _imports(scope, unit)]
        self._first = isinstance(scope.unit, str) or scope.unit == min(
            (unit for unit in units if isinstance(unit, int)), default=None
        )
        self._switched = bool(scope.names.mentions("disable_v2_behavior") or scope.names.mentions("disable_eager_execution"))

    def leave_SimpleStatementLine(  # noqa: N802 (LibCST's visitor protocol)
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.SimpleStatementLine]:
        if not self._wanted or updated_node.deep_equals(original_node) or self._switched or not self._first:
            return updated_node
        self._switched = True
        name = next(_name(alias) for part in updated_node.body for alias in _aliases(part) if dotted_name(alias.name) == _HOME)
        switch = cst.parse_statement(f"{name}.disable_v2_behavior()")
        return cst.FlattenSentinel([updated_node, cst.ensure_type(switch, cst.SimpleStatementLine)])

    def leave_Import(self, original_node: cst.Import, updated_node: cst.Import) -> cst.Import:  # noqa: N802
        if not self._wanted:
            return updated_node
        names = []
        for alias in original_node.names:
            if dotted_name(alias.name) == _OLD:
                self.scope.note(f"{_OLD} → {_HOME}")
                home = cst.ensure_type(cst.parse_expression(_HOME), cst.Attribute)
                asname = alias.asname or cst.AsName(name=cst.Name(_OLD))
                names.append(alias.with_changes(name=home, asname=asname))
            else:
                names.append(alias)
        return updated_node.with_changes(names=names)


def _imports(scope: Scope, unit: int | str) -> bool:
    return any(binding.imported == _OLD for bindings in scope.names.bindings.get(unit, {}).values() for binding in bindings)


def _aliases(part: cst.BaseSmallStatement) -> list[cst.ImportAlias]:
    return list(part.names) if isinstance(part, cst.Import) else []


def _name(alias: cst.ImportAlias) -> str:
    return alias.asname.name.value if alias.asname and isinstance(alias.asname.name, cst.Name) else _OLD


class TensorflowGraphs(CodemodRecipe):
    """Graphs and sessions."""

    name = "tensorflow-graph"
    summary = "TensorFlow 2 runs programs of graphs and sessions unchanged through its first version's interface."
    since = "TensorFlow 2.0"
    source = "Migrate to TensorFlow 2, running unmodified TF1.x code"
    words = frozenset({_OLD})
    order = 12
    confirmed = True
    codemod = _Graphs


_SETTERS = frozenset(
    f"{place}.set_session" for place in ("keras.backend", "tensorflow.keras.backend", "keras.backend.tensorflow_backend")
)


class _Sessions(DroppingCodemod):
    def drops(self, statement: cst.BaseSmallStatement) -> bool:
        """Drop what hands a session to Keras, which has none any more, and imports of nothing but that."""
        if isinstance(statement, cst.Expr) and isinstance(statement.value, cst.Call):
            name = self.scope.qualified(statement.value.func)
            if name in _SETTERS and not self.scope.installed.resolves(name):
                self.scope.note("set_session() dropped")
                return True
        if not isinstance(statement, cst.ImportFrom) or not m.matches(statement, m.ImportFrom(names=[m.ImportAlias()])):
            return False
        name = f"{dotted_name(statement.module)}.{statement.names[0].evaluated_name}"  # type: ignore[index]
        return name in _SETTERS and not self.scope.installed.resolves(name)


class KerasSessions(CodemodRecipe):
    """Sessions of Keras."""

    name = "keras-session"
    summary = "Keras 3 has no session that could be set; threads and memory are settings without influence on results."
    since = "Keras 3.0"
    source = "Keras 3 migration guide"
    words = frozenset({"set_session"})
    order = 17
    confirmed = True
    codemod = _Sessions


# The old parameters with their defaults as far as they differ, by the old class: TensorFlow 1.15, python/training.
_OPTIMIZERS = {
    "tensorflow.train.AdamOptimizer": ("Adam", "learning_rate beta1 beta2 epsilon", {"epsilon": "1e-08"}),
    "tensorflow.train.GradientDescentOptimizer": ("SGD", "learning_rate", {}),
    "tensorflow.train.RMSPropOptimizer": ("RMSprop", "learning_rate decay momentum epsilon", {"epsilon": "1e-10"}),
}
_NOW = {"beta1": "beta_1", "beta2": "beta_2", "decay": "rho"}


class _Optimizers(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802
        name = self.scope.qualified(original_node.func)
        if name not in _OPTIMIZERS or self.scope.installed.resolves(name) or not self._compiles():
            return updated_node
        new, order, defaults = _OPTIMIZERS[name]
        bound = bind(updated_node.args, order.split())
        if bound is None:
            return updated_node
        given = {old: code(value) for old, value in bound.items()}
        values = ", ".join(f"{_NOW.get(old, old)}={value}" for old, value in {**defaults, **given}.items())
        self.scope.note(f"{name} → {new}")
        return cst.parse_expression(f"{self.scope.reference(f'tensorflow.keras.optimizers.{new}')}({values})")

    def _compiles(self) -> bool:
        """Tell whether optimizers go to Keras models only."""
        mentions = self.scope.names.mentions
        return mentions("compile") > 0 and not mentions("minimize") and not mentions("Session")


class KerasOptimizers(CodemodRecipe):
    """Optimizers of TensorFlow 1 in Keras models."""

    name = "tensorflow-optimizer"
    summary = "Keras models take optimizers of Keras only; the one of TensorFlow 1 is spelled so, with its own defaults."
    since = "TensorFlow 2.0"
    source = "Migrate to TensorFlow 2: optimizers and the Keras compile() method"
    words = frozenset({"Optimizer"})
    order = 19
    confirmed = True
    codemod = _Optimizers


RECIPES = (TensorflowGraphs(), KerasSessions(), KerasOptimizers())
