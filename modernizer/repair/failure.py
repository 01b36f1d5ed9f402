"""Place an error in the code that a repair may change."""

from __future__ import annotations

from modernizer.execution.outcome import CellError
from modernizer.repair.program import Key, Program
from modernizer.repair.recipe import Failure
from modernizer.verdict.outcome import Diagnosis


def place(error: CellError, diagnosis: Diagnosis, program: Program) -> Failure:
    """Find the innermost frame in a cell or a repo-local module: the user's own line behind library frames."""
    unit: Key = error.cell
    line = error.line
    for frame in error.frames:
        if frame.cell is not None:
            unit, line = frame.cell, frame.line
        elif frame.local and frame.file is not None and frame.file in program.modules:
            unit, line = frame.file, frame.line
    return Failure(unit, line, error, diagnosis)
