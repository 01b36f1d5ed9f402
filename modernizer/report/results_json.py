"""results.json, schema 1: writing a run to plain JSON data and reading it back.

Scores that are not finite numbers are the texts "NaN", "Infinity" and "-Infinity": JSON has no such numbers, and null
already means that a value is missing. Tracebacks lose their frames and colours and are cut in the middle.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import cache
from importlib import resources
from pathlib import PurePosixPath
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from modernizer.environment.model import Lifted
from modernizer.errors import UsageError
from modernizer.execution.outcome import CellError, CellRun
from modernizer.repair.outcome import Attempt, Fidelity, Fix, Ledger, Repair
from modernizer.report.paths import patch_path
from modernizer.report.results import EnvironmentRecord, NotebookResult, RunResult, Tool, totals
from modernizer.report.text import plain, without_places
from modernizer.verdict.outcome import Diagnosis, Outcome, Score

SCHEMA = 1
MAX_TRACEBACK = 8_000
MAX_MESSAGE = 2_000
_NOT_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def to_json(run: RunResult) -> dict[str, Any]:
    """Return the content of results.json."""
    return {
        "schema": SCHEMA,
        "tool": asdict(run.tool),
        "started": run.started,
        "finished": run.finished,
        "command": _text(run.command),
        "sandbox": _text(run.sandbox),
        "commit": run.commit,
        "interrupted": run.interrupted,
        "applied": run.applied,
        "notes": [_text(note) for note in run.notes],
        "lifted": [{name: _text(value) for name, value in asdict(item).items()} for item in run.lifted],
        "environments": [_environment(item) for item in run.environments],
        "notebooks": [_notebook(item) for item in run.notebooks],
        "totals": asdict(totals(run.notebooks)),
    }


def from_json(data: object, *, where: str = "results.json", read_patch: Callable[[str], str] = lambda _: "") -> RunResult:
    """Rebuild a run from the content of results.json; patches, which are files of their own, come from ``read_patch``.

    Raises UsageError that names the place when the content does not follow the schema.
    """
    if isinstance(data, Mapping) and data.get("schema") not in {SCHEMA, None}:
        raise UsageError(f"results of schema {data['schema']!r} can't be read, only {SCHEMA}", where=where)
    error = best_match(_validator().iter_errors(data))
    if error is not None:
        raise UsageError(f"not valid results: {error.json_path}: {plain(error.message)[:300]}", where=where)
    assert isinstance(data, Mapping)  # noqa: S101 - the schema says so, this tells the type checker
    return RunResult(
        started=data["started"],
        finished=data["finished"],
        command=data["command"],
        environments=tuple(EnvironmentRecord(**{**item, "notes": tuple(item["notes"])}) for item in data["environments"]),
        notebooks=tuple(_read_notebook(item, where, read_patch) for item in data["notebooks"]),
        sandbox=data["sandbox"],
        commit=data["commit"],
        interrupted=data["interrupted"],
        applied=data["applied"],
        notes=tuple(data["notes"]),
        tool=Tool(**data["tool"]),
        lifted=tuple(Lifted(**item) for item in data["lifted"]),
    )


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of results.json."""
    text = resources.files("modernizer.report").joinpath("results.schema.json").read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    return content


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(schema())


def _environment(item: EnvironmentRecord) -> dict[str, Any]:
    return {
        **asdict(item),
        "packages": dict(item.packages),
        "failure": _text(item.failure),
        "notes": [_text(note) for note in item.notes],
    }


def _notebook(item: NotebookResult) -> dict[str, Any]:
    return {
        "path": item.path,
        "environment": item.environment,
        "as_of": item.as_of,
        "before": _outcome(item.before),
        "after": _outcome(item.after) if item.after else None,
        "repair": _repair(item.repair, item.path) if item.repair else None,
        "profile": [
            {"cell": cell.index, "status": cell.status, "seconds": _rounded(cell.seconds), "peak_memory": cell.peak_memory}
            for cell in item.profile
        ],
    }


def _outcome(item: Outcome) -> dict[str, Any]:
    return {
        "verdict": item.verdict,
        "reason": item.reason,
        "detail": _text(item.detail),
        "cells_total": item.cells_total,
        "cells_run": item.cells_run,
        "seconds": _rounded(item.seconds),
        "error": _error(item.error, item.diagnosis),
        "scores": [
            {
                "name": _text(score.name),
                "source": _text(score.source),
                "cell": score.cell,
                "recorded": None if score.recorded is None else number(score.recorded),
                "value": None if score.value is None else number(score.value),
                "tolerance": number(score.tolerance),
                "agrees": score.agrees,
                "note": _text(score.note),
                "direction": score.direction,
                "values": [None if value is None else number(value) for value in score.values],
                "spread": score.spread,
            }
            for score in item.scores
        ],
    }


def _error(error: CellError | None, diagnosis: Diagnosis | None) -> dict[str, Any] | None:
    """Join the exception and what it is about; a diagnosis made before any cell ran has no cell."""
    if error is None and diagnosis is None:
        return None
    return {
        "cell": error.cell if error else None,
        "line": error.line if error else None,
        "name": _text(error.name) if error else "",
        "message": _text(without_places(error.message)) if error else "",
        "traceback": cut_middle(without_places(plain(error.traceback)), MAX_TRACEBACK) if error else "",
        "diagnosis": {key: _text(value) for key, value in asdict(diagnosis).items()} if diagnosis else None,
    }


def _repair(item: Repair, path: str) -> dict[str, Any]:
    return {
        "fixes": [
            {
                "kind": fix.kind,
                "origin": _text(fix.origin),
                "cells": list(fix.cells),
                "files": [_text(name) for name in fix.files],
                "lines_changed": fix.lines_changed,
                "explanation": _text(fix.explanation),
                "source": _text(fix.source),
            }
            for fix in item.fixes
        ],
        "attempts": [{key: _text(value) for key, value in asdict(attempt).items()} for attempt in item.attempts],
        "stopped": item.stopped,
        "fidelity": asdict(item.fidelity),
        "ledger": asdict(item.ledger),
        "patch": patch_path(path) if item.patch else None,
    }


def _read_notebook(item: Mapping[str, Any], where: str, read_patch: Callable[[str], str]) -> NotebookResult:
    _check_path(item["path"], where)
    return NotebookResult(
        path=item["path"],
        environment=item["environment"],
        as_of=item["as_of"],
        before=_read_outcome(item["before"]),
        after=_read_outcome(item["after"]) if item["after"] else None,
        repair=_read_repair(item["repair"], item["path"], where, read_patch) if item["repair"] else None,
        profile=tuple(CellRun(cell["cell"], cell["status"], cell["seconds"], cell["peak_memory"]) for cell in item["profile"]),
    )


def _read_outcome(item: Mapping[str, Any]) -> Outcome:
    error = item["error"]
    raised = error is not None and error["cell"] is not None
    return Outcome(
        verdict=item["verdict"],
        reason=item["reason"],
        cells_total=item["cells_total"],
        cells_run=item["cells_run"],
        seconds=item["seconds"],
        error=CellError(error["cell"], error["name"], error["message"], error["line"], (), error["traceback"])
        if raised
        else None,
        diagnosis=Diagnosis(**error["diagnosis"]) if error and error["diagnosis"] else None,
        scores=tuple(_read_score(score) for score in item["scores"]),
        detail=item["detail"],
    )


def _read_score(item: Mapping[str, Any]) -> Score:
    read = {key: _read_number(item[key]) for key in ("recorded", "value", "tolerance")}
    values = tuple(_read_number(value) for value in item["values"])
    return Score(**{**{key: value for key, value in item.items() if key != "spread"}, **read, "values": values})


def _read_repair(item: Mapping[str, Any], path: str, where: str, read_patch: Callable[[str], str]) -> Repair:
    if item["patch"] not in {None, patch_path(path)}:
        raise UsageError(f"not valid results: the patch of {plain(path)} is said to be elsewhere", where=where)
    return Repair(
        fixes=tuple(Fix(**{**fix, "cells": tuple(fix["cells"]), "files": tuple(fix["files"])}) for fix in item["fixes"]),
        attempts=tuple(Attempt(**attempt) for attempt in item["attempts"]),
        stopped=item["stopped"],
        fidelity=Fidelity(**item["fidelity"]),
        ledger=Ledger(**item["ledger"]),
        patch=read_patch(item["patch"]) if item["patch"] else "",
    )


def _check_path(path: str, where: str) -> None:
    """Refuse a notebook path that could lead out of the folder it is joined to."""
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or "\0" in path or "\\" in path:
        raise UsageError(f"not valid results: {plain(path)!r} is no path inside a repository", where=where)


def number(value: float) -> float | str:
    """Return a number that JSON can hold, or the text for one that it can't."""
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _read_number(value: float | str | None) -> float | None:
    return _NOT_FINITE[value] if isinstance(value, str) else value


def _rounded(seconds: float) -> float:
    return round(seconds, 3)


def _text(value: str) -> str:
    """Make a text fit for JSON and UTF-8: lone surrogates shown, the longest ones cut."""
    return cut_middle(re.sub(r"[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", value), MAX_MESSAGE)


def cut_middle(text: str, limit: int) -> str:
    """Cut a long text in the middle: both its beginning and its end tell most."""
    if len(text) <= limit:
        return text
    half = (limit - 50) // 2
    return f"{text[:half]}\n… {len(text) - 2 * half} characters left out …\n{text[-half:]}"
