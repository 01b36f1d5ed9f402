"""Which cells are slow, as the profile of an execution shows."""

from __future__ import annotations

from collections.abc import Sequence

from modernizer.execution.outcome import CellRun

LEAST_SECONDS = 1.0
LEAST_SHARE = 0.1
"""A cell below a tenth of the notebook's time is not worth a change: ten of its kind together would not end a time-out."""


def slow_cells(profile: Sequence[CellRun]) -> tuple[CellRun, ...]:
    """Select the cells that were stopped by a limit or took a tenth of the time or more, slowest first."""
    total = sum(cell.seconds for cell in profile)
    slow = [
        cell
        for cell in profile
        if cell.status == "timed-out" or (cell.seconds >= LEAST_SECONDS and cell.seconds >= LEAST_SHARE * total)
    ]
    return tuple(sorted(slow, key=lambda cell: -cell.seconds))
