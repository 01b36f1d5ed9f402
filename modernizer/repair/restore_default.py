"""Restore defaults: an argument that a call left out gets the value that was its default at the notebook's date."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import libcst as cst

from modernizer.drift.compare import Comparison, Fact
from modernizer.drift.known import behaviours, has_effect, is_told
from modernizer.drift.uses import Use, call_use, callee
from modernizer.drift.worlds import Worlds
from modernizer.parsing import parse_expression
from modernizer.repair.imports import add_imports
from modernizer.repair.one_per_class import ONE_VS_REST, refusal
from modernizer.repair.program import Key
from modernizer.repair.recipe import Codemod, Scope, Unit
from modernizer.repair.syntax import argument, literal, plus

LOGISTIC = "sklearn.linear_model.LogisticRegression"
_SEED = "one-seed-per-class"
_ONE_PER_CLASS_GONE = "LogisticRegression: multi_class='ovr', the parameter is gone"


@dataclass(frozen=True)
class Restoration:
    """One default restored at one call: the ``ordinal``-th call of its unit. ``parameter`` may name an equivalent."""

    unit: Key
    ordinal: int
    symbol: str
    parameter: str
    value: str

    @property
    def group(self) -> tuple[str, str]:
        """Return what the calls share."""
        return self.symbol, self.parameter

    def __str__(self) -> str:
        """Say it as code."""
        leaf = self.symbol.rpartition(".")[2]
        return f"{leaf}({self.parameter}={self.value})" if self.value else f"{leaf} in OneVsRestClassifier"


@dataclass
class RestoreDefaults:
    """The recipe, for one notebook: it restores every default that ``wanted`` lets it, and notes what it can't restore.

    ``settled`` lists what looked impossible and is restored by an equivalent.
    """

    worlds: Worlds
    wanted: Callable[[Restoration], bool] = lambda _: True
    one_per_class: bool = False
    done: list[Restoration] = field(default_factory=list)
    impossible: dict[str, None] = field(default_factory=dict)
    settled: set[str] = field(default_factory=set)
    name: ClassVar[str] = "restore-default"
    summary: ClassVar[str] = "Defaults changed since the notebook's date; the old ones are given explicitly."
    since: ClassVar[str] = ""
    source: ClassVar[str] = "signatures of the releases then and now"
    words: ClassVar[frozenset[str]] = frozenset()
    order: ClassVar[int] = 90
    confirmed: ClassVar[bool] = False
    at_end: ClassVar[bool] = False

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Give the calls of one unit their old defaults; None when it changes nothing."""
        if unit.tree is None or unit.masked is None:
            return None
        changed = unit.tree.visit(_Restore(scope, self))
        if scope.imports:
            changed = add_imports(changed, scope.imports)
        code = unit.masked.unmask(changed.code)
        return None if code == unit.source else code


@dataclass(frozen=True)
class _Meanings:
    """A unit's view of names, star imports included."""

    scope: Scope

    def qualified(self, node: cst.CSTNode | None, _unit: Key) -> str | None:
        return self.scope.qualified(node)

    def type_of(self, node: cst.CSTNode | None, unit: Key) -> str | None:
        return self.scope.names.type_of(node, unit)


class _Restore(Codemod):
    def __init__(self, scope: Scope, recipe: RestoreDefaults) -> None:
        super().__init__(scope)
        self._recipe = recipe
        self._ordinals: dict[cst.CSTNode, int] = {}
        self._parents: dict[cst.CSTNode, str] = {}

    def visit_Call(self, node: cst.Call) -> None:  # noqa: N802 (LibCST's visitor protocol)
        self._ordinals[node] = len(self._ordinals)
        holder = self.scope.qualified(node.func) or ""
        for arg in node.args:
            self._parents[arg.value] = holder

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802
        symbol = callee(original_node, self.scope.unit, _Meanings(self.scope))
        comparison = self._recipe.worlds.compare(symbol) if symbol else None
        if symbol is None or comparison is None or comparison.new.signature is None:
            return updated_node
        use = call_use(symbol, self.scope.unit, original_node.args)
        values: dict[str, str] = {}
        for fact in comparison.facts:
            value = self._old_value(fact, use, comparison)
            if value is not None and self._restores(original_node, symbol, fact.parameter, value):
                values[fact.parameter] = value
                now = f"{fact.new} in {fact.package} {self._recipe.worlds.now[fact.package].version}"
                self.scope.note(f"{symbol.rpartition('.')[2]}: {fact.parameter}={value}, {now}")
        call = plus(updated_node, **values) if values else updated_node
        return self._equivalent(original_node, call, symbol, values, use)

    def _restores(self, call: cst.Call, symbol: str, parameter: str, value: str) -> bool:
        restoration = Restoration(self.scope.unit, self._ordinals[call], symbol, parameter, value)
        if not self._recipe.wanted(restoration):
            return False
        self._recipe.done.append(restoration)
        return True

    def _old_value(self, fact: Fact, use: Use, comparison: Comparison) -> str | None:
        """Return the value to give; None when there is nothing to restore or no way to."""
        leaf = fact.symbol.rpartition(".")[2]
        if fact.kind == "parameter-removed" and has_effect(fact.package, fact.parameter):
            # None and sentinels mean that the parameter was not used.
            used = fact.old not in {"", "None"} and fact.meant is not None
            if used and not use.gives(fact.parameter, comparison.old.signature or ()):
                self._cannot(f"{leaf}: {fact.parameter}={fact.meant}, the parameter is gone")
            return None
        if fact.kind != "default-changed" or not fact.matters or comparison.new.signature is None:
            return None
        if use.open:
            self._cannot(f"{leaf}: {fact.parameter}={fact.meant or fact.old}, the call spreads its arguments")
            return None
        if use.gives(fact.parameter, comparison.new.signature):
            return None
        version = self._recipe.worlds.then[fact.package].version
        told = is_told(fact.package, version, fact.symbol, fact.parameter, fact.old)
        if fact.meant is None or (fact.old == "None" and not told) or not _is_value(fact.meant):
            self._cannot(f"{leaf}: {fact.parameter}={fact.old}, whose meaning then isn't known")
            return None
        return fact.meant

    def _equivalent(
        self, original: cst.Call, call: cst.Call, symbol: str, values: dict[str, str], use: Use
    ) -> cst.BaseExpression:
        """Wrap a classifier that treated more than two classes one against the rest, where the wrapper does the same."""
        reason = self._one_per_class(original, symbol, values, use)
        if not reason:
            return call
        refused = refusal(original, self._parents.get(original), self.scope)
        leaf = symbol.rpartition(".")[2]
        if refused:
            self._cannot(f"{leaf}: {reason}; {refused}")
            return call
        if not self._restores(original, symbol, _SEED if symbol != LOGISTIC else "multi_class", ""):
            return call
        self.scope.note(f"{leaf} → OneVsRestClassifier: {reason}")
        if symbol == LOGISTIC:
            self._recipe.settled.add(_ONE_PER_CLASS_GONE)
        return cst.Call(func=cst.parse_expression(self.scope.imported(ONE_VS_REST)), args=[cst.Arg(call)])

    def _one_per_class(self, call: cst.Call, symbol: str, values: dict[str, str], use: Use) -> str:
        """Say why a call needs the wrapper; empty when it doesn't."""
        worlds = self._recipe.worlds
        package = worlds.package_of(symbol)
        if package is None:
            return ""
        changes = behaviours(package, [symbol], worlds.then[package].version, worlds.now[package].version)
        for change in changes:
            if change.equivalent == _SEED:
                seed = argument(call, "random_state")
                return change.says if seed is not None and literal(seed.value).isdigit() else ""
        comparison = worlds.compare(symbol)
        ovr = any(
            fact.parameter == "multi_class" and fact.kind == "parameter-removed" and fact.meant == "'ovr'"
            for fact in (comparison.facts if comparison else ())
        )
        if symbol != LOGISTIC or not ovr or use.open:
            return ""
        given = argument(call, "solver")
        solver = values.get("solver") or (literal(given.value) if given else "")
        if solver == "'liblinear'":
            return "liblinear takes two classes only" if self._recipe.one_per_class else ""
        return "one classifier for each class was the default" if given is not None else ""

    def _cannot(self, text: str) -> None:
        self._recipe.impossible[text] = None


def _is_value(source: str) -> bool:
    """Tell whether a default is a plain value and no name of its module."""
    if source == "float('nan')":
        return True
    try:
        ast.literal_eval(parse_expression(source.strip()))
    except (ValueError, SyntaxError):
        return False
    return True
