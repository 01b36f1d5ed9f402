"""Makes a missing record: runs a notebook in the packages of its date and stores what it gave as its outputs."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from platformdirs import user_cache_path

from modernizer.bench import ScratchRun, Task, judged, load_program
from modernizer.config import Config
from modernizer.discovery import TOOL_NAME
from modernizer.drift.dates import notebook_date
from modernizer.environment.build import BuildSettings
from modernizer.environment.era import build_as_of
from modernizer.environment.model import Environment, InstallFailure, Requirements
from modernizer.environment.requirements import requirements_for
from modernizer.errors import ModernizerError, UsageError
from modernizer.execution.live import LIVE, stopped_by_signals
from modernizer.notebook import read_notebook
from modernizer.output_edit import with_outputs
from modernizer.sandbox.check import open_sandbox
from modernizer.verdict.outcome import Outcome
from modernizer.write_back import replace_file


@dataclass(frozen=True)
class Recorded:
    """A recorded notebook: where it was written, None when its run did not end, and in what it ran."""

    path: Path | None
    outcome: Outcome
    environment: Environment
    day: date


@dataclass(frozen=True)
class RecordRequest:
    """What is to be recorded. ``write`` stores into the notebook itself, else a copy lands below ``out``."""

    root: Path
    notebook: Path
    config: Config
    out: Path
    as_of: date | None = None
    python: str | None = None
    write: bool = False
    sandbox: bool = True


def record(request: RecordRequest, report: Callable[[str], object] = str) -> Recorded:
    """Run a notebook as of its date and store its outputs when it runs to its end.

    UsageError without a known date; ModernizerError when the environment can't be built.
    """
    name = request.notebook.resolve().relative_to(request.root.resolve()).as_posix()
    settings = request.config.for_notebook(name)
    notebook = read_notebook(request.notebook, name=name)
    day = request.as_of or notebook_date(notebook, root=request.root, configured=settings.as_of).day
    if day is None:
        raise UsageError("the notebook's date is not known", where=name, hint="give it with --as-of")
    cache = user_cache_path(TOOL_NAME)
    sandbox = None
    if request.sandbox:
        sandbox, _ = open_sandbox(os.environ, root=request.root, cache=cache, needs_no_network=settings.network == "install-only")
    needed: Requirements = requirements_for(notebook, root=request.root, declared_path=settings.requirements, packages="latest")
    report(f"environment as of {day.isoformat()}")
    build_settings = BuildSettings(cache, Path(), cooldown_days=request.config.cooldown, sandbox=sandbox)
    environment = build_as_of(day, needed, build_settings, request.python)
    if isinstance(environment, InstallFailure):
        raise ModernizerError(environment.message, where=name, hint="try another date, or another Python with --python")
    task = Task(request.root, notebook, settings, needed, exclude=(request.out,), sandbox=sandbox)
    program = load_program(notebook, request.root)
    LIVE.reset()
    report(f"run in Python {environment.python_version}")
    with stopped_by_signals():
        run = ScratchRun(task, environment, program)
        try:
            execution = run.run()
        finally:
            run.close()
    outcome = judged(task, notebook, environment, lambda: ())(program, execution)
    if execution.end != "finished":
        return Recorded(None, outcome, environment, day)
    path = request.notebook if request.write else request.out / "notebooks" / name
    content = with_outputs(notebook, execution.outputs).to_bytes()
    if request.write:
        replace_file(path, content)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return Recorded(path, outcome, environment, day)
