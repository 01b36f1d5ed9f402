"""Functions that are gone where only a small definition does the same: it is put into the program once, uses name it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import libcst as cst

from modernizer.repair.definitions import rewrite_and_define
from modernizer.repair.imports import without_names
from modernizer.repair.program import Key
from modernizer.repair.recipe import Codemod, Scope, Unit


@dataclass(frozen=True)
class DefinedFunction:
    """One function: its old dotted name, the release without it, the name and source of its definition with its imports."""

    old: str
    package: str
    version: str
    name: str
    definition: str
    imports: tuple[str, ...]

    @property
    def leaf(self) -> str:
        """The last part of its old name."""
        return self.old.rpartition(".")[2]


_FUNCTIONS = (
    DefinedFunction(
        old="sklearn.metrics.jaccard_similarity_score",
        package="scikit-learn",
        version="0.23",
        name="jaccard_similarity",
        imports=(
            "from sklearn.metrics import accuracy_score, jaccard_score",
            "from sklearn.utils.multiclass import type_of_target",
        ),
        definition='''\
def jaccard_similarity(y_true, y_pred, normalize=True, sample_weight=None):
    """Score as scikit-learn did before 0.23: by the accuracy unless samples have several labels."""
    if not type_of_target(y_true).startswith("multilabel"):
        return accuracy_score(y_true, y_pred, normalize=normalize, sample_weight=sample_weight)
    score = jaccard_score(y_true, y_pred, average="samples", sample_weight=sample_weight, zero_division=1.0)
    if normalize:
        return score
    return score * (len(y_true) if sample_weight is None else sum(sample_weight))
''',
    ),
    DefinedFunction(
        old="scipy.interpolate.interp2d",
        package="scipy",
        version="1.14",
        name="interpolated_2d",
        imports=("from scipy.interpolate import RectBivariateSpline, bisplev, bisplrep",),
        definition='''\
def interpolated_2d(x, y, z, kind="linear"):
    """Interpolate in the plane as interp2d did before SciPy 1.14."""
    degree = {"linear": 1, "cubic": 3, "quintic": 5}[kind]
    x, y, z = ({numpy}.ravel(x), {numpy}.ravel(y), {numpy}.asarray(z))
    if z.size == len(x) * len(y):
        z = z.reshape(len(y), len(x))[{numpy}.ix_({numpy}.argsort(y), {numpy}.argsort(x))].T
        spline = RectBivariateSpline({numpy}.sort(x), {numpy}.sort(y), z, kx=degree, ky=degree)
    else:
        knots = bisplrep(x, y, z.ravel(), kx=degree, ky=degree, s=0.0)

        def spline(x, y):
            return {numpy}.atleast_2d(bisplev(x, y, knots)).reshape(len(x), len(y))

    def interpolate(x, y):
        found = spline({numpy}.sort({numpy}.atleast_1d(x)), {numpy}.sort({numpy}.atleast_1d(y))).T
        return found[0] if len(found) == 1 else found

    return interpolate
''',
    ),
)


class _Uses(Codemod):
    """Let the uses of a function name its definition, and imports leave it out."""

    function: ClassVar[DefinedFunction]

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:  # noqa: N802 (LibCST's visitor protocol)
        del node
        return False

    def leave_SimpleStatementLine(  # noqa: N802
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel:
        del original_node
        return without_names(updated_node, lambda dotted, _: dotted == self.function.old)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:  # noqa: N802
        return self._named(original_node) or updated_node

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:  # noqa: N802
        return self._named(original_node) or updated_node.with_changes(attr=original_node.attr)

    def visit_Arg(self, node: cst.Arg) -> bool:  # noqa: N802
        # Keywords are no names of this program.
        del node
        return False

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:  # noqa: N802
        return updated_node.with_changes(value=original_node.value.visit(self))

    def _named(self, node: cst.Name | cst.Attribute) -> cst.Name | None:
        if self.scope.qualified(node) != self.function.old:
            return None
        self.scope.note(f"{self.function.old} → {self.function.name}, defined in the notebook")
        return cst.Name(self.function.name)


class DefinedFunctions:
    """Functions that the program defines itself now."""

    name: ClassVar[str] = "defined-function"
    summary: ClassVar[str] = "A function is gone and nothing installed is the same; the notebook defines what it did."
    since: ClassVar[str] = ""
    source: ClassVar[str] = (
        "scikit-learn What's New 0.21 and 0.23 (jaccard_similarity_score), SciPy release notes 1.14 (interp2d)"
    )
    words: ClassVar[frozenset[str]] = frozenset(function.leaf for function in _FUNCTIONS)
    order: ClassVar[int] = 19
    confirmed: ClassVar[bool] = True
    at_end: ClassVar[bool] = False
    functions: ClassVar[tuple[DefinedFunction, ...]] = _FUNCTIONS

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Rewrite one unit by itself."""
        return self.rewrite_all({unit.key: unit}, scope).get(unit.key)

    def rewrite_all(self, units: Mapping[Key, Unit], scope: Scope) -> dict[Key, str]:
        """Replace all uses of the first function that the program still names, and define it where the first use stands."""
        for function in self.functions:
            if not scope.at_least(function.package, function.version):
                continue
            if not any(function.leaf in unit.source for unit in units.values()) or not self.meant(function, units, scope):
                continue
            codemod = type("_UsesOfOne", (_Uses,), {"function": function})
            defined = self.for_program(function, units)
            changes = rewrite_and_define(units, scope, codemod, defined.definition, defined.imports, name=defined.name)
            if changes:
                return changes
        return {}

    def meant(self, function: DefinedFunction, units: Mapping[Key, Unit], scope: Scope) -> bool:
        """Tell whether the definition does what the program wants of the function."""
        del function, units, scope
        return True

    def for_program(self, function: DefinedFunction, units: Mapping[Key, Unit]) -> DefinedFunction:
        """Return the function as this program needs it defined."""
        del units
        return function


RECIPES = (DefinedFunctions(),)
