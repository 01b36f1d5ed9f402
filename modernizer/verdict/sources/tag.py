"""Scores in the outputs of cells with the tag ``score`` or ``score:NAME``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from modernizer.notebook import Notebook
from modernizer.verdict.numbers import Number, numbers, plain, unwrapped
from modernizer.verdict.output_text import displayed, written
from modernizer.verdict.sources.found import Found

TAG = "score"
_MOST = 20


def tagged_cells(notebook: Notebook) -> Iterator[tuple[int, str]]:
    """Give the tagged code cells, each with the name of its score."""
    for cell in notebook.code_cells:
        for tag in cell.tags:
            head, _, name = tag.partition(":")
            if head == TAG:
                yield cell.index, name.strip() or TAG
                break


def cell_numbers(outputs: Sequence[Mapping[str, Any]]) -> list[Found]:
    """List the numbers that a cell printed and displayed, in this order; none when there are too many to be scores."""
    read: list[Number] = []
    for text in (written(outputs), *map(displayed, outputs)):
        read += numbers(unwrapped(plain(text)))
    return [Found(number.value, "", number.resolution) for number in read] if len(read) <= _MOST else []


def find_tag(name: str, cells: Sequence[tuple[int, str]], outputs: Mapping[int, Sequence[Mapping[str, Any]]]) -> Found:
    """Return the one number of the cell that is tagged with this name, or of the only tagged cell."""
    fitting = [cell for cell, tagged in cells if tagged == name] or [cell for cell, tagged in cells if tagged == TAG]
    if len(fitting) != 1:
        return Found(None, f"{len(fitting) or 'no'} cells have the tag {TAG}:{name}")
    read = cell_numbers(outputs.get(fitting[0], ()))
    if len(read) != 1:
        return Found(None, f"cell {fitting[0]} shows {len(read)} numbers instead of one", cell=fitting[0])
    return Found(read[0].value, "", read[0].resolution, fitting[0])
