"""``random.sample`` of a set or of keys: of a list of them, as it made one before Python 3.11."""

from __future__ import annotations

import re

import libcst as cst

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.recipe import Codemod


class _Samples(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        if not self.scope.failing(original_node) or self.scope.qualified(original_node.func) != "random.sample":
            return updated_node
        first = updated_node.args[0] if updated_node.args else None
        if first is None or first.star or (first.keyword and first.keyword.value != "population"):
            return updated_node
        self.scope.note("random.sample(set) → random.sample(tuple(set))")
        listed = cst.Call(func=cst.Name("tuple"), args=[cst.Arg(first.value)])
        return updated_node.with_changes(args=[first.with_changes(value=listed), *updated_node.args[1:]])


class Samples(FailureRecipe):
    """Samples of sets."""

    name = "random-sample-of-set"
    summary = "random.sample() takes sequences only; a set becomes the tuple that it was turned into before."
    since = "Python 3.11"
    source = "What's New In Python 3.9 (deprecation) and 3.11 (removal)"
    words = frozenset({"sample"})
    errors = frozenset({"TypeError"})
    message = re.compile(r"Population must be a sequence")
    failing_unit_only = True
    codemod = _Samples


RECIPES = (Samples(),)
