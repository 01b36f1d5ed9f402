"""Link functions of statsmodels families, which are given as objects now."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.recipe import Codemod, CodemodRecipe, Scope, Unit

_FAMILIES = frozenset({"Binomial", "Gamma", "Gaussian", "InverseGaussian", "NegativeBinomial", "Poisson", "Tweedie"})


class _Links(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        family = self.scope.qualified(original_node.func) or ""
        if not family.startswith("statsmodels.") or family.rpartition(".")[2] not in _FAMILIES or not original_node.args:
            return updated_node
        args = list(updated_node.args)
        for place, arg in enumerate(original_node.args):
            names_link = arg.keyword.value == "link" if arg.keyword else place == 0
            link = self.scope.qualified(arg.value) or ""
            if names_link and ".links." in link:
                self.scope.note(f"{link.rpartition('.')[2]} → {link.rpartition('.')[2]}()")
                args[place] = args[place].with_changes(value=cst.Call(func=args[place].value))
        return updated_node.with_changes(args=args)


class LinkObjects(CodemodRecipe):
    """``Binomial(links.logit)`` becomes ``Binomial(links.logit())``."""

    name = "statsmodels-link-object"
    summary = "A family's link function is given as an object, no longer as its class."
    since = "statsmodels 0.14"
    source = "statsmodels release notes 0.14, https://www.statsmodels.org/stable/release/version0.14.html"
    words = _FAMILIES
    codemod = _Links

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Run only after the error that a link's class gives."""
        if scope.failure is None or "with a link class is not allowed" not in scope.failure.error.message:
            return None
        return super().rewrite(unit, scope)


RECIPES = (LinkObjects(),)
