"""Values that scikit-learn refuses when it fits: old names and floats for counts, in calls, parameter grids and loops.

The error names class, parameter and value, also inside "All the 500 fits failed".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import libcst as cst
import libcst.matchers as m

from modernizer.repair.recipe import Codemod, CodemodRecipe, Failure, Scope, Unit
from modernizer.repair.recipes.arguments import changes
from modernizer.repair.syntax import literal, quoted_like, string

_REFUSED = re.compile(
    r"The '(?P<name>\w+)' parameter of (?P<owner>\w+) must be (?P<wanted>.+?)\. Got (?P<got>.+?) instead\.", re.DOTALL
)
_FLOAT = re.compile(r"^(?:np\.float\d+\()?(?P<number>-?\d+(?:\.\d*)?(?:e[+-]?\d+)?)\)?$")
_SET = re.compile(r"frozenset\(|\{")
_RANGES = frozenset({"numpy.linspace", "numpy.arange", "numpy.logspace", "numpy.geomspace", "numpy.array"})


@dataclass(frozen=True)
class _Refusal:
    """A refused value: the class or function, its parameter, the value's repr and what would be accepted."""

    owner: str
    name: str
    got: str
    wanted: str

    @property
    def replacement(self) -> str | None:
        """The value's present name, when the table has one."""
        found = {
            change.values[self.name][self.got]
            for change in changes()
            if self.got in change.values.get(self.name, {}) and any(of.endswith(f".{self.owner}") for of in change.of)
        }
        return found.pop() if len(found) == 1 else None

    @property
    def count_as_float(self) -> bool:
        """Tell whether a whole number was given as a float where an int is wanted."""
        number = _FLOAT.match(self.got)
        return "an int" in self.wanted and number is not None and float(number["number"]).is_integer() and "." in self.got

    @property
    def set_for_list(self) -> bool:
        """Tell whether a set was given where a list is wanted."""
        return "'list'" in self.wanted and self.got.startswith(("{", "frozenset("))

    def speaks_of(self, key: str | None) -> bool:
        """Tell whether a keyword or a key of a parameter grid, such as ``clf__max_depth``, is this parameter."""
        return key is not None and (key == self.name or key.endswith(f"__{self.name}"))


def refusal(failure: Failure | None) -> _Refusal | None:
    """Read the innermost refusal out of an error and the errors wrapped in it."""
    if failure is None:
        return None
    found = [match for match in _REFUSED.finditer(failure.message) if len(match["got"]) < 200 or _SET.match(match["got"])]  # noqa: PLR2004 (a value, not data)
    return _Refusal(found[-1]["owner"], found[-1]["name"], found[-1]["got"], found[-1]["wanted"]) if found else None


class _Values(Codemod):
    """Replace the refused value wherever the program gives it to this parameter."""

    def __init__(self, scope: Scope, refused: _Refusal) -> None:
        super().__init__(scope)
        self.refused = refused
        self._variables: set[str] = set()
        self._here = scope.failure is not None and scope.failure.unit == scope.unit

    def visit_Module(self, node: cst.Module) -> None:  # noqa: N802 (LibCST's visitor protocol)
        for call in m.findall(node, m.Call()):
            if isinstance(call, cst.Call) and self._is_owner(call):
                given = (arg.value for arg in call.args if arg.keyword and arg.keyword.value == self.refused.name)
                self._variables.update(value.value for value in given if isinstance(value, cst.Name))

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        owner = self._is_owner(original_node)
        collects = m.matches(original_node.func, m.Name("dict") | m.Attribute(attr=m.Name("set_params")))
        args = list(updated_node.args)
        for index, arg in enumerate(args):
            key = arg.keyword.value if arg.keyword else None
            if key is None and owner and index == 0 and self._takes_first():
                key = self.refused.name
            if (owner or collects) and self.refused.speaks_of(key):
                args[index] = arg.with_changes(value=self._new(arg.value, alone=owner or not self._many(arg.value)))
            elif key == "param_range" and self._varies(original_node):
                args[index] = arg.with_changes(value=self._new(arg.value, alone=False))
        return updated_node.with_changes(args=args)

    def leave_DictElement(self, original_node: cst.DictElement, updated_node: cst.DictElement) -> cst.DictElement:  # noqa: N802
        if not self.refused.speaks_of(string(original_node.key)):
            return updated_node
        return updated_node.with_changes(value=self._new(updated_node.value, alone=not self._many(original_node.value)))

    def leave_For(self, original_node: cst.For, updated_node: cst.For) -> cst.For:  # noqa: N802
        return updated_node.with_changes(iter=self._looped(original_node.target, updated_node.iter))

    def leave_CompFor(self, original_node: cst.CompFor, updated_node: cst.CompFor) -> cst.CompFor:  # noqa: N802
        return updated_node.with_changes(iter=self._looped(original_node.target, updated_node.iter))

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Assign:  # noqa: N802
        if self.refused.replacement and any(self._is_variable(target.target) for target in original_node.targets):
            return updated_node.with_changes(value=self._new(updated_node.value, alone=True))
        return updated_node

    def _looped(self, target: cst.BaseExpression, values: cst.BaseExpression) -> cst.BaseExpression:
        if self.refused.replacement and self._is_variable(target) and self._many(values):
            return self._new(values, alone=False)
        return values

    def _new(self, value: cst.BaseExpression, *, alone: bool) -> cst.BaseExpression:
        """Return a value, or a collection of values, as it is accepted now."""
        if isinstance(value, cst.List | cst.Tuple):
            elements = [element.with_changes(value=self._new(element.value, alone=True)) for element in value.elements]
            return value.with_changes(elements=elements)
        replacement = self.refused.replacement
        if replacement is not None:
            if literal(value) != self.refused.got:
                return value
            self.scope.note(f"{self.refused.name}={self.refused.got} → {replacement}")
            return quoted_like(value, replacement)
        if self.refused.set_for_list:
            return self._wrapped("list", value) if self._here and alone else value
        return self._whole(value) if alone else self._all_whole(value)

    def _whole(self, value: cst.BaseExpression) -> cst.BaseExpression:
        """Return a count as an int."""
        if isinstance(value, cst.Float):
            number = float(value.value)
            return cst.parse_expression(str(int(number))) if number.is_integer() and number >= 1 else value
        plain = isinstance(value, cst.Integer | cst.SimpleString) or m.matches(value, m.Name("None") | m.Call(func=m.Name("int")))
        return value if plain or not self._here else self._wrapped("int", value)

    def _all_whole(self, values: cst.BaseExpression) -> cst.BaseExpression:
        """Return an array or other collection of counts as ints."""
        if isinstance(values, cst.Call) and self.scope.qualified(values.func) in _RANGES:
            self.scope.note(f"{self.refused.name}: floats → ints")
            return cst.Call(func=cst.Attribute(value=values, attr=cst.Name("astype")), args=[cst.Arg(cst.Name("int"))])
        if not self._here or m.matches(values, m.Call(func=m.Name("range"))):
            return values
        self.scope.note(f"{self.refused.name}: floats → ints")
        loop = cst.CompFor(target=cst.Name("value"), iter=values)
        return cst.ListComp(elt=cst.Call(func=cst.Name("int"), args=[cst.Arg(cst.Name("value"))]), for_in=loop)

    def _wrapped(self, function: str, value: cst.BaseExpression) -> cst.Call:
        self.scope.note(f"{self.refused.name}={function}(…)")
        return cst.Call(func=cst.Name(function), args=[cst.Arg(value)])

    def _many(self, value: cst.BaseExpression) -> bool:
        return not isinstance(value, cst.BaseNumber | cst.BaseString) and not m.matches(
            value, m.Name("None") | m.BinaryOperation()
        )

    def _is_owner(self, call: cst.Call) -> bool:
        qualified = self.scope.qualified(call.func) or ""
        return qualified.startswith("sklearn.") and qualified.endswith(f".{self.refused.owner}")

    def _is_variable(self, node: cst.BaseExpression) -> bool:
        return isinstance(node, cst.Name) and node.value in self._variables

    def _takes_first(self) -> bool:
        of = next((of for change in changes() for of in change.of if of.endswith(f".{self.refused.owner}")), "")
        signature = self.scope.installed.signature(of) if of else None
        return bool(signature) and signature[0].name == self.refused.name  # type: ignore[index]

    def _varies(self, call: cst.Call) -> bool:
        """Tell whether a validation curve varies this parameter."""
        return any(self.refused.speaks_of(string(arg.value)) for arg in call.args)


def _elsewhere(refused: _Refusal, scope: Scope) -> Iterable[str]:
    """List classes of the program for which the same value of the same parameter has another present name."""
    imported = {binding.imported for names in scope.names.bindings.values() for found in names.values() for binding in found}
    for change in changes():
        new = change.values.get(refused.name, {}).get(refused.got)
        if new is not None and new != refused.replacement:
            yield from (of for of in change.of if of in imported)


class ParameterValues(CodemodRecipe):
    """Refused values of parameters."""

    name = "sklearn-parameter-values"
    summary = "scikit-learn checks parameters when it fits: this value has another name or type now."
    since = "scikit-learn 1.2"
    source = "scikit-learn What's New 1.0 to 1.3; parameter validation since 1.2"
    codemod = Codemod

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Act on a refusal only: in the whole program, or in the failing unit when other classes name the value otherwise."""
        refused = refusal(scope.failure)
        if refused is None or unit.tree is None or unit.masked is None:
            return None
        if refused.name not in unit.source and refused.owner not in unit.source:
            return None
        if not (refused.replacement or refused.count_as_float or refused.set_for_list):
            return None
        if any(_elsewhere(refused, scope)) and scope.failure is not None and scope.failure.unit != unit.key:
            return None
        code = unit.masked.unmask(unit.tree.visit(_Values(scope, refused)).code)
        return None if code == unit.source else code


RECIPES = (ParameterValues(),)
