"""GMM became GaussianMixture: its fitted attributes and what its scores are have other names."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.syntax import argument, code

_GMM = "sklearn.mixture.GMM"
_SCORED = m.Call(func=m.Attribute(attr=m.Name("score_samples") | m.Name("eval")))
_ONE_OF_TWO = m.Subscript(value=_SCORED, slice=[m.SubscriptElement(slice=m.Index(value=m.Integer("0") | m.Integer("1")))])
_ATTRIBUTES = {"covars_": "covariances_", "_get_covars": "covariances_"}


class _Mixture(Codemod):
    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:  # noqa: N802
        new = _ATTRIBUTES.get(original_node.attr.value)
        if new is None or not self._is_mixture(original_node.value):
            return updated_node
        self.scope.note(f"{original_node.attr.value} → {new}")
        return updated_node.with_changes(attr=cst.Name(new))

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802
        func, new = original_node.func, updated_node.func
        if not isinstance(func, cst.Attribute) or not isinstance(new, cst.Attribute) or not self._is_mixture(func.value):
            return updated_node
        if func.attr.value == "_get_covars":
            return new
        if func.attr.value == "sample":
            return self._samples(updated_node)
        if func.attr.value == "score" and self.scope.names.type_of(func.value, self.scope.unit) == _GMM:
            # GMM.score gave one log-likelihood a sample, GaussianMixture.score gives their mean.
            self.scope.note("score() → score_samples()")
            return updated_node.with_changes(func=new.with_changes(attr=cst.Name("score_samples")))
        return updated_node

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:  # noqa: N802
        """``score_samples(X)[0]``: GMM gave log-likelihoods and responsibilities, GaussianMixture gives the first alone."""
        call, new = original_node.value, updated_node.value
        if not m.matches(original_node, _ONE_OF_TWO) or not isinstance(call, cst.Call) or not isinstance(new, cst.Call):
            return updated_node
        func, new_func = cst.ensure_type(call.func, cst.Attribute), cst.ensure_type(new.func, cst.Attribute)
        if self.scope.names.type_of(func.value, self.scope.unit) != _GMM or not self._is_mixture(func.value):
            return updated_node
        name = "score_samples" if code(original_node.slice[0].slice) == "0" else "predict_proba"
        self.scope.note(f"score_samples()[…] → {name}()")
        return new.with_changes(func=new_func.with_changes(attr=cst.Name(name)))

    def _samples(self, call: cst.Call) -> cst.BaseExpression:
        """GMM.sample took its own seed and gave the samples alone; GaussianMixture.sample gives their components as well."""
        seed = argument(call, "random_state", 1)
        receiver = cst.ensure_type(call.func, cst.Attribute).value
        count = argument(call, "n_samples", 0)
        seeded = code(receiver) + (f".set_params(random_state={code(seed.value)})" if seed else "")
        self.scope.note("sample() → sample()[0]")
        return cst.parse_expression(f"{seeded}.sample({code(count.value) if count else ''})[0]")

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Assign:  # noqa: N802
        pair = m.AssignTarget(target=m.Tuple(elements=[m.Element(), m.Element()]))
        if not m.matches(original_node, m.Assign(targets=[pair], value=_SCORED)):
            return updated_node
        call = cst.ensure_type(updated_node.value, cst.Call)
        receiver = cst.ensure_type(call.func, cst.Attribute).value
        if not self._is_mixture(cst.ensure_type(cst.ensure_type(original_node.value, cst.Call).func, cst.Attribute).value):
            return updated_node
        args = ", ".join(code(arg).rstrip(", ") for arg in call.args)
        both = f"{code(receiver)}.score_samples({args}), {code(receiver)}.predict_proba({args})"
        self.scope.note("score_samples() → score_samples(), predict_proba()")
        return updated_node.with_changes(value=cst.parse_expression(both))

    def _is_mixture(self, node: cst.BaseExpression) -> bool:
        """Tell whether a receiver is a GMM by its construction, or a live GaussianMixture that lacks the attribute asked for."""
        kind = self.scope.type_of(node)
        if kind == _GMM:
            return not self.scope.installed.resolves(_GMM)
        return kind == "sklearn.mixture.GaussianMixture" and self.scope.failing(node)


class Mixture(CodemodRecipe):
    """Gaussian mixtures."""

    name = "sklearn-gaussian-mixture"
    summary = "GMM is GaussianMixture now; its covariances and its scores of samples have other names."
    since = "scikit-learn 0.20"
    source = "scikit-learn What's New 0.18 (deprecation) and 0.20 (removal)"
    words = frozenset({"covars_", "_get_covars", "score", "eval", "sample"})
    # Before moved symbols: the old class is the proof.
    order = 17
    codemod = _Mixture


RECIPES = (Mixture(),)
