"""What the object before a dot or a bracket is: proven by the text, by the live kernel, or by the error itself."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable
from functools import cache
from importlib import resources

import libcst as cst
import libcst.matchers as m

from modernizer.repair.evidence import missing_attribute
from modernizer.repair.expressions import base_name
from modernizer.repair.program import Key
from modernizer.repair.recipe import Codemod, LiveObject, Scope, is_chain
from modernizer.repair.syntax import code

FRAME, SERIES = "pandas.DataFrame", "pandas.Series"
FRAME_GROUPBY, SERIES_GROUPBY = "pandas.api.typing.DataFrameGroupBy", "pandas.api.typing.SeriesGroupBy"
ARRAY = "numpy.ndarray"
INDEXES = frozenset(
    f"pandas.{name}Index" for name in ("", "Range", "Datetime", "Multi", "Timedelta", "Period", "Categorical", "Interval")
)
_FUNCTION = cst.Lambda | cst.FunctionDef
_COMPREHENSION = cst.ListComp | cst.SetComp | cst.DictComp | cst.GeneratorExp
_SCOPES = _FUNCTION | _COMPREHENSION


@cache
def _methods() -> dict[str, dict[str, str]]:
    """Return what methods give: receiver's class to method name to result's class."""
    table = tomllib.loads(resources.files(__package__).joinpath("result_types.toml").read_text(encoding="utf-8"))
    return {kind: {name: result for result, names in results.items() for name in names} for kind, results in table.items()}


class ReceiverCodemod(Codemod):
    """A codemod that asks what receivers are; names local to a function are known in the failing statement only."""

    def __init__(self, scope: Scope) -> None:
        """Start outside of any function, before the failing statement."""
        super().__init__(scope)
        self._locals: list[frozenset[str]] = []
        self._counters: list[frozenset[str]] = []
        self._passed = False
        self._inside = 0

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Note the names that a function or comprehension binds for itself."""
        self._inside += isinstance(node, cst.SimpleStatementLine) and self.scope.failing(node)
        if isinstance(node, _COMPREHENSION):
            self._locals.append(frozenset(_targets(node)))
            self._counters.append(frozenset(_counters(node)))
        elif isinstance(node, _FUNCTION):
            self._locals.append(frozenset(_function_names(node)))
            self._counters.append(frozenset())
        return super().on_visit(node)

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> object:  # type: ignore[override]
        """Forget them behind it."""
        result = super().on_leave(original_node, updated_node)
        if isinstance(original_node, cst.SimpleStatementLine):
            self._passed = self._passed or self.scope.failing(original_node)
            self._inside -= self.scope.failing(original_node)
        if isinstance(original_node, _SCOPES):
            self._locals.pop()
            self._counters.pop()
        return result

    def is_local(self, node: cst.BaseExpression) -> bool:
        """Tell whether a chain starts with a name of an enclosing function, lambda or comprehension."""
        name = base_name(node)
        return name is not None and any(name in names for names in self._locals)

    def counts(self, node: cst.BaseExpression) -> bool:
        """Tell whether a name is bound by the innermost comprehension that binds it to the integers of a range."""
        if not isinstance(node, cst.Name):
            return False
        return next((node.value in counters for names, counters in self._bound_inside_out() if node.value in names), False)

    def _bound_inside_out(self) -> Iterable[tuple[frozenset[str], frozenset[str]]]:
        return zip(reversed(self._locals), reversed(self._counters), strict=True)

    def describe(self, node: cst.BaseExpression) -> LiveObject | None:
        """Describe a live object where the text shows that the expression means it: in cells that ran, unless rebound since."""
        unit, failure, name = self.scope.unit, self.scope.failure, base_name(node)
        if failure is None or name is None:
            return None
        if self.is_local(node):
            return self.scope.describe_local(node) if self._inside else None
        if not isinstance(unit, int) or not isinstance(failure.unit, int):
            return None
        if unit == failure.unit and not (self._passed and self._binds(unit, name)):
            return self.scope.describe(node)
        return None if unit >= failure.unit or self._bound_within(unit, failure.unit, name) else self.scope.describe(node)

    def describe_later(self, node: cst.BaseExpression) -> LiveObject | None:
        """Describe a live object for a cell behind the failing one that binds its name nowhere in between.

        Only its class can be relied on: it may have got new columns, rows or another index by then.
        """
        unit, failure, live, name = self.scope.unit, self.scope.failure, self.scope.live, base_name(node)
        if failure is None or live is None or name is None or not isinstance(unit, int) or not isinstance(failure.unit, int):
            return None
        if unit <= failure.unit or not is_chain(node) or self.is_local(node) or self._bound_within(failure.unit, unit, name):
            return None
        return live.describe(code(node))

    def type_of(self, node: cst.BaseExpression) -> str | None:
        """Return the dotted class of the object an expression gives, None when nothing proves it."""
        if not self.is_local(node):
            static = self.scope.names.type_of(node, self.scope.unit)
            if static is not None:
                return static
        live = self.describe(node) or self.describe_later(node)
        if live is not None:
            return live.type_name
        return self._result_type(node)

    def lacks(self, receiver: cst.BaseExpression, name: str, owners: Collection[str], *, distinctive: bool = False) -> bool:
        """Tell whether a receiver is one of ``owners`` and that class has no such attribute in the installed packages.

        Without proof of its class the error decides: it must be about this attribute of such a class, and the receiver
        (of the original tree) must stand on the failing statement unless the spelling is distinctive.
        """
        kind = self.type_of(receiver)
        if kind is not None:
            return _is_one_of(kind, owners) and not self.scope.installed.resolves(f"{kind}.{name}")
        refused = missing_attribute(self.scope.failure)
        if refused is None or refused.name != name or refused.owner not in {owner.rpartition(".")[2] for owner in owners}:
            return False
        return distinctive or self.scope.failing(receiver)

    def may_be_of(self, package: str, func: cst.Attribute) -> bool:
        """Tell whether a method may be that of a package's object: by the receiver's class, else as the program has no other."""
        kind = self.type_of(func.value)
        if kind is not None or self.scope.qualified(func) is not None:
            return kind is not None and kind.startswith(f"{package}.")
        return not defines_method(func.attr.value, self.scope)

    def _result_type(self, node: cst.BaseExpression) -> str | None:
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            kind = self.type_of(node.func.value)
            return _methods().get(kind or "", {}).get(node.func.attr.value)
        if isinstance(node, cst.Subscript) and len(node.slice) == 1 and isinstance(index := node.slice[0].slice, cst.Index):
            return self._item_type(self.type_of(node.value), index.value)
        if isinstance(node, cst.Attribute):
            kind = self.type_of(node.value)
            if node.attr.value in {"values", "T"} and kind in {FRAME, SERIES}:
                return ARRAY if node.attr.value == "values" else kind
        return None

    def _item_type(self, kind: str | None, index: cst.BaseExpression) -> str | None:
        many = isinstance(index, cst.List | cst.Comparison)
        if kind == FRAME_GROUPBY:
            return FRAME_GROUPBY if many else SERIES_GROUPBY if isinstance(index, cst.SimpleString) else None
        if kind in {FRAME, SERIES} and many:
            return kind
        return SERIES if kind == FRAME and isinstance(index, cst.SimpleString) else None

    def _bound_within(self, first: int, last: int, name: str) -> bool:
        return any(first <= key <= last and self._binds(key, name) for key in self.scope.names.bindings if isinstance(key, int))

    def _binds(self, unit: Key, name: str) -> bool:
        return name in self.scope.names.bindings.get(unit, {})


def defines_method(name: str, scope: Scope) -> bool:
    """Tell whether a class of the program has a method of that name."""
    method = m.FunctionDef(name=m.Name(name))
    body = m.IndentedBlock(body=[m.ZeroOrMore(), method, m.ZeroOrMore()])
    return any(m.findall(tree, m.ClassDef(body=body)) for tree in scope.names.trees)


def labels_are_unique(frame: LiveObject) -> bool:
    """Tell whether each column of a live frame can be selected by its label."""
    return bool(frame.column_dtypes is not None and frame.shape and len(frame.column_dtypes) == frame.shape[1])


def _is_one_of(kind: str, owners: Collection[str]) -> bool:
    """Tell whether a class is among others, also by the place that an import names it at (``package.Class``)."""
    return kind in owners or any(_package_and_leaf(kind) == _package_and_leaf(owner) for owner in owners if "." in owner)


def _package_and_leaf(dotted: str) -> tuple[str, str]:
    return dotted.partition(".")[0], dotted.rpartition(".")[2]


def _targets(node: cst.CSTNode) -> Iterable[str]:
    for loop in m.findall(node, m.CompFor()):
        for name in m.findall(loop.target, m.Name()):  # type: ignore[attr-defined]
            yield name.value  # type: ignore[attr-defined]


def _counters(node: cst.CSTNode) -> Iterable[str]:
    for loop in m.findall(node, m.CompFor(target=m.Name(), iter=m.Call(func=m.Name("range") | m.Name("xrange")))):
        yield loop.target.value  # type: ignore[attr-defined]


def _function_names(node: cst.CSTNode) -> Iterable[str]:
    for param in m.findall(node, m.Param()):
        yield param.name.value  # type: ignore[attr-defined]
    for target in m.findall(node, m.AssignTarget(target=m.Name())):
        yield target.target.value  # type: ignore[attr-defined]
    for loop in m.findall(node, m.For()):
        for name in m.findall(loop.target, m.Name()):  # type: ignore[attr-defined]
            yield name.value  # type: ignore[attr-defined]
