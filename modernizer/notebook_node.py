"""Builds the nbformat 4 notebook that is executed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from nbformat import NotebookNode, from_dict

from modernizer.stored_outputs import mapping

if TYPE_CHECKING:
    from modernizer.notebook import Cell

# The first minor version with cell ids.
_MINOR = 5


def execution_node(cells: Iterable[Cell], metadata: Mapping[str, Any]) -> NotebookNode:
    """Build a notebook whose cell i is cell i of ``cells``, with ids where they are missing, invalid or repeated."""
    built = []
    used: set[str] = set()
    for cell in cells:
        name = cell.id if re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", cell.id) and cell.id not in used else f"cell-{cell.index}"
        used.add(name)
        built.append({"id": name, **_cell(cell)})
    node: NotebookNode = from_dict(  # type: ignore[no-untyped-call]
        {"nbformat": 4, "nbformat_minor": _MINOR, "metadata": _metadata(metadata), "cells": built}
    )
    return node


def _metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what only nbformat 3 had and what nbformat 4 wouldn't accept."""
    kept = {
        key: value for key, value in metadata.items() if key not in {"name", "signature", "orig_nbformat", "orig_nbformat_minor"}
    }
    for key in ("kernelspec", "language_info"):
        if key in kept and not isinstance(mapping(kept[key]).get("name"), str):
            del kept[key]
    if "kernelspec" in kept:
        kept["kernelspec"] = {"display_name": kept["kernelspec"]["name"], **kept["kernelspec"]}
    return kept


def _cell(cell: Cell) -> dict[str, Any]:
    metadata = dict(cell.metadata)
    if "tags" in metadata:
        metadata["tags"] = sorted(tag for tag in cell.tags if tag and "," not in tag)
    if cell.kind == "code":
        outputs = [dict(output) for output in cell.outputs]
        code = {"cell_type": "code", "execution_count": cell.execution_count, "outputs": outputs}
        return {**code, "metadata": metadata, "source": cell.source}
    attachments = {"attachments": cell.attachments} if cell.attachments else {}
    text = f"{'#' * cell.level} {' '.join(cell.source.splitlines())}" if cell.kind == "heading" else cell.source
    return {"cell_type": "raw" if cell.kind == "raw" else "markdown", "metadata": metadata, "source": text, **attachments}
