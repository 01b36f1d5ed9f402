"""fit_params of a parameter search: given to its constructor once, given to its fit() now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

import libcst as cst
import libcst.matchers as m

from modernizer.repair.imports import add_imports
from modernizer.repair.program import Key
from modernizer.repair.recipe import Codemod, Scope, Unit
from modernizer.repair.recipes.moves import new_home
from modernizer.repair.searches import bound
from modernizer.repair.syntax import argument, code, keyword, literal, string, with_args, without

_SEARCHES = frozenset({"sklearn.model_selection.GridSearchCV", "sklearn.model_selection.RandomizedSearchCV"})
_GIVEN = "fit_params"
_GET_SCORER = "sklearn.metrics.get_scorer"


@dataclass
class _Plan:
    """The constructors that lose the argument, with the scorer that they need, and the calls of fit() that get it."""

    searches: dict[cst.Call, cst.BaseExpression | None] = field(default_factory=dict)
    fits: dict[cst.Call, cst.BaseExpression] = field(default_factory=dict)
    imports: dict[Key, list[str]] = field(default_factory=dict)


def _plan(units: Mapping[Key, Unit], scope: Scope) -> _Plan:
    plan = _Plan()
    for key, unit in units.items():
        if unit.tree is None or _GIVEN not in unit.source:
            continue
        own = replace(scope, unit=key, imports=plan.imports.setdefault(key, []))
        for chained in m.findall(unit.tree, m.Call(func=m.Attribute(value=m.Call(), attr=m.Name("fit")))):
            call = cst.ensure_type(cst.ensure_type(cst.ensure_type(chained, cst.Call).func, cst.Attribute).value, cst.Call)
            if (given := _given(call, own)) is not None and _scorable(call, given, own):
                plan.searches[call] = _scorer(call, given, own)
                plan.fits[cst.ensure_type(chained, cst.Call)] = given
        for statement in m.findall(unit.tree, m.Assign(targets=[m.AssignTarget(target=m.Name())], value=m.Call())):
            assign = cst.ensure_type(statement, cst.Assign)
            call, target = cst.ensure_type(assign.value, cst.Call), cst.ensure_type(assign.targets[0].target, cst.Name)
            given = _given(call, own)
            fits = _fits(target.value, key, units, own) if given is not None and _lasting(given, key, own) else None
            if given is not None and fits and _scorable(call, given, own):
                plan.searches[call] = _scorer(call, given, own)
                plan.fits |= dict.fromkeys(fits, given)
    return plan


def _given(call: cst.Call, scope: Scope) -> cst.BaseExpression | None:
    """Return what a search gives to its fits, when today's class takes no such argument."""
    qualified = scope.qualified(call.func) or ""
    home = new_home(qualified, scope) or qualified
    given = argument(call, _GIVEN)
    signature = scope.installed.signature(home) or ()
    gone = home in _SEARCHES and bool(signature) and all(parameter.name != _GIVEN for parameter in signature)
    return given.value if given is not None and gone else None


def _weighs(given: cst.BaseExpression, scope: Scope) -> bool:
    """Tell whether sample weights may be among what is given: since 1.7 a search weighs its scores by them too."""
    args = list(_starred(bound(given, scope) or given))
    return any(arg.star or (arg.keyword is not None and arg.keyword.value == "sample_weight") for arg in args)


def _scorable(call: cst.Call, given: cst.BaseExpression, scope: Scope) -> bool:
    """Tell whether the search can be kept from weighing its scores: by a scorer that takes no weights."""
    scoring = argument(call, "scoring")
    plain = scoring is None or literal(scoring.value) == "None" or isinstance(scoring.value, cst.SimpleString | cst.Lambda)
    return plain or not _weighs(given, scope)


def _scorer(call: cst.Call, given: cst.BaseExpression, scope: Scope) -> cst.BaseExpression | None:
    """Return the scorer without weights, None when the one the search has will do."""
    scoring = argument(call, "scoring")
    if not _weighs(given, scope) or (scoring is not None and isinstance(scoring.value, cst.Lambda)):
        return None
    if scoring is None or literal(scoring.value) == "None":
        return cst.parse_expression("lambda model, X, y: model.score(X, y)")
    return cst.parse_expression(f"lambda model, X, y: {scope.imported(_GET_SCORER)}({code(scoring.value)})(model, X, y)")


def _lasting(given: cst.BaseExpression, unit: Key, scope: Scope) -> bool:
    """Tell whether an expression means the same later: each of its names is bound once in its namespace."""
    names = {node.value for node in m.findall(given, m.Name()) if isinstance(node, cst.Name)}
    return all(_bound(name, unit, scope) == 1 for name in names - {"dict"}) and not m.findall(given, m.Await() | m.NamedExpr())


def _bound(name: str, unit: Key, scope: Scope) -> int:
    """Count the bindings of a name in the namespace of a unit; functions' own names count, so that none is mistaken."""
    bindings = scope.names.bindings
    keys = [unit] if isinstance(unit, str) else [key for key in bindings if isinstance(key, int)]
    return sum(len(bindings.get(key, {}).get(name, ())) for key in keys)


def _fits(name: str, unit: Key, units: Mapping[Key, Unit], scope: Scope) -> list[cst.Call]:
    """List the calls of a search's fit(); none when others may call it: those it is handed to, or who see another of its name."""
    if isinstance(unit, str) or _bound(name, unit, scope) != 1:
        return []
    trees = [one.tree for key, one in units.items() if isinstance(key, int) and one.tree is not None]
    unread = [one for key, one in units.items() if isinstance(key, int) and one.tree is None and name in one.source]
    fits = [
        cst.ensure_type(call, cst.Call)
        for tree in trees
        for call in m.findall(tree, m.Call(func=m.Attribute(value=m.Name(name), attr=m.Name("fit"))))
    ]
    harmless = sum(_harmless(name, tree) for tree in trees)
    return fits if not unread and harmless == sum(1 for tree in trees for _ in m.findall(tree, m.Name(name))) else []


def _harmless(name: str, tree: cst.Module) -> int:
    """Count the places where a name is bound, asked for an attribute or shown."""
    here = m.Name(name)
    shown = m.Expr(value=here) | m.Call(func=m.Name("print"), args=[m.Arg(value=here, keyword=None)])
    return sum(1 for _ in m.findall(tree, m.Attribute(value=here) | m.AssignTarget(target=here) | shown))


def _starred(given: cst.BaseExpression) -> Iterator[cst.Arg]:
    """Give the arguments that pass on a mapping: its own keywords where it is written out."""
    if isinstance(given, cst.Dict):
        keys = [string(element.key) if isinstance(element, cst.DictElement) else None for element in given.elements]
        if all(key is not None and key.isidentifier() for key in keys):
            for key, element in zip(keys, given.elements, strict=True):
                yield keyword(key or "", element.value)
            return
    if isinstance(given, cst.Call) and m.matches(given.func, m.Name("dict")) and all(arg.keyword for arg in given.args):
        for arg in given.args:
            yield keyword(cst.ensure_type(arg.keyword, cst.Name).value, arg.value)
        return
    yield cst.Arg(star="**", value=given)


class _FitParams(Codemod):
    def __init__(self, scope: Scope, plan: _Plan) -> None:
        super().__init__(scope)
        self.plan = plan

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        if original_node in self.plan.searches:
            self.scope.note("fit_params= → fit(..., **fit_params)")
            scorer = self.plan.searches[original_node]
            searching = without(updated_node, {_GIVEN} if scorer is None else {_GIVEN, "scoring"})
            return searching if scorer is None else with_args(searching, [*searching.args, keyword("scoring", scorer)])
        given = self.plan.fits.get(original_node)
        return updated_node if given is None else with_args(updated_node, [*updated_node.args, *_starred(given)])


class SearchFitParams:
    """Parameters for the fits of a search."""

    name: ClassVar[str] = "sklearn-search-fit-params"
    summary: ClassVar[str] = "A parameter search takes what its fits need in fit(), no longer in its constructor."
    since: ClassVar[str] = "scikit-learn 0.21"
    source: ClassVar[str] = "scikit-learn What's New 0.19 (deprecation) and 0.21 (removal)"
    words: ClassVar[frozenset[str]] = frozenset({_GIVEN})
    order: ClassVar[int] = 31
    confirmed: ClassVar[bool] = True
    at_end: ClassVar[bool] = False

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Rewrite one unit by itself."""
        return self.rewrite_all({unit.key: unit}, scope).get(unit.key)

    def rewrite_all(self, units: Mapping[Key, Unit], scope: Scope) -> dict[Key, str]:
        """Move the argument from the searches whose every fit() is seen to those."""
        if not any(_GIVEN in unit.source for unit in units.values()):
            return {}
        plan = _plan(units, scope)
        changed: dict[Key, str] = {}
        for key, unit in units.items():
            if plan.searches and unit.tree is not None and unit.masked is not None:
                tree = unit.tree.visit(_FitParams(replace(scope, unit=key), plan))
                changed[key] = unit.masked.unmask(add_imports(tree, plan.imports.get(key, [])).code)
        return changed


RECIPES = (SearchFitParams(),)
