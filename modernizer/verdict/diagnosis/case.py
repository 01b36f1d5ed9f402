"""What every rule of the diagnosis looks at: the root error, the user's line, the import aliases."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from modernizer.execution.outcome import CellError, Frame
from modernizer.notebook import Cell, Notebook
from modernizer.verdict.source import dotted, import_aliases, parse, qualified

_INSTALLED_FILE = re.compile(r"(?:site|dist)-packages[/\\]([A-Za-z_]\w*)")


@dataclass(frozen=True)
class Case:
    """One error with its surroundings. ``name`` and ``message`` are those of the root cause, ``text`` the whole traceback.

    ``files`` lists the repository's files (relative, with slashes); ``unknown`` are imports that no declaration and no
    mapping resolves to a distribution.
    """

    error: CellError
    notebook: Notebook
    name: str
    message: str
    aliases: Mapping[str, str]
    installed: Mapping[str, str]
    unknown: frozenset[str]
    files: Callable[[], Iterable[str]]

    @property
    def cell(self) -> Cell | None:
        """Return the failing cell."""
        return next((cell for cell in self.notebook.cells if cell.index == self.error.cell), None)

    @property
    def source(self) -> str:
        """Return the failing cell's source."""
        return self.cell.source if self.cell else ""

    @property
    def text(self) -> str:
        """Return everything the kernel said about the error."""
        return f"{self.error.message}\n{self.error.traceback}"

    @property
    def user_frame(self) -> Frame | None:
        """Return the last frame in the notebook or in a module of the repository: the line to change."""
        return next((frame for frame in reversed(self.error.frames) if frame.cell is not None or frame.local), None)

    @property
    def user_line(self) -> str:
        """Return the source line to change; empty when unknown."""
        frame = self.user_frame
        if frame and frame.code.strip():
            return frame.code.strip()
        line = self.error.line
        lines = self.source.splitlines()
        return lines[line - 1].strip() if line and 0 < line <= len(lines) else ""

    @property
    def user_statement(self) -> str:
        """Return the whole statement of the failing line, when the cell parses; else the line; in a local module the line."""
        frame = self.user_frame
        if frame is not None and frame.cell is None:
            return self.user_line
        tree = parse(self.source)
        line = self.error.line
        for node in tree.body if tree and line else ():
            if node.lineno <= (line or 0) <= (node.end_lineno or node.lineno):
                return ast.get_source_segment(self.source, node) or self.user_line
        return self.user_line

    @property
    def library(self) -> str:
        """Name the installed package the error came out of; empty when the notebook itself raised."""
        for frame in reversed(self.error.frames):
            if frame.cell is not None or frame.local:
                return ""
            if frame.file and (match := _INSTALLED_FILE.search(frame.file)):
                return match.group(1)
        return ""

    def calls(self) -> list[str]:
        """List the calls of the failing statement by their qualified names, outermost first."""
        tree = parse(self.user_statement) or parse(self.user_line)
        found = [dotted(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)] if tree else []
        return [self.qualified(name) for name in found if name]

    def called(self, function: str) -> str:
        """Give the qualified name of the failing statement's call to ``function`` (``Class.method`` or a plain name)."""
        last = function.removesuffix(".__init__").rpartition(".")[2]
        return next((name for name in self.calls() if name.rpartition(".")[2] == last), "")

    def qualified(self, name: str) -> str:
        """Resolve a dotted name of the notebook by its imports."""
        return qualified(name, dict(self.aliases))

    def keyword_owner(self, keyword: str) -> str:
        """Name the call of the failing statement that is given a keyword argument."""
        tree = parse(self.user_statement) or parse(self.user_line)
        for node in ast.walk(tree) if tree else ():
            if isinstance(node, ast.Call) and any(argument.arg == keyword for argument in node.keywords):
                return self.qualified(dotted(node.func)) or (node.func.attr if isinstance(node.func, ast.Attribute) else "")
        return ""

    def is_imported(self, name: str) -> bool:
        """Tell whether a qualified name starts with a package that the notebook imports."""
        return name.partition(".")[0] in {full.partition(".")[0] for full in self.aliases.values()}

    def package_of(self, name: str) -> str:
        """Name the top-level package of a qualified name, if the notebook imports it; else the library that raised."""
        return name.partition(".")[0] if self.is_imported(name) else self.library


def aliases_of(notebook: Notebook) -> dict[str, str]:
    """Collect the import aliases of a notebook's code cells."""
    return import_aliases(cell.source for cell in notebook.code_cells)
