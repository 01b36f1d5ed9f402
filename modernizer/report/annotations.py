"""Annotations in GitHub's own form: workflow commands on standard output, only inside a workflow."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal

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


def workflow_commands(run: RunResult, environ: Mapping[str, str] | None = None) -> list[str]:
    """Return the workflow commands to print, none outside GitHub Actions."""
    if (os.environ if environ is None else environ).get("GITHUB_ACTIONS") != "true":
        return []
    lines: dict[Level, list[str]] = {"error": [], "warning": [], "notice": []}
    for result in run.notebooks:
        if level := _LEVELS.get(result.final.verdict, "notice" if result.repaired else None):
            lines[level].append(_command(level, result))
    return [line for level in lines.values() for line in level[:SHOWN]]


def _command(level: Level, result: NotebookResult) -> str:
    title = f"{arrow(result)}{f' ({result.final.reason})' if result.final.reason else ''}"
    return f"::{level} file={_property(result.path)},title={_property(title)}::{_data(one_line(_message(result), 500))}"


def _message(result: NotebookResult) -> str:
    if result.repaired and result.repair:
        count = len(result.repair.fixes)
        return f"repaired by {count} {'change' if count == 1 else 'changes'}; the patch is in the report"
    return trouble(result)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
