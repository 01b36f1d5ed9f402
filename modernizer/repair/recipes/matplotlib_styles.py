"""The seaborn style sheets of matplotlib, which carry the version of seaborn in their names now."""

from __future__ import annotations

import re

import libcst as cst

from modernizer.repair.expressions import requoted
from modernizer.repair.recipe import Codemod, CodemodRecipe, Scope
from modernizer.repair.syntax import string

_SUFFIXES = (
    *("-bright", "-colorblind", "-dark", "-dark-palette", "-darkgrid", "-deep", "-muted", "-notebook", "-paper", "-pastel"),
    *("-poster", "-talk", "-ticks", "-white", "-whitegrid", ""),
)
_STYLES = frozenset(f"seaborn{suffix}" for suffix in _SUFFIXES)
_CALLS = frozenset(f"{module}.style.{name}" for module in ("matplotlib", "matplotlib.pyplot") for name in ("use", "context"))
_LIBRARY = frozenset({"matplotlib.style.library", "matplotlib.pyplot.style.library"})
_REFUSED = re.compile(r"'(?P<style>seaborn[\w-]*)' (?:is not a valid package style|not found in the style library)")


class _Styles(Codemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._inside = 0
        refused = _REFUSED.search(scope.failure.message) if scope.failure else None
        self._refused = refused["style"] if refused else None

    def visit_Call(self, node: cst.Call) -> None:  # noqa: N802 (LibCST's visitor protocol)
        self._inside += self.scope.qualified(node.func) in _CALLS

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        self._inside -= self.scope.qualified(original_node.func) in _CALLS
        return updated_node

    def visit_Subscript(self, node: cst.Subscript) -> None:  # noqa: N802
        self._inside += self.scope.qualified(node.value) in _LIBRARY

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.Subscript:  # noqa: N802
        self._inside -= self.scope.qualified(original_node.value) in _LIBRARY
        return updated_node

    def leave_SimpleString(self, original_node: cst.SimpleString, updated_node: cst.SimpleString) -> cst.SimpleString:  # noqa: N802
        style = string(original_node)
        if style not in _STYLES or not self.scope.at_least("matplotlib", "3.8"):
            return updated_node
        # A style kept in a variable is known by its hyphenated name; plain "seaborn" could be anything.
        if not self._inside and not (style == self._refused and ("-" in style or self.scope.failing(original_node))):
            return updated_node
        new = style.replace("seaborn", "seaborn-v0_8", 1)
        self.scope.note(f"{style} → {new}")
        return requoted(updated_node, new)


class Styles(CodemodRecipe):
    """Names of style sheets."""

    name = "matplotlib-seaborn-style"
    summary = (
        "Matplotlib's copies of the seaborn styles carry a version in their names now; the same styles under their new names."
    )
    since = "matplotlib 3.8"
    source = "Matplotlib API changes 3.6 (deprecation) and 3.8 (removal)"
    words = frozenset({"seaborn"})
    codemod = _Styles


RECIPES = (Styles(),)
