"""Puts one notebook's parts together: a run is a scratch copy with a kernel session in it, and how it is judged."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from modernizer.config import NotebookSettings
from modernizer.environment.local_modules import local_modules
from modernizer.environment.model import Environment, Requirements
from modernizer.execution.confinement import Confinement
from modernizer.execution.limits import Limits
from modernizer.execution.live_object import Division, LiveObject
from modernizer.execution.outcome import CellError, Execution
from modernizer.execution.scratch import ScratchCopy
from modernizer.execution.session import Session
from modernizer.notebook import Notebook
from modernizer.repair.program import Program
from modernizer.sandbox.confinement import Sandbox
from modernizer.verdict.configured import configured_scores, marked_scores
from modernizer.verdict.diagnosis import diagnose
from modernizer.verdict.judge import judge
from modernizer.verdict.outcome import Diagnosis, Outcome, Score
from modernizer.verdict.repeated import by_study
from modernizer.verdict.scores import compare
from modernizer.verdict.sources.measure import Workplace, measure


@dataclass(frozen=True)
class Task:
    """One notebook to work on: where it is, what it needs, what holds for it. Without a sandbox it runs with all our rights."""

    root: Path
    notebook: Notebook
    settings: NotebookSettings
    requirements: Requirements
    exclude: tuple[Path, ...] = ()
    deadline: float | None = None
    sandbox: Sandbox | None = None

    @property
    def limits(self) -> Limits:
        """Return the limits of one execution."""
        timeout = self.settings.timeout
        return Limits(cell=timeout.cell_seconds, notebook=timeout.notebook, memory=self.settings.memory, deadline=self.deadline)


class ScratchRun:
    """A live kernel in a scratch copy that holds a program; ``close`` removes both."""

    def __init__(self, task: Task, environment: Environment, program: Program) -> None:
        self._program = program
        self._stack = contextlib.ExitStack()
        self._task = task
        try:
            self._scratch = self._stack.enter_context(
                ScratchCopy(
                    task.root,
                    task.notebook.path,
                    _changed_files(Program(task.notebook, program.modules), program, task.root),
                    exclude=task.exclude,
                    data=task.settings.data,
                    owner=task.sandbox.identity() if task.sandbox else None,
                )
            )
            network = task.settings.network == "allow"
            confinement = Confinement(task.sandbox, self._scratch, network) if task.sandbox else None
            self._place = Workplace(task.root, environment, self._scratch, confinement, task.settings.timeout.cell_seconds)
            self._place.watch(task.settings.score)
            self._session = self._stack.enter_context(
                Session(environment, self._scratch, program.notebook, task.limits, confinement=confinement)
            )
        except BaseException:
            self._stack.close()
            raise

    @property
    def notes(self) -> tuple[str, ...]:
        """Say what the scratch copy left out."""
        return tuple(self._scratch.notes)

    def run(self, from_cell: int = 0) -> Execution:
        """Run the code cells from this one on, to the end or the first fatal error; then read the configured scores."""
        execution = self._session.run(from_cell)
        sources = self._task.settings.score
        if execution.end != "finished" or not sources:
            return execution
        return replace(execution, measured=measure(sources, self._place, self._session.ask))

    def change(self, program: Program) -> None:
        """Take over edited cells and modules; edited modules are forgotten by the kernel."""
        before = self._program.modules
        changed = {path: text for path, text in program.modules.items() if before.get(path) != text}
        if changed:
            self._scratch.write({path: _encoded(text) for path, text in changed.items()})
            self._session.forget_modules([name for path in changed for name in _module_names(path)])
        self._scratch.write({program.notebook.path: program.notebook.to_bytes()})
        self._session.replace(program.notebook)
        self._program = program

    def restart(self) -> None:
        """Start a new kernel in the same scratch copy."""
        self._session.restart()

    def describe(self, expression: str) -> LiveObject | None:
        """Describe an object of the live kernel; None when there is none or the expression is no plain chain."""
        try:
            return self._session.describe(expression)
        except ValueError:
            return None

    def describe_local(self, function: str, expression: str) -> LiveObject | None:
        """Describe an object of the failed call of a function; None when there is none or the expression is no plain chain."""
        try:
            return self._session.describe_local(function, expression)
        except ValueError:
            return None

    def observe_divisions(self) -> None:
        """From now on divide as Python 2 did and note what is divided where."""
        self._session.observe_divisions()

    def divisions(self) -> tuple[Division, ...]:
        """Return the divisions observed in this kernel."""
        return self._session.divisions()

    def close(self) -> None:
        """Kill the kernel and remove the scratch copy."""
        self._stack.close()


def load_program(notebook: Notebook, root: Path) -> Program:
    """Return the notebook with the text of the repository's modules that it imports; unreadable ones are left out."""
    modules = {}
    for path in local_modules(notebook, root=root):
        with contextlib.suppress(OSError, UnicodeDecodeError):
            modules[path] = (root / path).read_bytes().decode("utf-8")
    return Program(notebook, modules)


def changed_bytes(original: Program, program: Program, root: Path) -> dict[str, tuple[bytes, bytes]]:
    """Return the files that a repair changes, repo-relative, with their bytes before and after."""
    after = _changed_files(original, program, root)
    return {path: (_original_bytes(original, path, root), content) for path, content in after.items()}


def judged(
    task: Task, original: Notebook, environment: Environment, files: Callable[[], Iterable[str]]
) -> Callable[[Program, Execution], Outcome]:
    """Return the judge of this notebook's executions: scores against the stored outputs, errors diagnosed."""

    def judge_one(program: Program, execution: Execution) -> Outcome:
        def diagnosed(error: CellError) -> Diagnosis:
            return diagnose(
                error,
                program.notebook,
                installed=environment.packages,
                unknown_imports=task.requirements.unknown,
                list_files=files,
            )

        scores = _scores(task.settings, original, execution)
        return judge(execution, program.notebook, scores=scores, diagnose=diagnosed)

    return judge_one


def _scores(settings: NotebookSettings, original: Notebook, execution: Execution) -> tuple[Score, ...]:
    """Compare the configured scores, else those that the author marked, else those that the stored outputs show."""
    tolerance = settings.tolerance
    if settings.score:
        scores = configured_scores(original, execution, settings.score, tolerance=tolerance)
    else:
        marked = marked_scores(original, execution, tolerance=tolerance)
        scores = marked or compare(original, execution, tolerance=tolerance)
    return tuple(map(by_study, scores)) if settings.rule == "study" else scores


def _changed_files(before: Program, after: Program, root: Path) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    if after.notebook.to_bytes() != before.notebook.to_bytes():
        files[after.notebook.path] = after.notebook.to_bytes()
    for path, text in after.modules.items():
        content = _encoded(text)
        if content != _original_bytes(before, path, root):
            files[path] = content
    return files


def _original_bytes(program: Program, path: str, root: Path) -> bytes:
    return program.notebook.to_bytes() if path == program.notebook.path else (root / path).read_bytes()


def _encoded(text: str) -> bytes:
    return text.encode("utf-8")


def _module_names(path: str) -> list[str]:
    """Return the names a module may have been imported by: its path from any folder above it."""
    parts = PurePosixPath(path).with_suffix("").parts
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    return [".".join(parts[start:]) for start in range(len(parts))]
