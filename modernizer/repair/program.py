"""The code a repair may change: a notebook's code cells and the repo-local modules that it imports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from modernizer.notebook import Notebook

Key = int | str
"""A cell index, or the repo-relative path of a local module."""


@dataclass(frozen=True)
class Program:
    """A notebook with its local modules; ``modules`` maps repo-relative paths to their source text."""

    notebook: Notebook
    modules: Mapping[str, str]

    def sources(self) -> dict[Key, str]:
        """Return every unit of code: cells in order, then modules."""
        cells: dict[Key, str] = {cell.index: cell.source for cell in self.notebook.code_cells}
        return cells | dict(self.modules)

    def replaced(self, changes: Mapping[Key, str]) -> Program:
        """Return the program with these units' sources replaced."""
        cells = {key: text for key, text in changes.items() if isinstance(key, int)}
        modules = {key: text for key, text in changes.items() if isinstance(key, str)}
        notebook = self.notebook.with_sources(cells) if cells else self.notebook
        return replace(self, notebook=notebook, modules={**self.modules, **modules})

    def changes_since(self, original: Program) -> dict[Key, tuple[str, str]]:
        """Return the units whose source differs from the original, as (before, after)."""
        before = original.sources()
        return {key: (before[key], text) for key, text in self.sources().items() if before[key] != text}
