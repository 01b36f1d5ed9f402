"""LightGBM's early stopping, logging and recording arguments became callbacks."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.syntax import argument, code, keyword, keyword_names, literal, plus, string, with_args, without

_MODELS = ("lightgbm.LGBM", "lightgbm.sklearn.LGBM")
_TRAIN = frozenset({"lightgbm.train", "lightgbm.engine.train", "lightgbm.cv", "lightgbm.engine.cv"})
_DATASET = frozenset({"lightgbm.Dataset", "lightgbm.basic.Dataset"})
_GONE = frozenset({"early_stopping_rounds", "verbose", "verbose_eval", "evals_result", "learning_rates"})
_OFF = frozenset({"False", "0", "None", "-1"})


class _Callbacks(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        if not self.scope.at_least("lightgbm", "4.0"):
            return updated_node
        qualified = self.scope.qualified(original_node.func) or ""
        names = keyword_names(original_node)
        if "silent" in names and (qualified.startswith(_MODELS) or qualified in _DATASET):
            return self._quiet(updated_node, model=qualified not in _DATASET)
        if names & _GONE and (qualified in _TRAIN or self._fits_model(original_node)):
            return self._with_callbacks(updated_node)
        return updated_node

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.Subscript:  # noqa: N802
        """Results of cv() are named after the validation set too: ``valid l2-mean``."""
        if not isinstance(original_node.value, cst.Name) or not self.scope.at_least("lightgbm", "4.0"):
            return updated_node
        bound = self.scope.names.value(original_node.value.value, self.scope.unit)
        made_by = self.scope.qualified(bound.func) if isinstance(bound, cst.Call) else None
        index = original_node.slice[0].slice
        key = string(index.value) if isinstance(index, cst.Index) else None
        if made_by not in {"lightgbm.cv", "lightgbm.engine.cv"} or key is None or not key.endswith(("-mean", "-stdv")):
            return updated_node
        if key.startswith(("valid ", "train ")):
            return updated_node
        self.scope.note(f"{key} → valid {key}")
        return updated_node.with_changes(slice=[cst.SubscriptElement(cst.Index(cst.parse_expression(repr(f"valid {key}"))))])

    def _fits_model(self, call: cst.Call) -> bool:
        if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "fit":
            return False
        kind = self.scope.type_of(call.func.value)
        if kind is not None:
            return kind.startswith(_MODELS)
        failure = self.scope.failure
        refused = failure is not None and "fit() got an unexpected keyword argument" in failure.error.message
        return refused and "LGBM" in failure.error.message and self.scope.failing(call)  # type: ignore[union-attr]

    def _quiet(self, call: cst.Call, *, model: bool) -> cst.Call:
        silent = argument(call, "silent")
        call = without(call, {"silent"})
        quiet = model and silent is not None and literal(silent.value) == "True"
        self.scope.note("silent=True → verbose=-1" if quiet else "silent= dropped")
        return plus(call, verbose="-1") if quiet else call

    def _with_callbacks(self, call: cst.Call) -> cst.Call:
        given = {arg.keyword.value: arg.value for arg in call.args if arg.keyword}
        verbose = given.get("verbose", given.get("verbose_eval"))
        silent = verbose is not None and literal(verbose) in _OFF
        callbacks: list[str] = []
        rounds = given.get("early_stopping_rounds")
        if rounds is not None and literal(rounds) != "None":
            callbacks.append(f"{self._named('early_stopping')}({code(rounds)}{', verbose=False' if silent else ''})")
        if verbose is not None and not silent:
            period = "" if literal(verbose) == "True" else code(verbose)
            callbacks.append(f"{self._named('log_evaluation')}({period})")
        if (results := given.get("evals_result")) is not None and literal(results) != "None":
            callbacks.append(f"{self._named('record_evaluation')}({code(results)})")
        if (rates := given.get("learning_rates")) is not None and literal(rates) != "None":
            callbacks.append(f"{self._named('reset_parameter')}(learning_rate={code(rates)})")
        gone = sorted(given.keys() & _GONE)
        self.scope.note(f"{', '.join(f'{name}=' for name in gone)} → callbacks=")
        return self._appended(call, gone, callbacks)

    def _appended(self, call: cst.Call, gone: list[str], callbacks: list[str]) -> cst.Call:
        """Put the callbacks behind those there are, else in the place of the first argument that is gone."""
        before = argument(call, "callbacks")
        if before is not None and literal(before.value) != "None" and callbacks:
            new = _joined(before.value, callbacks)
            args = [arg.with_changes(value=cst.parse_expression(new)) if arg is before else arg for arg in call.args]
            return without(with_args(call, args), gone)
        if not callbacks:
            return without(call, gone)
        first = next(arg for arg in call.args if arg.keyword and arg.keyword.value in gone)
        new_arg = keyword("callbacks", f"[{', '.join(callbacks)}]")
        new_arg = new_arg.with_changes(comma=first.comma, whitespace_after_arg=first.whitespace_after_arg)
        rest = without(call, {*gone, "callbacks"} - {first.keyword.value if first.keyword else ""})
        return with_args(
            rest,
            [new_arg if arg.keyword and first.keyword and arg.keyword.value == first.keyword.value else arg for arg in rest.args],
        )

    def _named(self, callback: str) -> str:
        return self.scope.reference(f"lightgbm.{callback}")


def _joined(before: cst.BaseExpression, callbacks: list[str]) -> str:
    old = code(before)
    if not m.matches(before, m.List()):
        return f"[*{old}, {', '.join(callbacks)}]"
    inner = old.strip()[1:-1].strip().rstrip(",")
    return f"[{', '.join(filter(None, [inner, *callbacks]))}]"


class Callbacks(CodemodRecipe):
    """Early stopping and logging of LightGBM."""

    name = "lightgbm-callbacks"
    summary = "LightGBM takes early stopping, logging and recording as callbacks."
    since = "lightgbm 4.0"
    source = "LightGBM release notes 3.3 (deprecation) and 4.0 (removal)"
    words = frozenset({*_GONE, "silent", "-mean", "-stdv"})
    confirmed = True
    codemod = _Callbacks


RECIPES = (Callbacks(),)
