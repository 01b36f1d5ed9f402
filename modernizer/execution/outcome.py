"""What one execution of a notebook gave: plain data, no judgement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

CellStatus = Literal["ok", "error", "allowed-error", "timed-out", "not-run"]
End = Literal["finished", "error", "timed-out", "crashed", "interrupted"]


@dataclass(frozen=True)
class CellRun:
    """How one code cell went: wall seconds and the peak resident memory of the kernel's processes in bytes."""

    index: int
    status: CellStatus
    seconds: float = 0.0
    peak_memory: int = 0


@dataclass(frozen=True)
class Frame:
    """One traceback frame; ``cell`` is set for frames in the notebook, ``file`` for all others.

    ``file`` is relative to the scratch root for repo-local modules, absolute for installed ones.
    ``line`` counts from 1; ``code`` is the source line when known.
    """

    line: int
    function: str = ""
    cell: int | None = None
    file: str | None = None
    local: bool = False
    code: str = ""


@dataclass(frozen=True)
class CellError:
    """The exception that ended an execution: its cell, the line in that cell (from 1), name and message."""

    cell: int
    name: str
    message: str
    line: int | None = None
    frames: tuple[Frame, ...] = ()
    traceback: str = ""


@dataclass(frozen=True)
class Measured:
    """A configured score read at the end of a clean run; without a value ``note`` says why, in plain words."""

    value: float | None
    note: str = ""


@dataclass(frozen=True)
class Execution:
    """One execution. ``outputs`` maps cell index to its nbformat 4 outputs for the cells that ran.

    ``measured`` are, by their names, the scores that are read in the live kernel, from files or by commands.
    """

    end: End
    cells: tuple[CellRun, ...] = ()
    error: CellError | None = None
    reason: str = ""
    seconds: float = 0.0
    outputs: Mapping[int, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    measured: Mapping[str, Measured] = field(default_factory=dict)

    @property
    def cells_run(self) -> int:
        """Count the code cells that came to their end."""
        return sum(cell.status in {"ok", "allowed-error"} for cell in self.cells)

    @property
    def cell_seconds(self) -> float:
        """Sum the wall seconds of all cells."""
        return sum(cell.seconds for cell in self.cells)
