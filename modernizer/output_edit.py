"""Puts outputs into a notebook file: only outputs and execution counts change, every other byte stays."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from modernizer.errors import NotebookError
from modernizer.json_spans import Spanned, array_reader, object_reader, read_any, read_document, space_end, spanned
from modernizer.notebook import Notebook, parse_notebook

_COUNT = "execution_count"
_MEMBERS = {"outputs": spanned(read_any), _COUNT: spanned(read_any)}
_READ = object_reader({"cells": array_reader(object_reader(_MEMBERS))})
_BOM = "\ufeff"


def with_outputs(notebook: Notebook, outputs: Mapping[int, Sequence[Mapping[str, Any]]]) -> Notebook:
    """Return the notebook with these outputs by cell, and none in its other code cells.

    Cells with an entry are counted from 1 in their order. NotebookError for nbformat 3 and for cells without a place.
    """
    if notebook.nbformat[0] != 4:  # noqa: PLR2004 (the only version that is written)
        hint = "convert it with `jupyter nbconvert --to notebook`"
        raise NotebookError("outputs can only be stored in nbformat 4", where=notebook.path, hint=hint)
    text = notebook.raw.decode()
    start = len(_BOM) if text.startswith(_BOM) else 0
    cells = read_document(text, start, _READ)["cells"]
    style = _Style(text, start)
    changes: list[tuple[Spanned, str]] = []
    count = 0
    for cell in notebook.code_cells:
        held = cells[cell.index]
        place, number = held.get("outputs"), held.get(_COUNT)
        if not isinstance(place, Spanned) or not isinstance(number, Spanned):
            where = f"{notebook.path}, cell {cell.index}"
            raise NotebookError("the cell has no place for outputs", where=where, hint="save it in Jupyter first")
        ran = cell.index in outputs
        count += ran
        new = [_stored(output, count) for output in outputs.get(cell.index, ())]
        changes += [(place, style.written(new, place.start)), (number, str(count) if ran else "null")]
    parts, done = [], 0
    for span, value in sorted(changes, key=lambda change: change[0].start):
        parts += [text[done : span.start], value]
        done = span.end
    return parse_notebook("".join([*parts, text[done:]]).encode(), name=notebook.path)


class _Style:
    """How the file writes JSON: its indentation and whether it escapes what is not ASCII."""

    def __init__(self, text: str, start: int) -> None:
        first = text[start + 1 : space_end(text, start + 1)]
        self._text = text
        self._unit = first.rpartition("\n")[2] if "\n" in first else None
        self._line_end = "\r\n" if "\r\n" in first else "\n"
        self._ascii = text.isascii() and "\\u" in text

    def written(self, outputs: Sequence[Mapping[str, Any]], start: int) -> str:
        """Write outputs as the value that begins at ``start``."""
        if not outputs:
            return "[]"
        if self._unit is None:
            return json.dumps(outputs, ensure_ascii=self._ascii, sort_keys=True)
        line = self._text[self._text.rfind("\n", 0, start) + 1 : start]
        indent = line[: len(line) - len(line.lstrip(" \t"))]
        lines = json.dumps(outputs, ensure_ascii=self._ascii, sort_keys=True, indent=self._unit).split("\n")
        return f"{self._line_end}{indent}".join(lines)


def _stored(output: Mapping[str, Any], count: int) -> dict[str, Any]:
    """Return an output as files hold it: texts as lists of lines, the count of its cell."""
    stored = dict(output)
    if isinstance(stored.get("text"), str):
        stored["text"] = stored["text"].splitlines(keepends=True)
    if isinstance(stored.get("data"), Mapping):
        stored["data"] = {mime: _lines(mime, value) for mime, value in stored["data"].items()}
    if stored.get("output_type") == "execute_result":
        stored[_COUNT] = count
    return stored


def _lines(mime: str, value: Any) -> Any:  # noqa: ANN401 (JSON data)
    is_json = mime == "application/json" or (mime.startswith("application/") and mime.endswith("+json"))
    return value.splitlines(keepends=True) if isinstance(value, str) and not is_json else value
