"""Paths written for Windows, with backslashes: with forward slashes, which Windows takes as well."""

from __future__ import annotations

import re

import libcst as cst

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.recipe import Codemod, Scope

_NOT_FOUND = frozenset({"FileNotFoundError", "OSError", "IOError"})
# Folders and a file, by single or doubled backslashes; no drive, no spaces around, no escape that is no path.
_PATH = re.compile(r"(?:\.{0,2}\\{1,2})?(?:[\w .()-]+\\{1,2})*[\w .()-]+\.\w{1,5}|(?:\.{0,2}\\{1,2})?(?:[\w .()-]+\\{1,2})+")


class _WindowsPaths(Codemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        failure = scope.failure
        # A missing file whose name holds a backslash proves that the program writes its paths so.
        self._proven = failure is not None and failure.error.name in _NOT_FOUND and "\\" in failure.error.message

    def leave_SimpleString(self, original_node: cst.SimpleString, updated_node: cst.SimpleString) -> cst.SimpleString:  # noqa: N802 (LibCST's visitor protocol)
        text = original_node.raw_value
        if not self._proven or "\\" not in text or len(original_node.quote) != 1 or not _PATH.fullmatch(text):
            return updated_node
        if re.fullmatch(r"(?:\\[ntr])+", text):
            return updated_node
        new = re.sub(r"\\{1,2}", "/", text)
        self.scope.note(f"{text} → {new}")
        return updated_node.with_changes(value=f"{original_node.prefix}{original_node.quote}{new}{original_node.quote}")


class WindowsPaths(FailureRecipe):
    """Backslashes in paths."""

    name = "windows-path"
    summary = "A path with backslashes is no path here; forward slashes name the same file on every system."
    since = ""
    source = "Python's pathlib and os.path documentation"
    words = frozenset({"\\"})
    errors = _NOT_FOUND
    codemod = _WindowsPaths


RECIPES = (WindowsPaths(),)
