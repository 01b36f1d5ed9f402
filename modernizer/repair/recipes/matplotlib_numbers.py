"""Widths and sizes given as text, which Matplotlib no longer turns into numbers."""

from __future__ import annotations

import re

import libcst as cst

from modernizer.repair.recipe import Codemod, CodemodRecipe, Scope, Unit

_NUMERIC = frozenset({"linewidth", "linewidths", "lw", "alpha"})
_NUMBER = re.compile(r"\d+(?:\.\d*)?|\.\d+")
# The drawing code is compiled, so one of its messages names neither the argument nor a line.
_MESSAGE = re.compile(r"Unable to cast Python instance|alpha must be numeric")


class _Numbers(Codemod):
    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:  # noqa: N802 (LibCST's visitor protocol)
        del original_node
        value = updated_node.value
        if updated_node.keyword is None or updated_node.keyword.value not in _NUMERIC or not isinstance(value, cst.SimpleString):
            return updated_node
        text = value.raw_value.strip()
        if not _NUMBER.fullmatch(text):
            return updated_node
        self.scope.note(f"{updated_node.keyword.value}='{text}' → {text}")
        return updated_node.with_changes(value=cst.parse_expression(text))


class NumbersAsText(CodemodRecipe):
    """``linewidths='1'`` becomes ``linewidths=1``."""

    name = "matplotlib-number-as-text"
    summary = "A width or size was given as text; drawing takes numbers only."
    since = "Matplotlib 3.9"
    source = "Matplotlib API changes, https://matplotlib.org/stable/api/prev_api_changes/api_changes_3.9.0.html"
    words = _NUMERIC
    codemod = _Numbers

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Run only after an error that such a text gives; it tells no line, so every unit is looked at."""
        if scope.failure is None or not _MESSAGE.search(scope.failure.error.message):
            return None
        return super().rewrite(unit, scope)


RECIPES = (NumbersAsText(),)
