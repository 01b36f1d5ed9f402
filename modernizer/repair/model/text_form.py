"""The text that a model sees of a program, and the lines that its answers are matched against."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from modernizer.repair.program import Key

_CELL = re.compile(r"^\s*#+\s*(?:%%\s*)?\[?\s*cell\s*(?:id|number|no\.?)?\s*[ #:=_-]?\s*(\d+)\b.{0,40}$", re.IGNORECASE)
_FILE = re.compile(r"^\s*#\s*%%\s*\[?\s*file\s+(\S+?\.py)\b.{0,20}$", re.IGNORECASE)


@dataclass(frozen=True)
class Line:
    """One line of the text form: its unit, its place in it (from 0), and its text. A header has place -1."""

    unit: Key
    place: int
    text: str

    @property
    def is_header(self) -> bool:
        """Tell whether the line names a unit and is none of its code."""
        return self.place < 0


def header(unit: Key) -> str:
    """Return the line above a unit in the text form."""
    return f"# %% [cell {unit}] code" if isinstance(unit, int) else f"# %% [file {unit}]"


def header_unit(line: str) -> Key | None:
    """Return the unit that a line names as a header, in any of the ways models write it."""
    if found := _CELL.match(line):
        return int(found[1])
    if found := _FILE.match(line):
        return found[1]
    return None


def text_form(sources: Mapping[Key, str]) -> str:
    """Write units of code as one text: a header, the source, a blank line."""
    return "\n".join(f"{header(unit)}\n{source}\n" for unit, source in sources.items())


def lines_of(sources: Mapping[Key, str]) -> list[Line]:
    """List the lines of units with their headers; blank lines between units are none of them."""
    lines: list[Line] = []
    for unit, source in sources.items():
        lines.append(Line(unit, -1, header(unit)))
        lines.extend(Line(unit, place, text) for place, text in enumerate(source.split("\n")))
    return lines
