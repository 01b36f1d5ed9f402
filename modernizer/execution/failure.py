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
    cell: int, report: Mapping[str, Any] | None, reply: Mapping[str, Any], *, requests: Mapping[str, int], root: Path
) -> CellError:
    """Build the error of a cell from the kernel's report (inside/failures.py), or from the bare reply without one.

    ``requests`` maps the ids of execute requests to cells, ``root`` is the scratch copy that local files are given relative to.
    """
    text = _text(reply.get("traceback", ())).replace(f"{root}/", "")
    if report is None:
        return CellError(cell=cell, name=str(reply.get("ename", "")), message=str(reply.get("evalue", "")), traceback=text)
    frames = tuple(_frame(frame, cell, requests, root) for frame in report["frames"])
    return CellError(
        cell=cell,
        name=report["name"],
        message=report["message"],
        line=_line(cell, frames),
        frames=frames,
        traceback=_with_causes(text, report)[:_TRACEBACK_CHARACTERS],
    )


def _line(cell: int, frames: Sequence[Frame]) -> int | None:
    """Return the line of the failing statement: the outermost frame of the cell, inside a cell magic if there is one."""
    own = [frame for frame in frames if frame.cell == cell]
    if len(own) > 1 and "run_cell_magic(" in own[0].code:
        return own[1].line
    return own[0].line if own else None


def _frame(frame: Mapping[str, Any], cell: int, requests: Mapping[str, int], root: Path) -> Frame:
    line, function, code = int(frame["line"]), str(frame["function"]), str(frame["code"])
    if "request" in frame:
        request = frame["request"]
        return Frame(line, function, cell=cell if request is None else requests.get(request, cell), code=code)
    path = Path(frame["file"])
    local = path.is_absolute() and path.is_relative_to(root)
    file = path.relative_to(root).as_posix() if local else str(path)
    return Frame(line, function, file=file, local=local, code=code)


def _text(lines: Sequence[str]) -> str:
    return _ANSI.sub("", "\n".join(str(line) for line in lines))


def _with_causes(text: str, report: Mapping[str, Any]) -> str:
    """Append the causes, group members and notes that the traceback does not show."""
    added = [f"caused by {cause['name']}: {cause['message']}" for cause in report["causes"]]
    added += report["notes"]
    return "\n".join([text, *(line for line in added if line not in text)])
