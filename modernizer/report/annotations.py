"""Annotations in GitHub's own form: workflow commands on standard output, only inside a workflow."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Literal

from modernizer.file_line import line_in_file
from modernizer.report.results import NotebookResult, RunResult
from modernizer.report.text import one_line
from modernizer.report.view import arrow, trouble

Level = Literal["error", "warning", "notice"]
# GitHub shows ten of each level for a step and drops the rest without a word.
SHOWN = 10
_LEVELS: dict[str, Level] = {
    "drifted": "warning",
    "blocked": "warning",
    "broken": "error",
    "timed-out": "error",
    "crashed": "error",
}


def workflow_commands(
    run: RunResult, environ: Mapping[str, str] | None = None, read: Callable[[str], bytes | None] = lambda _: None
) -> list[str]:
    """Return the workflow commands to print, none outside GitHub Actions.

    ``read`` returns the bytes of a notebook, None where there are none to be had: then its annotation names no line.
    """
    if (os.environ if environ is None else environ).get("GITHUB_ACTIONS") != "true":
        return []
    lines: dict[Level, list[tuple[Level, NotebookResult]]] = {"error": [], "warning": [], "notice": []}
    for result in run.notebooks:
        if level := _LEVELS.get(result.final.verdict, "notice" if result.repaired else None):
            lines[level].append((level, result))
    return [_command(level, result, _line(result, read)) for found in lines.values() for level, result in found[:SHOWN]]


def _line(result: NotebookResult, read: Callable[[str], bytes | None]) -> int | None:
    """Return the line of the file that an annotation is about: that of the error, else the cell of a change or a score."""
    cell, line = _cell(result)
    raw = read(result.path) if cell is not None else None
    return line_in_file(raw, cell, line) if raw is not None and cell is not None else None


def _cell(result: NotebookResult) -> tuple[int | None, int]:
    if result.repaired and result.repair:
        return next((fix.cells[0] for fix in result.repair.fixes if fix.cells), None), 1
    error = result.final.error
    if error:
        return error.cell, error.line or 1
    return next((score.cell for score in result.final.scores if score.off), None), 1


def _command(level: Level, result: NotebookResult, line: int | None) -> str:
    title = f"{arrow(result)}{f' ({result.final.reason})' if result.final.reason else ''}"
    place = f"file={_property(result.path)}" + (f",line={line}" if line else "")
    return f"::{level} {place},title={_property(title)}::{_data(one_line(_message(result), 500))}"


def _message(result: NotebookResult) -> str:
    if result.repaired and result.repair:
        count = len(result.repair.fixes)
        return f"repaired by {count} {'change' if count == 1 else 'changes'}; the patch is in the report"
    return trouble(result)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
