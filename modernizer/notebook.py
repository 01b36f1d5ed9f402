"""Notebooks as data, read from and written to .ipynb files without loss.

``read_notebook(path).to_bytes()`` is the file. ``with_sources`` changes the lines asked for and no other byte.
"""

from __future__ import annotations

import stat
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from nbformat import NotebookNode

from modernizer.errors import NotebookError
from modernizer.notebook_file import RESTORE, changed_file, scan, source_of
from modernizer.notebook_node import execution_node
from modernizer.source_edit import Join
from modernizer.stored_outputs import count, mapping, normalised_outputs

CellKind = Literal["code", "markdown", "raw", "heading"]

_KINDS: Mapping[str, CellKind] = {"code": "code", "markdown": "markdown", "html": "markdown", "raw": "raw", "heading": "heading"}
_LANGUAGES = {"ipython": "python", "python2": "python", "python3": "python", "ir": "r"}


@dataclass(frozen=True)
class Cell:
    """One cell, its outputs in nbformat 4 shapes. ``level`` is a heading's, ``language`` a code cell's own (nbformat 3)."""

    index: int
    kind: CellKind
    source: str
    outputs: tuple[Mapping[str, Any], ...] = ()
    execution_count: int | None = None
    tags: frozenset[str] = frozenset()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""
    level: int = 1
    language: str = ""
    attachments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Notebook:
    """A notebook file: its bytes and what they say. ``path`` is relative to the repository, with slashes."""

    path: str
    raw: bytes = field(repr=False)
    nbformat: tuple[int, int]
    cells: tuple[Cell, ...] = field(repr=False)
    metadata: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def kernel_name(self) -> str:
        """Name the kernel the notebook asks for; empty when it names none."""
        name = mapping(self.metadata.get("kernelspec")).get("name")
        return name if isinstance(name, str) else ""

    @property
    def is_python2(self) -> bool:
        """Tell whether the notebook says that it was run by Python 2."""
        version = mapping(self.metadata.get("language_info")).get("version")
        return self.kernel_name == "python2" or (
            self.language == "python" and isinstance(version, str) and version.startswith("2.")
        )

    @property
    def language(self) -> str:
        """Name the language of the code cells in lower case; python when nothing says otherwise."""
        kernel = self.kernel_name.lower()
        said = (
            mapping(self.metadata.get("kernelspec")).get("language"),
            mapping(self.metadata.get("language_info")).get("name"),
            # Early Julia and R notebooks name their language here, or in the kernel's name only.
            self.metadata.get("language"),
            "julia" if kernel.startswith("julia") else kernel if kernel == "ir" else None,
            next((cell.language for cell in self.code_cells if cell.language), None),
        )
        language = next((name.strip().lower() for name in said if isinstance(name, str) and name.strip()), "python")
        return _LANGUAGES.get(language, language)

    @property
    def code_cells(self) -> tuple[Cell, ...]:
        """Select the code cells; they keep their index among all cells."""
        return tuple(cell for cell in self.cells if cell.kind == "code")

    def with_sources(self, sources: Mapping[int, str]) -> Notebook:
        """Return the notebook with the sources of the given cells replaced, all other bytes untouched.

        NotebookError when a cell has no source in the file to replace; KeyError for a cell that doesn't exist.
        """
        if unknown := sources.keys() - {cell.index for cell in self.cells}:
            raise KeyError(f"{self.path} has no cell {min(unknown)}")
        changed = {index: new for index, new in sources.items() if self.cells[index].source != new}
        if not changed:
            return self
        cells = tuple(replace(cell, source=changed.get(cell.index, cell.source)) for cell in self.cells)
        return replace(self, raw=changed_file(self.raw, changed, name=self.path), cells=cells)

    def to_bytes(self) -> bytes:
        """Return the file's content."""
        return self.raw

    def to_node(self) -> NotebookNode:
        """Build the nbformat 4 notebook to execute; its cells have the same indices."""
        return execution_node(self.cells, self.metadata)


def read_notebook(path: Path, *, name: str, max_bytes: int = 100_000_000) -> Notebook:
    """Read a notebook file; ``name`` is what messages call it. NotebookError when it can't be read."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise NotebookError("not a regular file", where=name, hint="exclude it")
        if status.st_size > max_bytes:
            raise NotebookError(
                f"the file has {status.st_size / 1e6:,.0f} MB, more than the limit of {max_bytes / 1e6:,.0f} MB",
                where=name,
                hint="clear its outputs, or exclude it",
            )
        raw = path.read_bytes()
    except OSError as error:
        raise NotebookError(
            f"can't read the file: {error.strerror or error}", where=name, hint="check path and permissions"
        ) from error
    return parse_notebook(raw, name=name)


def parse_notebook(raw: bytes, *, name: str) -> Notebook:
    """Read a notebook from a file's bytes. NotebookError, naming the place, when they are no notebook of nbformat 3 or 4."""
    read = scan(raw, name=name)
    cells = tuple(_cell(index, cell.value, read.join, name) for index, cell in enumerate(read.cells))
    return Notebook(path=name, raw=raw, nbformat=read.nbformat, cells=cells, metadata=mapping(read.values.get("metadata")))


def text_form(notebook: Notebook) -> str:
    """Write all cells as one text for people and models: a header with number and kind, the source, a blank line."""
    return "\n".join(f"# %% [cell {cell.index}] {cell.kind}\n{_whole_lines(cell.source)}" for cell in notebook.cells)


def _whole_lines(source: str) -> str:
    return source if not source or source.endswith("\n") else f"{source}\n"


def _cell(index: int, cell: Mapping[str, Any], join: Join, name: str) -> Cell:
    span = source_of(cell)
    source = "" if span is None else span.value
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = join(source)
    if not isinstance(source, str):
        raise NotebookError("the cell's source is not text", where=f"{name}, cell {index}", hint=RESTORE)
    metadata = mapping(cell.get("metadata"))
    tags = metadata.get("tags")
    language = cell.get("language")
    return Cell(
        index=index,
        kind=_KINDS.get(str(cell.get("cell_type")), "raw"),
        source=source,
        outputs=normalised_outputs(cell.get("outputs"), join),
        execution_count=count(cell.get("execution_count", cell.get("prompt_number"))),
        tags=frozenset(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else frozenset(),
        metadata=metadata,
        id=str(cell.get("id", "")),
        level=count(cell.get("level")) or 1,
        language=language if isinstance(language, str) else "",
        attachments=mapping(cell.get("attachments")),
    )
