"""The environments of a run: one for each set of requirements, shared by the notebooks that need it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from platformdirs import user_cache_path

from modernizer.bench import Task
from modernizer.discovery import TOOL_NAME
from modernizer.environment.build import BuildSettings, build
from modernizer.environment.era import build_as_of
from modernizer.environment.installed import Installed
from modernizer.environment.interpreters import find_python
from modernizer.environment.model import Environment, InstallFailure
from modernizer.errors import ModernizerError
from modernizer.report.results import EnvironmentRecord, environment_record

Need = tuple[str, tuple[str, ...]]
Built = tuple[Environment, Installed]


def need(task: Task) -> Need:
    """Return what tells environments apart: the Python asked for, and the requirements."""
    return task.settings.python or "", task.requirements.specs


@dataclass
class Environments:
    """The environments of a run, each built once by the first notebook that needs it. Safe to use from several threads.

    ``as_of`` asks for the packages of a date and a Python of that time, unless ``as_of_python`` names one. ``records`` and
    ``locks`` are of what was built so far, by environment.
    """

    cooldown_days: float
    as_of: date | None = None
    as_of_python: str | None = None
    report: Callable[[str], object] = str
    records: dict[str, EnvironmentRecord] = field(default_factory=dict)
    locks: dict[str, str] = field(default_factory=dict)
    _guard: threading.Lock = field(default_factory=threading.Lock)
    _building: dict[Need, threading.Lock] = field(default_factory=dict)
    _built: dict[Need, Built | InstallFailure] = field(default_factory=dict)

    def get(self, task: Task) -> Built | InstallFailure:
        """Return a notebook's environment, building it when it is the first to need it."""
        wanted = need(task)
        with self._guard:
            building = self._building.setdefault(wanted, threading.Lock())
        with building:
            if wanted not in self._built:
                environment = self._build(task)
                self.records[environment.id] = environment_record(environment)
                if isinstance(environment, InstallFailure):
                    self._built[wanted] = environment
                else:
                    self.locks[environment.id] = environment.lock
                    self._built[wanted] = environment, Installed(environment.python, sandbox=task.sandbox)
            return self._built[wanted]

    def close(self) -> None:
        """End the processes that answer questions about the environments."""
        for built in self._built.values():
            if not isinstance(built, InstallFailure):
                built[1].close()

    def _build(self, task: Task) -> Environment | InstallFailure:
        self.report(f"environment for {', '.join(task.requirements.specs)}")
        settings = BuildSettings(user_cache_path(TOOL_NAME), Path(), cooldown_days=self.cooldown_days, sandbox=task.sandbox)
        try:
            if self.as_of is not None:
                return build_as_of(self.as_of, task.requirements, settings, self.as_of_python)
            return build(task.requirements, replace(settings, python=find_python(task.settings.python)))
        except ModernizerError as error:
            return InstallFailure("none", str(error))
