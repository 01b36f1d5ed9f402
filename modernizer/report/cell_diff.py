"""Turns a patch of notebook files into a diff that people read: the code itself instead of its JSON."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

LineKind = Literal["file", "hunk", "removed", "added", "context"]
_STRING = re.compile(r'\s*(?:"(?:source|input)"\s*:\s*\[?\s*)?("(?:[^"\\]|\\.)*")\s*\]?,?\s*')


@dataclass(frozen=True)
class DiffLine:
    """One line to show; the sign is not part of the text."""

    kind: LineKind
    text: str

    @property
    def sign(self) -> str:
        """Return the first column of the line in a unified diff."""
        return {"removed": "-", "added": "+", "context": " "}.get(self.kind, "")


def readable(patch: str) -> tuple[DiffLine, ...]:
    """Return the lines of a unified diff with the JSON strings of notebooks decoded and the JSON around them left out."""
    return tuple(_lines(patch))


def _lines(patch: str) -> Iterator[DiffLine]:
    notebook = False
    changed: list[DiffLine] = []
    removed, added = 0, 0
    for line in patch.split("\n"):
        if removed > 0 or added > 0:
            # Inside a hunk the counts decide, so that a removed "-- a" is not mistaken for a file header.
            sign, text = line[:1], line[1:].removesuffix("\r")
            removed -= sign in {"-", " ", ""}
            added -= sign in {"+", " ", ""}
            kind: LineKind = "removed" if sign == "-" else "added" if sign == "+" else "context"
            if sign == "\\":
                continue
            if kind != "context":
                changed.append(DiffLine(kind, text))
            if kind == "context" or not (removed or added):
                yield from _decoded(changed, notebook=notebook)
                changed = []
            if kind == "context":
                yield from _decoded([DiffLine(kind, text)], notebook=notebook)
        elif found := re.match(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@", line):
            removed, added = (int(found[part]) if found[part] is not None else 1 for part in (1, 2))
            yield DiffLine("hunk", "")
        elif line.startswith("+++ "):
            name = line[4:].split("\t")[0].removeprefix("b/").strip('"')
            notebook = name.endswith(".ipynb")
            yield DiffLine("file", name)
    yield from _decoded(changed, notebook=notebook)


def _decoded(lines: list[DiffLine], *, notebook: bool) -> Iterator[DiffLine]:
    """Decode a run of changed lines, or one line of context."""
    if not notebook:
        yield from lines
        return
    texts = [DiffLine(line.kind, text) for line in lines if (text := _string(line.text)) is not None]
    if not any("\n" in line.text for line in texts):
        yield from texts
        return
    # A source kept as one string changes as a whole in the file; show the lines that differ.
    old, new = ("".join(f"{line.text}\n" for line in texts if line.kind != other).splitlines() for other in ("added", "removed"))
    kinds: dict[str, LineKind] = {"-": "removed", "+": "added", " ": "context"}
    if all(line.kind == "context" for line in texts):
        return
    for line in difflib.unified_diff(old, new, lineterm="", n=2):
        if not line.startswith(("---", "+++", "@@")):
            yield DiffLine(kinds[line[0]], line[1:])


def _string(text: str) -> str | None:
    """Return the content of a line that is one JSON string, or None for the structure around."""
    found = _STRING.fullmatch(text)
    try:
        return str(json.loads(found[1])).removesuffix("\n") if found else None
    except ValueError:
        return None
