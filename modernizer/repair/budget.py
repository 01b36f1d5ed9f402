"""How long a budget a timed-out notebook would need, from its profile and the durations that were recorded in it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from modernizer.execution.outcome import Execution
from modernizer.notebook import Notebook
from modernizer.repair.speedups.slow import slow_cells

_MARGIN = 1.5
_UNKNOWN = 3
_STEP = 60
_NAMED = 3


def longer_budget(notebook: Notebook, execution: Execution, limit: float) -> str:
    """Say which cells take how long and which limit to declare; empty when the execution did not time out."""
    if execution.end != "timed-out":
        return ""
    slowest = ", ".join(
        f"cell {cell.index} {cell.seconds:.0f} s{' and was stopped' if cell.status == 'timed-out' else ''}"
        for cell in slow_cells(execution.cells)[:_NAMED]
    )
    needed = _needed(notebook, execution)
    if needed is None:
        seconds, how = limit * _UNKNOWN, "how long the rest takes is not recorded"
    else:
        seconds, how = (
            max(needed * _MARGIN, limit * _MARGIN),
            f"by the recorded durations the notebook needs about {needed:.0f} s",
        )
    rounded = math.ceil(seconds / _STEP) * _STEP
    took = f"took: {slowest}; " if slowest else ""
    return f"{took}{how}. A longer budget may be declared: timeout: {{notebook: {rounded}}}"


def _needed(notebook: Notebook, execution: Execution) -> float | None:
    """Estimate the seconds of a whole run: measured where a cell ended, else as recorded on a machine of another speed."""
    measured = {cell.index: cell.seconds for cell in execution.cells if cell.status in {"ok", "allowed-error"}}
    recorded = {cell.index: recorded_seconds(cell.metadata) for cell in notebook.code_cells}
    both = [(measured[index], seconds) for index, seconds in recorded.items() if index in measured and seconds]
    ratio = max(1.0, sum(here for here, _ in both) / sum(there for _, there in both)) if both else 1.0
    total = 0.0
    for cell in notebook.code_cells:
        if cell.index in measured:
            total += measured[cell.index]
        elif not cell.source.strip():
            continue
        elif (seconds := recorded[cell.index]) is None:
            return None
        else:
            total += seconds * ratio
    return total


def recorded_seconds(metadata: Mapping[str, Any]) -> float | None:
    """Read how long a cell took when it was stored: papermill's, JupyterLab's or the ExecuteTime extension's note."""
    papermill = metadata.get("papermill")
    if isinstance(papermill, Mapping) and isinstance(papermill.get("duration"), int | float):
        return float(papermill["duration"])
    for key, began, ended in (
        ("execution", "iopub.execute_input", "shell.execute_reply"),
        ("execution", "iopub.execute_input", "iopub.status.idle"),
        ("ExecuteTime", "start_time", "end_time"),
    ):
        noted = metadata.get(key)
        if isinstance(noted, Mapping) and isinstance(noted.get(began), str) and isinstance(noted.get(ended), str):
            try:
                return max(0.0, (datetime.fromisoformat(noted[ended]) - datetime.fromisoformat(noted[began])).total_seconds())
            except (ValueError, TypeError):
                continue
    return None
