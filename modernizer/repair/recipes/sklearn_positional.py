"""Arguments given by position where scikit-learn takes keywords now, named by the order they had when the code was written."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

import libcst as cst

from modernizer.repair.recipe import Codemod, CodemodRecipe, Parameter
from modernizer.repair.recipes.moves import new_home
from modernizer.repair.syntax import keyword_names, named

_BY_POSITION = frozenset({"POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD"})


@cache
def old_order() -> dict[str, tuple[str, ...]]:
    """Return the old parameters, in order, by the dotted name of a callable."""
    text = resources.files(__package__).joinpath("sklearn_signatures.toml").read_text(encoding="utf-8")
    return {dotted: tuple(names.split()) for dotted, names in tomllib.loads(text)["order"].items()}


class _Positional(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        positional = [arg for arg in updated_node.args if arg.keyword is None]
        qualified = self.scope.qualified(original_node.func) or next(iter(self.scope.gone_from_star(original_node.func)), None)
        if not positional or qualified is None or any(arg.star for arg in positional):
            return updated_node
        home = new_home(qualified, self.scope) or qualified
        old = old_order().get(qualified) or old_order().get(home)
        signature = self.scope.installed.signature(home)
        if old is None or signature is None or len(positional) > len(old):
            return updated_node
        kept = _still_by_position(old, signature, len(positional))
        names = [_meant(arg, place, old, len(positional)) for place, arg in enumerate(positional)][kept:]
        if kept == len(positional) or set(names) & keyword_names(updated_node):
            return updated_node
        args = list(updated_node.args)
        for index, name in enumerate(names, start=kept):
            args[index] = named(args[index], name)
        self.scope.note(f"{home.rpartition('.')[2]}: {', '.join(f'{name}=' for name in names)}")
        return updated_node.with_changes(args=args)


def _meant(arg: cst.Arg, place: int, old: tuple[str, ...], given: int) -> str:
    """Return the parameter of a place, or the one that the argument is called by.

    When learning_curve moved in 0.18 a parameter was put in front of train_sizes; code that only changed its import
    passed ``train_sizes`` in the place of ``groups`` from then on.
    """
    if isinstance(arg.value, cst.Name) and arg.value.value in old[given:]:
        return arg.value.value
    return old[place]


def _still_by_position(old: tuple[str, ...], signature: tuple[Parameter, ...], given: int) -> int:
    """Count the first parameters that may stay positional: the same as today, or only renamed since."""
    names = {parameter.name for parameter in signature}
    today = [parameter.name for parameter in signature if parameter.kind.upper() in _BY_POSITION]
    kept = 0
    for before, after in zip(old[:given], today, strict=False):
        if before != after and (before in names or after in old):
            break
        kept += 1
    return kept


class Positional(CodemodRecipe):
    """Positional arguments of scikit-learn callables."""

    name = "sklearn-positional-arguments"
    summary = "scikit-learn takes these arguments by keyword only; they are named by the order of the old signature."
    since = "scikit-learn 1.0"
    source = "scikit-learn What's New 0.23 (deprecation) and 1.0 (keyword-only)"
    # Before moved symbols: the order of cross_val_score and learning_curve depends on the module they came from.
    order = 16
    confirmed = True
    codemod = _Positional

    @property
    def words(self) -> frozenset[str]:  # type: ignore[override]
        """The names of those callables."""
        return _words()


@cache
def _words() -> frozenset[str]:
    return frozenset(dotted.rpartition(".")[2] for dotted in old_order())


RECIPES = (Positional(),)
