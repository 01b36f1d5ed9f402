"""Writes patches that ``git apply`` takes, and readable diffs of single cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from modernizer.line_diff import matching_blocks

_CONTEXT = 3
_ESCAPES = {7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}
_PRINTABLE = range(0x20, 0x7F)
_NO_LINE_END = b"\\ No newline at end of file\n"

_Line = TypeVar("_Line", str, bytes)
# Half-open ranges of lines before and after; a hunk is a run of them.
_Change = tuple[int, int, int, int]


def unified_patch(changes: Mapping[str, tuple[bytes, bytes]]) -> bytes:
    """Return one patch for files that exist, as path -> (before, after); paths are relative to the repository, with slashes.

    Bytes, because line ends and encodings must survive. Files are sorted by path; unchanged ones are left out.
    """
    paths = sorted(changes, key=str.encode)
    return b"".join(_file_patch(path, *changes[path]) for path in paths if changes[path][0] != changes[path][1])


def cell_diff(before: str, after: str, *, name: str = "", context: int = _CONTEXT) -> str:
    """Return a readable unified diff of one cell's source, headed with ``name`` if given; empty when nothing changed."""
    old, new = _text_lines(before), _text_lines(after)
    lines = [f"--- {name}", f"+++ {name}"] if name and old != new else []
    for header, hunk in _hunks(old, new, context):
        lines.append(header)
        lines += [f"{mark}{line}" for mark, line in hunk]
    return "".join(f"{line}\n" for line in lines)


def _file_patch(path: str, before: bytes, after: bytes) -> bytes:
    old, new = quoted_path(f"a/{path}"), quoted_path(f"b/{path}")
    # As git does: the tab tells where a name that holds a space ends.
    end = "\t" if " " in path else ""
    parts = [f"diff --git {old} {new}\n--- {old}{end}\n+++ {new}{end}\n".encode()]
    for header, hunk in _hunks(_byte_lines(before), _byte_lines(after), _CONTEXT):
        parts.append(f"{header}\n".encode())
        for mark, line in hunk:
            parts += [mark.encode(), line]
            if not line.endswith(b"\n"):
                parts += [b"\n", _NO_LINE_END]
    return b"".join(parts)


def quoted_path(path: str) -> str:
    """Return a path as git writes it in patches: in C quotes when it holds anything but plain ASCII."""
    data = path.encode("utf-8", "surrogateescape")
    quoted = "".join(_ESCAPES.get(byte) or (chr(byte) if byte in _PRINTABLE else f"\\{byte:03o}") for byte in data)
    return path if quoted == path else f'"{quoted}"'


def _byte_lines(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    return [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _text_lines(text: str) -> list[str]:
    return text.split("\n") if text else []


def _hunks(old: Sequence[_Line], new: Sequence[_Line], context: int) -> Iterator[tuple[str, list[tuple[str, _Line]]]]:
    """Go through the hunks: a header, and the lines with their marks."""
    for hunk in _grouped(_changes(old, new), context):
        first, last = hunk[0], hunk[-1]
        start, end = max(first[0] - context, 0), min(last[1] + context, len(old))
        new_start, new_end = first[2] - (first[0] - start), last[3] + (end - last[1])
        lines: list[tuple[str, _Line]] = []
        at = start
        for low, high, new_low, new_high in hunk:
            lines += [(" ", line) for line in old[at:low]]
            lines += [("-", line) for line in old[low:high]]
            lines += [("+", line) for line in new[new_low:new_high]]
            at = high
        lines += [(" ", line) for line in old[at:end]]
        yield f"@@ -{_range(start, end)} +{_range(new_start, new_end)} @@", lines


def _changes(old: Sequence[_Line], new: Sequence[_Line]) -> list[_Change]:
    found: list[_Change] = []
    low = new_low = 0
    for i, j, size in [*matching_blocks(old, new), (len(old), len(new), 0)]:
        if (low, new_low) != (i, j):
            found.append((low, i, new_low, j))
        low, new_low = i + size, j + size
    return found


def _grouped(changes: Sequence[_Change], context: int) -> Iterator[list[_Change]]:
    """Put changes into one hunk when their context would touch."""
    hunk: list[_Change] = []
    for change in changes:
        if hunk and change[0] - hunk[-1][1] > 2 * context:
            yield hunk
            hunk = []
        hunk.append(change)
    if hunk:
        yield hunk


def _range(start: int, end: int) -> str:
    """Write a range as the unified format wants it: an empty one names the line before it."""
    length = end - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"
