"""The main job: find the notebooks, build their environments, treat them, write the reports."""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path

from platformdirs import user_cache_path

from modernizer.bench import Task
from modernizer.config import Config
from modernizer.discovery import TOOL_NAME, Found, discover
from modernizer.environment.model import InstallFailure, Lifted, Requirements
from modernizer.environment.requirements import requirements_for
from modernizer.environments import Environments, need
from modernizer.errors import ModernizerError, NotebookError, UsageError
from modernizer.execution.live import LIVE, stopped_by_signals
from modernizer.git_objects import head_commit
from modernizer.notebook import read_notebook
from modernizer.repair.model.assistant import Assistant, open_assistant
from modernizer.repair.model.files import AUDIT
from modernizer.repair.recipes import all_recipes
from modernizer.report.results import EnvironmentRecord, NotebookResult, RunResult
from modernizer.report.terminal import Reporter, make_console, print_summary, progress
from modernizer.report.write import prepare, write_all, write_partial
from modernizer.sandbox.check import open_sandbox
from modernizer.sandbox.confinement import Sandbox
from modernizer.sandbox.runner_folders import close_runner_folders
from modernizer.treatment import Treated, hold_back, treat
from modernizer.verdict.outcome import Outcome
from modernizer.write_back import write_back

_LOG = logging.getLogger(__name__)
_POLL_SECONDS = 0.5
SANDBOX_OFF = "off"
_LISTED = 20_000
"""Files of a repository that a diagnosis may look through."""


@dataclass(frozen=True)
class Request:
    """What a command asks for. ``words`` is the command line as typed; ``write`` applies proven repairs to the repository.

    ``as_of`` asks for the packages of a date and a Python of that time, unless ``as_of_python`` names one. Without
    ``sandbox`` notebooks run with all our rights. ``secrets`` are the keys that were taken out of the environment.
    """

    command: str
    words: str
    root: Path
    paths: tuple[Path, ...]
    config: Config
    out: Path
    write: bool = False
    quiet: bool = False
    sandbox: bool = True
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    as_of: date | None = None
    as_of_python: str | None = None


@dataclass
class _Run:
    """What a run has come to: results by path as they arrive, the environments and what is still to be told."""

    request: Request
    started: str
    commit: str = ""
    sandbox: Sandbox | None = None
    sandbox_summary: str = SANDBOX_OFF
    results: dict[str, NotebookResult] = field(default_factory=dict)
    environments: dict[str, EnvironmentRecord] = field(default_factory=dict)
    locks: dict[str, str] = field(default_factory=dict)
    executed: dict[str, bytes] = field(default_factory=dict)
    changed: dict[str, tuple[tuple[str, bytes], ...]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    lifted: list[Lifted] = field(default_factory=list)

    def result(self, *, interrupted: bool = False, applied: bool = False) -> RunResult:
        return RunResult(
            started=self.started,
            finished=_now(),
            command=self.request.words,
            environments=tuple(self.environments.values()),
            notebooks=tuple(result for _, result in sorted(self.results.items())),
            commit=self.commit,
            sandbox=self.sandbox_summary,
            interrupted=interrupted,
            applied=applied,
            notes=tuple(dict.fromkeys(self.notes)),
            lifted=tuple(dict.fromkeys(self.lifted)),
        )


def carry_out(request: Request) -> RunResult:
    """Do the whole job of ``check`` or ``fix`` and return what was found; the output folder is written by then.

    Raises UsageError and ModernizerError for trouble outside the notebooks. After an interruption the results so far are
    written and returned as interrupted.
    """
    run = _Run(request, _now(), head_commit(request.root))
    found = discover(request.root, request.paths, request.config, out=request.out, report_problem=run.notes.append)
    cut_off = [item.path for item in found if request.config.for_notebook(item.path).network == "install-only"]
    if request.sandbox and found:
        _open_sandbox(run, needs_no_network=bool(cut_off))
    elif cut_off:
        raise UsageError(
            f"{cut_off[0]}: 'network: install-only' can't be enforced with --sandbox off",
            hint="leave the sandbox on, or say 'network: allow'",
        )
    prepare(request.out)
    write_partial(request.out, run.result(interrupted=True))
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


def _open_sandbox(run: _Run, *, needs_no_network: bool) -> None:
    request = run.request
    cache = user_cache_path(TOOL_NAME)
    needed = (cache, Path(tempfile.gettempdir()))
    closed = close_runner_folders(os.environ, root=request.root, needed=needed)
    if closed:
        run.notes.append(f"folders closed to notebook code for the rest of the job: {', '.join(map(str, closed))}")
    run.sandbox, report = open_sandbox(os.environ, root=request.root, cache=cache, needs_no_network=needs_no_network)
    run.sandbox_summary = report.summary


def _tasks(run: _Run, found: Sequence[Found], deadline: float, reporter: Reporter) -> Iterator[Task]:
    """Read the notebooks; one that can't be read or can't run here has its result at once."""
    request = run.request
    for item in found:
        settings = request.config.for_notebook(item.path)
        if request.as_of is not None:
            # Names without pins: what was current, not what was written down.
            settings = replace(settings, as_of=request.as_of, packages="latest")
        try:
            notebook = read_notebook(request.root / item.path, name=item.path)
        except NotebookError as error:
            _finish(run, NotebookResult(item.path, None, None, Outcome("blocked", "unreadable", detail=str(error))), reporter)
            continue
        requirements = Requirements(())
        task = Task(
            request.root,
            notebook,
            settings,
            requirements,
            exclude=(request.out,),
            deadline=deadline,
            sandbox=run.sandbox,
        )
        held = hold_back(task)
        if held is not None:
            _finish(run, held, reporter)
            continue
        requirements = requirements_for(
            notebook, root=request.root, declared_path=settings.requirements, packages=settings.packages
        )
        run.notes.extend(requirements.notes)
        run.lifted.extend(requirements.lifted)
        yield replace(task, requirements=requirements)


def _work(run: _Run, tasks: Sequence[Task], reporter: Reporter) -> None:
    """Treat the notebooks, several at a time; those that need the same environment share one."""
    files = functools.cache(lambda: _files_below(run.request.root))
    tasks = sorted(tasks, key=need)
    with (
        contextlib.closing(_environments(run.request, reporter)) as environments,
        _assistant(run) as assistant,
        ThreadPoolExecutor(max_workers=run.request.config.jobs, thread_name_prefix="run") as runners,
    ):
        crew = _Crew(run.request, environments, files, reporter, assistant)
        waiting = {runners.submit(crew.treat, task) for task in tasks}
        written = time.monotonic()
        while waiting:
            done, waiting = wait(waiting, timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                _collect(run, future.result(), reporter)
            run.environments.update(environments.records)
            run.locks.update(environments.locks)
            if done and time.monotonic() - written > 1:
                write_partial(run.request.out, run.result(interrupted=True))
                written = time.monotonic()
            if LIVE.stopping:
                waiting = {future for future in waiting if not future.cancel()}


def _environments(request: Request, reporter: Reporter) -> Environments:
    return Environments(request.config.cooldown, request.as_of, request.as_of_python, reporter.message)


@contextlib.contextmanager
def _assistant(run: _Run) -> Iterator[Assistant | None]:
    """Open the memory and the model for the repairs of a run; None when nothing is to be repaired."""
    request = run.request
    # What an earlier run asked is no record of this one.
    (request.out / AUDIT).unlink(missing_ok=True)
    if request.command != "fix":
        yield None
        return
    assistant = open_assistant(
        request.config.model,
        request.secrets,
        out=request.out,
        cache=user_cache_path(TOOL_NAME) / "model",
        base_url=os.environ.get("OPENAI_BASE_URL") or None,
        stopping=lambda: LIVE.stopping,
        report=run.notes.append,
    )
    with contextlib.closing(assistant):
        yield assistant


@dataclass(frozen=True)
class _Crew:
    """What every worker needs."""

    request: Request
    environments: Environments
    files: Callable[[], tuple[str, ...]]
    reporter: Reporter
    assistant: Assistant | None = None

    def treat(self, task: Task) -> Treated:
        """Treat one notebook in its environment."""
        path = task.notebook.path
        built = self.environments.get(task)
        if isinstance(built, InstallFailure):
            outcome = Outcome("blocked", "install-failed", len(task.notebook.code_cells), detail=built.message)
            return Treated(NotebookResult(path, built.id, None, outcome))
        self.reporter.started(path)
        word = "fix" if self.request.command == "fix" else "run"
        try:
            return treat(
                task,
                *built,
                recipes=all_recipes() if self.request.command == "fix" else None,
                assistant=self.assistant,
                list_files=self.files,
                on_progress=lambda text: self.reporter.message(f"{word:<5} {path}: {text}"),
            )
        except ModernizerError as error:
            return Treated(_failed(task, str(error)))
        except Exception as error:  # noqa: BLE001 (see the comment)
            # A fault of ours must not cost the other notebooks their results; it ends the run with its own exit code.
            _LOG.exception("internal error at %s", path)
            return Treated(_failed(task, f"internal error: {type(error).__name__}: {error}"))


def _failed(task: Task, detail: str) -> NotebookResult:
    return NotebookResult(
        task.notebook.path, None, None, Outcome("blocked", "infrastructure", len(task.notebook.code_cells), detail=detail)
    )


def _collect(run: _Run, treated: Treated, reporter: Reporter) -> None:
    path = treated.result.path
    run.notes.extend(f"{path}: {note}" for note in treated.notes)
    if treated.executed is not None:
        run.executed[path] = treated.executed
    if treated.changed:
        run.changed[path] = treated.changed
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
