"""LogisticRegression as it was: one classifier per class, and the liblinear solver by default."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from modernizer.repair.recipe import Codemod, CodemodRecipe, Scope
from modernizer.repair.syntax import argument, code, keyword_names, literal, plus, without

_LOGISTIC = frozenset({"sklearn.linear_model.LogisticRegression", "sklearn.linear_model.LogisticRegressionCV"})
_ONE_VS_REST = "sklearn.multiclass.OneVsRestClassifier"
_MULTICLASS = "The 'liblinear' solver does not support multiclass classification"
_NEEDS_LIBLINEAR = "Solver lbfgs supports only 'l2' or None penalties, got l1 penalty"
_STACKED = {"coef_": "vstack", "intercept_": "hstack"}


def _is_logistic(call: cst.CSTNode | None, scope: Scope) -> bool:
    return isinstance(call, cst.Call) and scope.qualified(call.func) in _LOGISTIC


def _wraps(call: cst.Call, scope: Scope) -> bool:
    """Tell whether a call asks for one classifier per class by an argument that is gone."""
    given = argument(call, "multi_class")
    if given is None or scope.qualified(call.func) != "sklearn.linear_model.LogisticRegression" or _takes(scope, "multi_class"):
        return False
    liblinear = (solver := argument(call, "solver")) is not None and literal(solver.value) == "'liblinear'"
    return literal(given.value) == "'ovr'" or (liblinear and literal(given.value) == "'auto'")


def _takes(scope: Scope, name: str) -> bool:
    signature = scope.installed.signature("sklearn.linear_model.LogisticRegression")
    return any(parameter.name == name for parameter in signature or ())


class _Logistic(Codemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        message = scope.failure.message if scope.failure else ""
        self._multiclass = _MULTICLASS in message
        self._needs_liblinear = _NEEDS_LIBLINEAR in message
        self._failing_names = _names_on_failing_lines(scope) if self._multiclass or self._needs_liblinear else frozenset()
        self._concerned: set[cst.CSTNode] = set()
        self._wrapped: set[cst.CSTNode] = set()

    def visit_Assign(self, node: cst.Assign) -> None:  # noqa: N802 (LibCST's visitor protocol)
        if any(isinstance(target.target, cst.Name) and target.target.value in self._failing_names for target in node.targets):
            self._concerned.update(m.findall(node.value, m.Call()))

    def visit_Call(self, node: cst.Call) -> None:  # noqa: N802
        qualified = self.scope.qualified(node.func)
        # A search would not find its parameters below a new wrapper.
        if qualified == _ONE_VS_REST or (qualified or "").endswith("SearchCV"):
            self._wrapped.update(arg.value for arg in node.args)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802
        if not _is_logistic(original_node, self.scope):
            return updated_node
        if _wraps(original_node, self.scope) and original_node not in self._wrapped:
            self.scope.note("multi_class='ovr' → OneVsRestClassifier")
            return self._wrap(original_node, without(updated_node, {"multi_class"}))
        concerned = original_node in self._concerned or self.scope.failing(original_node)
        names = keyword_names(original_node)
        if "penalty" in names and "solver" not in names and self.scope.at_least("scikit-learn", "0.22"):
            penalty = argument(original_node, "penalty")
            if penalty is not None and literal(penalty.value) == "'l1'":
                return self._liblinear(updated_node)
        if self._needs_liblinear and concerned and "solver" not in names:
            return self._liblinear(updated_node)
        solver = argument(original_node, "solver")
        if self._multiclass and concerned and solver is not None and literal(solver.value) == "'liblinear'":
            self.scope.note("liblinear for more than two classes → OneVsRestClassifier")
            return self._wrap(original_node, updated_node)
        return updated_node

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:  # noqa: N802
        stack = _STACKED.get(original_node.attr.value)
        if stack is None or not isinstance(original_node.value, cst.Name):
            return updated_node
        bound = self.scope.names.value(original_node.value.value, self.scope.unit)
        if not isinstance(bound, cst.Call):
            return updated_node
        if not any(_is_logistic(call, self.scope) and _wraps(call, self.scope) for call in _fitted(bound)):
            return updated_node
        # The wrapper has one fitted classifier per class instead of one row per class.
        function = self.scope.reference(f"numpy.{stack}")
        name = code(updated_node.value)
        return cst.parse_expression(f"{function}([one.{original_node.attr.value} for one in {name}.estimators_])")

    def _wrap(self, original: cst.Call, call: cst.Call) -> cst.BaseExpression:
        if original in self._wrapped:
            return call
        return cst.Call(func=cst.parse_expression(self.scope.imported(_ONE_VS_REST)), args=[cst.Arg(call)])

    def _liblinear(self, call: cst.Call) -> cst.Call:
        self.scope.note("solver='liblinear', the default before")
        return plus(call, solver="'liblinear'")


def _fitted(call: cst.Call) -> list[cst.Call]:
    """Return a call and those it is chained to: ``LogisticRegression()`` in ``LogisticRegression().fit(X, y)``."""
    found = [call]
    while isinstance(found[-1].func, cst.Attribute) and isinstance(found[-1].func.value, cst.Call):
        found.append(found[-1].func.value)
    return found


def _names_on_failing_lines(scope: Scope) -> frozenset[str]:
    """Return the names that the failing line mentions."""
    failure = scope.failure
    if failure is None:
        return frozenset()
    lines = [frame.code for frame in failure.error.frames if frame.cell is not None or frame.local]
    found: set[str] = set()
    for line in lines:
        found |= {word for word in _words(line) if word}
    return frozenset(found | {node.value for node in scope.failing_nodes if isinstance(node, cst.Name)})


def _words(line: str) -> list[str]:
    return "".join(char if char.isalnum() or char == "_" else " " for char in line).split()


class Logistic(CodemodRecipe):
    """Logistic regression's old scheme and solver."""

    name = "sklearn-logistic-regression"
    summary = (
        "LogisticRegression lost multi_class= and its liblinear default; one classifier per class is OneVsRestClassifier now."
    )
    since = "scikit-learn 0.22"
    source = "scikit-learn What's New 0.20, 0.22 (default solver), 1.5 and 1.8 (multi_class)"
    words = frozenset({"LogisticRegression", "coef_", "intercept_"})
    # Before changed arguments, which drop multi_class='auto'.
    order = 29
    codemod = _Logistic


RECIPES = (Logistic(),)
