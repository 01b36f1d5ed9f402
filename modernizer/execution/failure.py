"""Turn what the kernel tells about an exception into the CellError of the outcome."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from modernizer.execution.outcome import CellError, Frame

_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_TRACEBACK_CHARACTERS = 50_000


def cell_error(
    cell: int, report: Mapping[str, Any] | None, reply: Mapping[str, Any], *, counts: Mapping[int, int], root: Path
) -> CellError:
    """Build the error of a cell from the kernel's report (inside/failures.py), or from the bare reply without one.

    ``counts`` maps execution counts to cells, ``root`` is the scratch copy that local files are given relative to.
    """
    text = _text(reply.get("traceback", ()))
    if report is None:
        return CellError(cell=cell, name=str(reply.get("ename", "")), message=str(reply.get("evalue", "")), traceback=text)
    frames = tuple(_frame(frame, cell, counts, root) for frame in report["frames"])
    return CellError(
        cell=cell,
        name=report["name"],
        message=report["message"],
        line=_line(cell, frames),
        frames=frames,
        traceback=_with_causes(text, report)[:_TRACEBACK_CHARACTERS],
    )


def _line(cell: int, frames: Sequence[Frame]) -> int | None:
    """Return the line of the failing statement: the outermost frame of the cell itself."""
    return next((frame.line for frame in frames if frame.cell == cell), None)


def _frame(frame: Mapping[str, Any], cell: int, counts: Mapping[int, int], root: Path) -> Frame:
    common = {"line": int(frame["line"]), "function": str(frame["function"]), "code": str(frame["code"])}
    if "number" in frame:
        number = frame["number"]
        return Frame(**common, cell=cell if number is None else counts.get(number, cell))
    path = Path(frame["file"])
    local = path.is_absolute() and path.is_relative_to(root)
    return Frame(**common, file=path.relative_to(root).as_posix() if local else str(path), local=local)


def _text(lines: Sequence[str]) -> str:
    return _ANSI.sub("", "\n".join(str(line) for line in lines))


def _with_causes(text: str, report: Mapping[str, Any]) -> str:
    """Append the causes, group members and notes that the traceback does not show."""
    added = [f"caused by {cause['name']}: {cause['message']}" for cause in report["causes"]]
    added += report["notes"]
    return "\n".join([text, *(line for line in added if line not in text)])
