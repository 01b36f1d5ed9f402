"""The bytes of a notebook file: what they say, where each cell's source stands in them, and how it is changed there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from modernizer.errors import NotebookError
from modernizer.json_escapes import encoder_of_file
from modernizer.json_spans import Spanned, array_reader, object_reader, read_any, read_document, space_end, spanned
from modernizer.source_edit import Join, Style, changed_value, join_lines, join_lines_of_version_3, list_layout
from modernizer.stored_outputs import count, mapping

RESTORE = "restore the file from version control, or exclude it"

_READ_CELLS = array_reader(spanned(object_reader({"source": spanned(read_any), "input": spanned(read_any)})))
_READ_NOTEBOOK = object_reader({"cells": _READ_CELLS, "worksheets": array_reader(object_reader({"cells": _READ_CELLS}))})
_BOM = "\ufeff"
_WORKSHEETS, _SUPPORTED = 3, (3, 4)


@dataclass(frozen=True)
class Scan:
    """A notebook file that was read: its text, its values, and each cell with its place in the text."""

    text: str
    values: Mapping[str, Any]
    nbformat: tuple[int, int]
    cells: tuple[Spanned, ...]

    @property
    def join(self) -> Join:
        """Return how this version of the format joins lists of lines."""
        return join_lines_of_version_3 if self.nbformat[0] == _WORKSHEETS else join_lines


def scan(raw: bytes, *, name: str) -> Scan:
    """Read a notebook file. NotebookError, naming the place, when the bytes are no notebook of nbformat 3 or 4."""
    text = _decoded(raw, name)
    try:
        document = read_document(text, _start(text), _READ_NOTEBOOK)
    except json.JSONDecodeError as error:
        raise _json_error(text, error, name) from error
    except (ValueError, RecursionError) as error:
        raise NotebookError(f"not readable as JSON: {error}", where=name, hint=RESTORE) from error
    version = _version(document, name)
    return Scan(text, document, version, tuple(_cells(document, version[0], name)))


def source_of(cell: Mapping[str, Any]) -> Spanned | None:
    """Find a cell's source: nbformat 3 calls it ``input`` in code cells. None when the file has none."""
    names = ("input", "source") if cell.get("cell_type") == "code" else ("source", "input")
    found = next((cell[name] for name in names if name in cell), None)
    return found if isinstance(found, Spanned) and found.value is not None else None


def changed_file(raw: bytes, sources: Mapping[int, str], *, name: str) -> bytes:
    """Return the file with the sources of the given cells replaced. NotebookError when a cell has none to replace."""
    read = scan(raw, name=name)
    text, start = read.text, _start(read.text)
    spans = [span for cell in read.cells if (span := source_of(cell.value)) is not None]
    written = [text[span.start : span.end] for span in spans]
    forms = {isinstance(span.value, list) for span in spans if span.value}
    encoder = encoder_of_file(written, text[start:])
    changes: list[tuple[Spanned, str]] = []
    for index, new in sources.items():
        span = source_of(read.cells[index].value)
        if span is None:
            raise NotebookError(
                "the cell has no source to change", where=f"{name}, cell {index}", hint="save it in Jupyter first"
            )
        style = Style(
            join=read.join,
            encode=encoder(text[span.start : span.end]),
            layout=list_layout(text, spans, cell_start=read.cells[index].start, document_start=space_end(text, start)),
            prefers_lists=forms == {True},
        )
        changes.append((span, changed_value(text, span, new, style)))
    parts: list[str] = []
    done = 0
    for span, value in sorted(changes, key=lambda change: change[0].start):
        parts += [text[done : span.start], value]
        done = span.end
    return "".join([*parts, text[done:]]).encode()


def _decoded(raw: bytes, name: str) -> str:
    if not raw.strip():
        raise NotebookError("the file is empty", where=name, hint=RESTORE)
    if raw.startswith(b"version https://git-lfs.github.com/spec/"):
        raise NotebookError("a git-lfs pointer, not the notebook itself", where=name, hint="run `git lfs pull` first")
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise NotebookError(f"not UTF-8 text, first at line {line}", where=name, hint="save the file again as UTF-8") from error


def _start(text: str) -> int:
    return len(_BOM) if text.startswith(_BOM) else 0


def _json_error(text: str, error: json.JSONDecodeError, name: str) -> NotebookError:
    if re.search(r"^<{7} ", text, re.MULTILINE):
        return NotebookError("has unresolved merge conflicts", where=name, hint="resolve them, for instance with nbdime")
    if text.lstrip().startswith("<"):
        return NotebookError("a web page or XML, not a notebook", where=name, hint="download the raw file")
    return NotebookError(f"not valid JSON: {error.msg} at line {error.lineno}, column {error.colno}", where=name, hint=RESTORE)


def _version(document: Any, name: str) -> tuple[int, int]:  # noqa: ANN401 - unchecked JSON
    if not isinstance(document, dict) or not ({"nbformat", "cells", "worksheets"} & document.keys()):
        raise NotebookError("JSON, but not a notebook", where=name, hint="exclude it")
    major = count(document.get("nbformat"))
    if major is None:
        raise NotebookError("has no nbformat version number", where=name, hint="open and save it in Jupyter, or exclude it")
    if major not in _SUPPORTED:
        hint = "convert it with `jupyter nbconvert --to notebook`" if major < min(_SUPPORTED) else "save it as nbformat 4"
        raise NotebookError(f"nbformat {major} is not supported, only 3 and 4 are", where=name, hint=hint)
    return major, count(document.get("nbformat_minor")) or 0


def _cells(document: Mapping[str, Any], major: int, name: str) -> Iterator[Spanned]:
    """Go through the cells, over all worksheets of nbformat 3, each with its place in the text."""
    holders = [document]
    if major == _WORKSHEETS:
        worksheets = document.get("worksheets")
        if not isinstance(worksheets, list):
            raise NotebookError("not a notebook: has no list of worksheets", where=name, hint=RESTORE)
        holders = [mapping(worksheet) for worksheet in worksheets]
    for holder in holders:
        cells = holder.get("cells", [] if major == _WORKSHEETS else None)
        if not isinstance(cells, list):
            raise NotebookError("not a notebook: has no list of cells", where=name, hint=RESTORE)
        for cell in cells:
            if not isinstance(cell.value, dict):
                raise NotebookError("holds something that is no cell", where=name, hint=RESTORE)
            yield cell
