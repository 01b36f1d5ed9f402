"""Paths of notebooks that were moved into a folder since: relative to the folder above, where the file still lies."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.recipe import Codemod, Scope
from modernizer.repair.syntax import string
from modernizer.verdict.diagnosis.blocked import path_from_upper_folder


class _Paths(Codemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        diagnosis = scope.failure.diagnosis if scope.failure else None
        self._old = diagnosis.symbol if diagnosis else ""
        self._new = path_from_upper_folder(diagnosis) if diagnosis else ""

    def leave_SimpleString(self, original_node: cst.SimpleString, updated_node: cst.SimpleString) -> cst.SimpleString:  # noqa: N802 (LibCST's visitor protocol)
        if not self._new or string(original_node) != self._old or self._old not in original_node.raw_value:
            return updated_node
        self.scope.note(f"{self._old} → {self._new}")
        start, end = original_node.prefix + original_node.quote, original_node.quote
        return updated_node.with_changes(value=f"{start}{self._new}{end}")


class MovedNotebooks(FailureRecipe):
    """Relative paths from the folder in which the notebook was."""

    name = "path-of-moved-notebook"
    summary = "The notebook lies in a folder below the one its paths start from; they start from its own folder now."
    since = ""
    source = "Jupyter runs a notebook in its own folder"
    errors = frozenset({"FileNotFoundError", "OSError", "IOError"})
    codemod = _Paths


RECIPES = (MovedNotebooks(),)
