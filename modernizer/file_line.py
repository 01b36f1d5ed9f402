"""Where a line of a cell stands in the notebook's file, which is what a diff and an annotation count."""

from __future__ import annotations

from modernizer.errors import NotebookError
from modernizer.json_spans import Spanned, array_reader, read_any, spanned
from modernizer.notebook_file import scan, source_of

_READ_ITEMS = array_reader(spanned(read_any))


def line_in_file(raw: bytes, cell: int, line: int = 1) -> int | None:
    """Return the line of the file, from 1, that holds a line of a cell's source; None where there is no such cell.

    ``cell`` counts from 0 over all cells. A line beyond the end of the cell is taken for its last one.
    """
    try:
        found = scan(raw, name="")
    except NotebookError:
        return None
    if not 0 <= cell < len(found.cells):
        return None
    source = source_of(found.cells[cell].value)
    if source is None:
        return None
    start = _item_start(found.text, source, line) if isinstance(source.value, list) else source.start
    return found.text.count("\n", 0, start) + 1


def _item_start(text: str, source: Spanned, line: int) -> int:
    """Return where the string stands in which a line begins."""
    items: list[Spanned] = _READ_ITEMS(text, source.start)[0]
    # Some writers of the older format left the line ends out: each string is a line of its own then.
    implied = len(items) > 1 and not any(str(item.value).endswith("\n") for item in items)
    start, first = source.start, 1
    for item in items:
        value = str(item.value)
        whole = value.endswith("\n")
        last = first + value.count("\n") - whole
        start = item.start
        if line <= last:
            break
        first = last + 1 if whole or implied else last
    return start
