"""ARMA, ARIMA and AR of statsmodels: today's classes take the order and the trend with the data and forecast an array."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.scope import dotted_name
from modernizer.repair.syntax import argument, code, keyword_names, literal, string, without

_NEW_ARIMA, _NEW_AR = "statsmodels.tsa.arima.model.ARIMA", "statsmodels.tsa.ar_model.AutoReg"
_HOMES = ("statsmodels.tsa.arima_model", "statsmodels.tsa.api", "statsmodels.api.tsa", "statsmodels.tsa.ar_model")
_OLD = {f"{home}.{name}": name for home in _HOMES for name in ("ARMA", "ARIMA", "AR")}
# ARIMA of the api modules is today's class already.
_OLD = {dotted: name for dotted, name in _OLD.items() if name != "ARIMA" or dotted.startswith("statsmodels.tsa.arima_model")}
_FIT = frozenset(
    {"disp", "method", "transparams", "solver", "maxiter", "trend", "tol", "full_output", "callback", "iprint", "ic"}
)


class _Arima(Codemod):
    def leave_ImportFrom(self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom) -> cst.ImportFrom:  # noqa: N802
        module = dotted_name(original_node.module) if original_node.module else None
        if module not in {"statsmodels.tsa.arima_model", "statsmodels.tsa.ar_model"} or isinstance(
            original_node.names, cst.ImportStar
        ):
            return updated_node
        if not self._gone():
            return updated_node
        new: dict[str, cst.ImportAlias] = {}
        for alias in original_node.names:
            old = alias.evaluated_name.removesuffix("Results")
            results = alias.evaluated_name.removeprefix(old)
            leaf = {"ARMA": "ARIMA", "AR": "AutoReg"}.get(old, old) + results
            new.setdefault(leaf, alias.with_changes(name=cst.Name(leaf)))
        names = list(new.values())
        names[-1] = names[-1].with_changes(comma=original_node.names[-1].comma)
        home = _NEW_ARIMA if module.endswith("arima_model") else _NEW_AR
        return updated_node.with_changes(module=cst.parse_expression(home.rpartition(".")[0]), names=names)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802
        name = _OLD.get(self.scope.qualified(original_node.func) or "")
        if name is not None and self._gone():
            return self._model(name, original_node, updated_node)
        func = original_node.func
        if isinstance(func, cst.Attribute) and func.attr.value == "fit" and (model := self._made(func.value)) and self._gone():
            return self._fit(model, original_node, updated_node)
        if isinstance(func, cst.Attribute) and func.attr.value == "predict" and self._made(func.value) and self._gone():
            # Levels are what predict gives now.
            typ = argument(original_node, "typ")
            return without(updated_node, {"typ"}) if typ is not None and literal(typ.value) == "'levels'" else updated_node
        return updated_node

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:  # noqa: N802
        """Take the part of a forecast that an index meant: values, standard errors, intervals."""
        forecast = m.Call(func=m.Attribute(attr=m.Name("forecast")))
        index = original_node.slice[0].slice
        if not m.matches(original_node.value, forecast) or not m.matches(index, m.Index(value=m.Integer())):
            return updated_node
        receiver = cst.ensure_type(cst.ensure_type(original_node.value, cst.Call).func, cst.Attribute).value
        if not self._made(receiver) or not self._gone():
            return updated_node
        call = cst.ensure_type(updated_node.value, cst.Call)
        parts = {"0": "", "1": ".se_mean", "2": ".conf_int()"}
        part = parts.get(code(index))
        if part is None:
            return updated_node
        self.scope.note("forecast()[i] → forecast() or get_forecast()")
        return call if part == "" else cst.parse_expression(f"{_get_forecast(call)}{part}")

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Assign:  # noqa: N802
        three = m.AssignTarget(target=m.Tuple(elements=[m.Element(), m.Element(), m.Element()]))
        if not m.matches(original_node, m.Assign(targets=[three], value=m.Call(func=m.Attribute(attr=m.Name("forecast"))))):
            return updated_node
        receiver = cst.ensure_type(cst.ensure_type(original_node.value, cst.Call).func, cst.Attribute).value
        if not self._made(receiver) or not self._gone():
            return updated_node
        call = cst.ensure_type(updated_node.value, cst.Call)
        alpha = argument(call, "alpha", 2)
        call = without(call, {"alpha"})
        forecast = _get_forecast(call)
        interval = f"alpha={code(alpha.value)}" if alpha is not None else ""
        self.scope.note("forecast() → get_forecast()")
        parts = f"{forecast}.predicted_mean, {forecast}.se_mean, {forecast}.conf_int({interval})"
        return updated_node.with_changes(value=cst.parse_expression(parts))

    def _model(self, name: str, original: cst.Call, call: cst.Call) -> cst.BaseExpression:
        data = argument(call, "endog", 0)
        if data is None:
            return call
        source = code(data.value)
        new_home = _NEW_AR if name == "AR" else _NEW_ARIMA
        imported = self.scope.names.imported(name, self.scope.unit) if isinstance(original.func, cst.Name) else None
        new = new_home.rpartition(".")[2] if imported in _OLD else self.scope.imported(new_home)
        if name == "AR":
            self.scope.note("AR → AutoReg")
            return cst.parse_expression(f"{new}({source}, lags={_default_lags(source)})")
        order = argument(call, "order", 1)
        if order is None:
            return call
        self.scope.note(f"arima_model.{name} → {new_home.rpartition('.')[0]}.ARIMA")
        wanted = order.value
        differenced = True
        if name == "ARMA":
            differenced = False
            if not isinstance(wanted, cst.Tuple) or len(wanted.elements) != 2:  # noqa: PLR2004 (p, q)
                return call
            p, q = (code(element.value) for element in wanted.elements)
            text = f"({p}, 0, {q})"
        else:
            text = code(wanted)
            if isinstance(wanted, cst.Tuple) and len(wanted.elements) == 3:  # noqa: PLR2004 (p, d, q)
                differenced = code(wanted.elements[1].value) != "0"
        extra = [
            f"{arg.keyword.value}={code(arg.value)}"
            for arg in call.args
            if arg.keyword and arg.keyword.value in {"exog", "freq", "dates"}
        ]
        trend = self._trend(differenced=differenced)
        return cst.parse_expression(f"{new}({', '.join([source, f'order={text}', *extra, *([trend] if trend else [])])})")

    def _trend(self, *, differenced: bool) -> str:
        """Return the trend argument: a constant in the differences, which fit() added by default, is a linear trend now."""
        bound = (binding.value for names in self.scope.names.bindings.values() for found in names.values() for binding in found)
        fits = (call for call in bound if call is not None and m.matches(call, m.Call(func=m.Attribute(attr=m.Name("fit")))))
        trends = (argument(cst.ensure_type(call, cst.Call), "trend") for call in fits)
        if any(trend is not None and string(trend.value) == "nc" for trend in trends):
            return "trend='n'"
        return "trend='t'" if differenced else ""

    def _fit(self, model: str, original: cst.Call, call: cst.Call) -> cst.Call:
        names = keyword_names(original)
        if _OLD[model] == "AR" and (lags := argument(original, "maxlag", 0)):
            receiver = cst.ensure_type(call.func, cst.Attribute).value
            if m.matches(receiver, m.Call()):
                # AR(data).fit(maxlag) in one expression: the lags go to the class.
                made = cst.ensure_type(receiver, cst.Call)
                args = [
                    arg.with_changes(value=lags.value) if arg.keyword and arg.keyword.value == "lags" else arg
                    for arg in made.args
                ]
                receiver = made.with_changes(args=args)
            else:
                new = "AutoReg" if self.scope.alias("statsmodels.tsa.ar_model.AR") == "AR" else self.scope.imported(_NEW_AR)
                receiver = cst.parse_expression(f"{new}({code(receiver)}.data.orig_endog, lags={code(lags.value)})")
            return call.with_changes(func=cst.Attribute(value=receiver, attr=cst.Name("fit")), args=[])
        if dropped := names & _FIT:
            self.scope.note(f"fit({', '.join(f'{name}=' for name in sorted(dropped))}) dropped")
        return without(call, _FIT)

    def _made(self, node: cst.BaseExpression) -> str | None:
        """Return the old class that an expression's model was made by; a fitted result counts as its model."""
        kind = self.scope.names.type_of(node, self.scope.unit)
        return kind if kind in _OLD else None

    def _gone(self) -> bool:
        return self.scope.at_least("statsmodels", "0.13")


def _get_forecast(call: cst.Call) -> str:
    func = cst.ensure_type(call.func, cst.Attribute).with_changes(attr=cst.Name("get_forecast"))
    return code(call.with_changes(func=func))


def _default_lags(data: str) -> str:
    """Return the number of lags that AR.fit() took by default."""
    return f"int(round(12 * (len({data}) / 100.) ** (1 / 4.)))"


class Arima(CodemodRecipe):
    """Autoregressive models."""

    name = "statsmodels-arima"
    summary = "The old ARMA, ARIMA and AR classes are gone; today's take order and trend with the data."
    since = "statsmodels 0.13"
    source = "statsmodels release notes 0.11, 0.12 (deprecation) and 0.13 (removal)"
    words = frozenset({"ARMA", "ARIMA", "AR", "forecast", "fit", "predict"})
    order = 19
    confirmed = True
    codemod = _Arima


RECIPES = (Arima(),)
