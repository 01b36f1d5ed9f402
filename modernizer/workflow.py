"""The main job: find the notebooks, build their environments, treat them, write the reports."""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from platformdirs import user_cache_path

from modernizer.bench import Task
from modernizer.config import Config
from modernizer.discovery import TOOL_NAME, Found, discover
from modernizer.environment.build import BuildSettings, build
from modernizer.environment.installed import Installed
from modernizer.environment.interpreters import find_python
from modernizer.environment.model import Environment, InstallFailure, Requirements
from modernizer.environment.requirements import requirements_for
from modernizer.errors import ModernizerError, NotebookError
from modernizer.execution.live import LIVE, stopped_by_signals
from modernizer.notebook import read_notebook
from modernizer.repair.recipes import all_recipes
from modernizer.report.results import EnvironmentRecord, NotebookResult, RunResult, environment_record
from modernizer.report.terminal import Reporter, make_console, print_summary, progress
from modernizer.report.write import prepare, write_all, write_partial
from modernizer.treatment import Treated, hold_back, treat
from modernizer.verdict.outcome import Outcome
from modernizer.write_back import write_back

_LISTED = 20_000
"""Files of a repository that a diagnosis may look through."""


@dataclass(frozen=True)
class Request:
    """What a command asks for. ``words`` is the command line as typed; ``write`` applies proven repairs to the repository."""

    command: str
    words: str
    root: Path
    paths: tuple[Path, ...]
    config: Config
    out: Path
    write: bool = False
    quiet: bool = False


@dataclass
class _Run:
    """What a run has come to: results by path as they arrive, the environments and what is still to be told."""

    request: Request
    started: str
    results: dict[str, NotebookResult] = field(default_factory=dict)
    environments: dict[str, EnvironmentRecord] = field(default_factory=dict)
    locks: dict[str, str] = field(default_factory=dict)
    executed: dict[str, bytes] = field(default_factory=dict)
    changed: dict[str, tuple[tuple[str, bytes], ...]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def result(self, *, interrupted: bool = False, applied: bool = False) -> RunResult:
        return RunResult(
            started=self.started,
            finished=_now(),
            command=self.request.words,
            environments=tuple(self.environments.values()),
            notebooks=tuple(result for _, result in sorted(self.results.items())),
            interrupted=interrupted,
            applied=applied,
            notes=tuple(dict.fromkeys(self.notes)),
        )


def carry_out(request: Request) -> RunResult:
    """Do the whole job of ``check`` or ``fix`` and return what was found; the output folder is written by then.

    Raises UsageError and ModernizerError for trouble outside the notebooks. After an interruption the results so far are
    written and returned as interrupted.
    """
    run = _Run(request, _now())
    found = discover(request.root, request.paths, request.config, out=request.out, report_problem=run.notes.append)
    prepare(request.out)
    console = make_console()
    console.quiet = request.quiet
    deadline = time.monotonic() + request.config.timeout.run
    LIVE.reset()
    with stopped_by_signals(), progress(console, len(found)) as reporter:
        tasks = list(_tasks(run, found, deadline, reporter))
        _work(run, tasks, reporter)
    interrupted = LIVE.stopping
    applied = False
    if request.write and not interrupted:
        applied = write_back(request.root, run.results, run.changed, run.notes)
    result = run.result(interrupted=interrupted, applied=applied)
    write_all(request.out, result, executed=run.executed, locks=run.locks)
    print_summary(result, console, out=_shown(request.out))
    return result


def _tasks(run: _Run, found: Sequence[Found], deadline: float, reporter: Reporter) -> Iterator[Task]:
    """Read the notebooks; one that can't be read or can't run here has its result at once."""
    request = run.request
    for item in found:
        settings = request.config.for_notebook(item.path)
        try:
            notebook = read_notebook(request.root / item.path, name=item.path)
        except NotebookError as error:
            _finish(run, NotebookResult(item.path, None, None, Outcome("blocked", "unreadable", detail=str(error))), reporter)
            continue
        requirements = Requirements(())
        task = Task(request.root, notebook, settings, requirements, exclude=(request.out,), deadline=deadline)
        held = hold_back(task)
        if held is not None:
            _finish(run, held, reporter)
            continue
        requirements = requirements_for(
            notebook, root=request.root, declared_path=settings.requirements, packages=settings.packages
        )
        run.notes.extend(requirements.notes)
        yield Task(request.root, notebook, settings, requirements, exclude=(request.out,), deadline=deadline)


def _work(run: _Run, tasks: Sequence[Task], reporter: Reporter) -> None:
    """Build each distinct environment once and treat the notebooks as soon as theirs is ready."""
    by_need: dict[tuple[str | None, tuple[str, ...]], list[Task]] = {}
    for task in tasks:
        by_need.setdefault((task.settings.python, task.requirements.specs), []).append(task)
    jobs = run.request.config.jobs
    files = functools.cache(lambda: _files_below(run.request.root))
    with (
        ExitStack() as stack,
        ThreadPoolExecutor(max_workers=2, thread_name_prefix="build") as builders,
        ThreadPoolExecutor(max_workers=jobs, thread_name_prefix="run") as runners,
    ):
        pending: dict[Future[object], list[Task]] = {}
        for (python, _), group in by_need.items():
            future: Future[object] = builders.submit(_environment, group[0].requirements, python, run.request, reporter)
            pending[future] = group
        treating: dict[Future[Treated], Task] = {}
        written = time.monotonic()
        while pending or treating:
            done, _ = wait([*pending, *treating], timeout=0.5, return_when=FIRST_COMPLETED)
            for finished in done:
                if finished in pending:
                    group = pending.pop(finished)
                    built = finished.result()
                    if isinstance(built, Environment | InstallFailure):
                        for task, treated in _start(run, group, built, runners, stack, files, reporter):
                            treating[treated] = task
                else:
                    task = treating.pop(finished)  # type: ignore[arg-type]
                    _collect(run, task, finished, reporter)  # type: ignore[arg-type]
            if done and time.monotonic() - written > 1:
                write_partial(run.request.out, run.result(interrupted=True))
                written = time.monotonic()
            if LIVE.stopping:
                for waiting in (*pending, *treating):
                    waiting.cancel()
                pending = {future: group for future, group in pending.items() if not future.cancelled()}
                treating = {future: task for future, task in treating.items() if not future.cancelled()}


def _environment(requirements: Requirements, python: str | None, request: Request, reporter: Reporter) -> Environment | InstallFailure:
    """Build one environment."""
    reporter.message(f"environment for {', '.join(requirements.specs)}")
    try:
        interpreter = find_python(python)
    except ModernizerError as error:
        return InstallFailure("none", str(error))
    settings = BuildSettings(user_cache_path(TOOL_NAME), interpreter, cooldown_days=request.config.cooldown)
    return build(requirements, settings)


def _start(
    run: _Run,
    group: Sequence[Task],
    built: Environment | InstallFailure,
    runners: ThreadPoolExecutor,
    stack: ExitStack,
    files: functools._lru_cache_wrapper[tuple[str, ...]],
    reporter: Reporter,
) -> Iterator[tuple[Task, Future[Treated]]]:
    """Hand the notebooks of a ready environment to the runners."""
    run.environments[built.id] = environment_record(built)
    if isinstance(built, InstallFailure):
        for task in group:
            outcome = Outcome("blocked", "install-failed", len(task.notebook.code_cells), detail=built.message)
            _finish(run, NotebookResult(task.notebook.path, built.id, None, outcome), reporter)
        return
    run.locks[built.id] = built.lock
    installed = Installed(built.python)
    stack.callback(installed.close)
    for task in group:
        yield task, runners.submit(_treat, run.request, task, built, installed, files, reporter)


def _treat(
    request: Request,
    task: Task,
    environment: Environment,
    installed: Installed,
    files: functools._lru_cache_wrapper[tuple[str, ...]],
    reporter: Reporter,
) -> Treated:
    path = task.notebook.path
    reporter.started(path)
    return treat(
        task,
        environment,
        installed,
        recipes=all_recipes() if request.command == "fix" else None,
        list_files=files,
        on_progress=lambda text: reporter.message(f"fix   {path}: {text}"),
    )


def _collect(run: _Run, task: Task, future: Future[Treated], reporter: Reporter) -> None:
    treated = future.result()
    if treated.executed is not None:
        run.executed[task.notebook.path] = treated.executed
    if treated.changed:
        run.changed[task.notebook.path] = treated.changed
    _finish(run, treated.result, reporter)


def _finish(run: _Run, result: NotebookResult, reporter: Reporter) -> None:
    run.results[result.path] = result
    reporter.finished(result.path, result.final)


def _files_below(root: Path) -> tuple[str, ...]:
    """List the repository's files for a diagnosis, up to a limit."""
    names: list[str] = []
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in {"node_modules", "__pycache__"}]
        names.extend((Path(folder) / name).relative_to(root).as_posix() for name in files)
        if len(names) > _LISTED:
            break
    return tuple(names[:_LISTED])


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _shown(out: Path) -> str:
    return str(out.relative_to(Path.cwd())) if out.is_relative_to(Path.cwd()) else str(out)
