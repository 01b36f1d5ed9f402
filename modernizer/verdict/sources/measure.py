"""Read the scores that only the end of a clean run can tell: live variables, files just written, commands."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from modernizer.config import ScoreSource
from modernizer.environment.model import Environment
from modernizer.execution.confinement import Confinement
from modernizer.execution.outcome import Measured
from modernizer.execution.scratch import ScratchCopy
from modernizer.verdict.sources.command import run_command
from modernizer.verdict.sources.custom_metric import scikit_learn_metric
from modernizer.verdict.sources.grading import grade
from modernizer.verdict.sources.submission import Stamp, read_written, stamp
from modernizer.verdict.sources.table import MOST_BYTES, NotGradedError, Table, pair, read_table
from modernizer.verdict.sources.variable import read_variable


@dataclass(frozen=True)
class Workplace:
    """Where a notebook ran. ``root`` is the repository itself, from which answers are read; ``seconds`` limits a command."""

    root: Path
    environment: Environment
    scratch: ScratchCopy
    confinement: Confinement | None
    seconds: float
    before: dict[PurePosixPath, Stamp | None] = field(default_factory=dict)

    def watch(self, sources: Sequence[ScoreSource]) -> None:
        """Note the files that are there before the notebook runs."""
        for source in sources:
            for place in self.places(source):
                self.before[place] = stamp(self.scratch.root, place.parts)

    def places(self, source: ScoreSource) -> tuple[PurePosixPath, ...]:
        """Return where a file may be, below the copy's root: in the notebook's folder, else as a path of the repository."""
        if source.kind != "file":
            return ()
        name = PurePosixPath(source.from_)
        return tuple(dict.fromkeys((self.scratch.notebook.parent / name, name)))


def measure(sources: Sequence[ScoreSource], place: Workplace, ask: Callable[[str], object]) -> Mapping[str, Measured]:
    """Read every source of these kinds; what can't be read is a reason in plain words, never an exception."""
    measured: dict[str, Measured] = {}
    for source in sources:
        if source.kind == "variable" and source.variable:
            measured[source.name] = read_variable(source.variable, ask)
        elif source.kind == "command" and source.command:
            measured[source.name] = run_command(
                source.command, place.environment, place.scratch, place.confinement, seconds=place.seconds
            )
        elif source.kind == "file":
            measured[source.name] = _graded(source, place)
    return measured


def _graded(source: ScoreSource, place: Workplace) -> Measured:
    sandbox = place.confinement.sandbox if place.confinement else None
    custom = functools.partial(scikit_learn_metric, environment=place.environment, sandbox=sandbox)
    try:
        content = read_written(place.scratch.root, place.places(source), place.before)
        submission = read_table(source.from_, content)
        pairs = pair(submission, _answers(source, place.root), id_column=source.id, target=source.target)
        return Measured(grade(source.grader or "", pairs, custom))
    except NotGradedError as error:
        return Measured(None, str(error))


def _answers(source: ScoreSource, root: Path) -> Table:
    """Read the answers from the repository itself: in the copy the notebook could have changed them."""
    name = source.answers or ""
    path = root / name
    try:
        if path.stat().st_size > MOST_BYTES:
            raise NotGradedError(f"{name} is larger than {MOST_BYTES // 1000**2} MB")
        return read_table(name, path.read_bytes())
    except OSError as error:
        raise NotGradedError(f"the answers {name} can't be read: {error.strerror}") from None
