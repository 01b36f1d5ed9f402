"""XGBoost's fit and predict arguments that moved to the model or took another form."""

from __future__ import annotations

import re

import libcst as cst

from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.syntax import argument, code, keyword, keyword_names, literal, plus, with_args, without

_MODELS = ("xgboost.XGB", "xgboost.sklearn.XGB")
_BOOSTERS = frozenset({"xgboost.Booster", "xgboost.core.Booster"})
_OF_MODEL = frozenset({"early_stopping_rounds", "eval_metric", "callbacks"})
_LIMIT, _BEST = "ntree_limit", "best_ntree_limit"


class _Fit(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        func = original_node.func
        if not isinstance(func, cst.Attribute):
            return updated_node
        names = keyword_names(original_node)
        if func.attr.value == "fit" and names & _OF_MODEL and self._is_model(func.value, "fit"):
            return self._settings_of_model(updated_node, names & _OF_MODEL)
        if func.attr.value in {"predict", "predict_proba", "apply"} and _LIMIT in names and self._limits(func.value):
            return self._iteration_range(updated_node)
        if func.attr.value == "booster" and not original_node.args and self._is_model(func.value, "booster"):
            self.scope.note("booster() → get_booster()")
            return updated_node.with_changes(
                func=cst.ensure_type(updated_node.func, cst.Attribute).with_changes(attr=cst.Name("get_booster"))
            )
        return updated_node

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:  # noqa: N802
        if original_node.attr.value != _BEST or not self._lacks_limit():
            return updated_node
        self.scope.note(f"{_BEST} → best_iteration + 1")
        return cst.parse_expression(f"({code(updated_node.value)}.best_iteration + 1)")

    def _settings_of_model(self, call: cst.Call, names: set[str]) -> cst.Call:
        accepted = {parameter.name for parameter in self.scope.installed.signature("xgboost.XGBModel.fit") or ()}
        moved = {name: arg for name in sorted(names - accepted) if (arg := argument(call, name)) is not None}
        if not moved:
            return call
        settings = {name: code(arg.value) for name, arg in moved.items() if literal(arg.value) != "None"}
        call = without(call, moved)
        self.scope.note(f"{', '.join(f'{name}=' for name in moved)} of fit() → of the model")
        if not settings:
            return call
        func = cst.ensure_type(call.func, cst.Attribute)
        model = func.value
        constructed = isinstance(model, cst.Call) and (self.scope.qualified(model.func) or "").startswith(_MODELS)
        if isinstance(model, cst.Call) and constructed:
            return call.with_changes(func=func.with_changes(value=plus(model, **settings)))
        args = ", ".join(f"{name}={value}" for name, value in settings.items())
        return call.with_changes(func=func.with_changes(value=cst.parse_expression(f"{code(model)}.set_params({args})")))

    def _iteration_range(self, call: cst.Call) -> cst.Call:
        limit = argument(call, _LIMIT)
        if limit is None:
            return call
        self.scope.note(f"{_LIMIT}= → iteration_range=")
        if literal(limit.value) in {"0", "None"}:
            return without(call, {_LIMIT})
        source = code(limit.value)
        source = source[1:-1] if source.startswith("(") and source.endswith("best_iteration + 1)") else source
        new = keyword("iteration_range", f"(0, {source})")
        return with_args(call, [new.with_changes(comma=arg.comma) if arg is limit else arg for arg in call.args])

    def _is_model(self, receiver: cst.BaseExpression, method: str) -> bool:
        kind = self.scope.type_of(receiver)
        if kind is not None:
            return kind.startswith(_MODELS) and self.scope.installed.resolves("xgboost.XGBModel.get_booster")
        failure = self.scope.failure
        refused = failure is not None and re.search(rf"XGB\w+\.{method}\(\) got an unexpected keyword", failure.error.message)
        return bool(refused) and self.scope.failing(receiver)

    def _lacks_limit(self) -> bool:
        """Tell whether the installed predict() counts rounds by range only."""
        signature = self.scope.installed.signature("xgboost.Booster.predict")
        return signature is not None and all(parameter.name != _LIMIT for parameter in signature)

    def _limits(self, receiver: cst.BaseExpression) -> bool:
        """Tell that a receiver is no LightGBM or other model: only XGBoost knows the argument."""
        kind = self.scope.type_of(receiver)
        return self._lacks_limit() and (kind is None or kind.startswith(_MODELS) or kind in _BOOSTERS)


class Fit(CodemodRecipe):
    """Arguments of XGBoost's scikit-learn interface."""

    name = "xgboost-fit-arguments"
    summary = "XGBoost takes early stopping and metrics with the model, and limits trees by iteration_range."
    since = "xgboost 2.0"
    source = "XGBoost release notes 1.4 and 1.6 (deprecation), 2.0 and 2.1 (removal)"
    words = frozenset({*_OF_MODEL, _LIMIT, _BEST, "booster"})
    confirmed = True
    codemod = _Fit


RECIPES = (Fit(),)
