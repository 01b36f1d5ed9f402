"""What a whole run found: plain data, and how it is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields

from modernizer import __version__
from modernizer.discovery import TOOL_NAME
from modernizer.environment.model import Environment, InstallFailure, Lifted
from modernizer.execution.outcome import CellRun
from modernizer.repair.outcome import Ledger, Repair
from modernizer.verdict.outcome import GOOD, Outcome, Verdict

# From best to worst: what a badge may claim is decided by the last one present.
SEVERITY: tuple[Verdict, ...] = ("reproduced", "ran", "blocked", "drifted", "timed-out", "crashed", "broken")


@dataclass(frozen=True)
class Tool:
    """The program that wrote the results."""

    name: str = TOOL_NAME
    version: str = __version__


@dataclass(frozen=True)
class EnvironmentRecord:
    """What the results say of an environment; ``failure`` is the installer's message when it could not be built."""

    id: str
    python: str = ""
    packages: Mapping[str, str] = field(default_factory=dict)
    lock_sha256: str = ""
    resolved_on: str = ""
    install_seconds: float = 0.0
    failure: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class NotebookResult:
    """One notebook of a run. ``profile`` is how its cells went in the last execution that was judged."""

    path: str
    environment: str | None
    as_of: str | None
    before: Outcome
    after: Outcome | None = None
    repair: Repair | None = None
    profile: tuple[CellRun, ...] = ()

    @property
    def final(self) -> Outcome:
        """Return the outcome of the proof if there was one, else the first outcome."""
        return self.after or self.before

    @property
    def repaired(self) -> bool:
        """Tell whether the repair made a notebook good that was not."""
        return self.final.good and not self.before.good


@dataclass(frozen=True)
class RunResult:
    """A whole run. Instants are ISO 8601 UTC; ``applied`` says that the patches were written into the repository.

    ``commit`` is what was checked out, empty outside a git repository; ``lifted`` the versions that the repository asks for
    and the run did not hold to.
    """

    started: str
    finished: str
    command: str
    environments: tuple[EnvironmentRecord, ...] = ()
    notebooks: tuple[NotebookResult, ...] = ()
    sandbox: str = ""
    commit: str = ""
    interrupted: bool = False
    applied: bool = False
    notes: tuple[str, ...] = ()
    tool: Tool = Tool()
    lifted: tuple[Lifted, ...] = ()


@dataclass(frozen=True)
class Totals:
    """Counts over all notebooks. ``after`` counts the last outcome of each; ``fixes`` counts by kind of origin."""

    notebooks: int
    good_before: int
    good: int
    repaired: int
    before: Mapping[str, int]
    after: Mapping[str, int]
    fixes: Mapping[str, int]
    ledger: Ledger


def environment_record(environment: Environment | InstallFailure) -> EnvironmentRecord:
    """Keep what the results tell of a built environment or of one that could not be built."""
    if isinstance(environment, InstallFailure):
        return EnvironmentRecord(environment.id, failure=environment.message, notes=environment.notes)
    return EnvironmentRecord(
        environment.id,
        environment.python_version,
        dict(sorted(environment.packages.items())),
        environment.lock_sha256,
        environment.resolved_on,
        environment.install_seconds,
        notes=environment.notes,
    )


def totals(notebooks: Iterable[NotebookResult]) -> Totals:
    """Count verdicts, fixes and costs."""
    results = tuple(notebooks)
    repairs = [result.repair for result in results if result.repair]
    return Totals(
        notebooks=len(results),
        good_before=sum(result.before.good for result in results),
        good=sum(result.final.good for result in results),
        repaired=sum(result.repaired for result in results),
        before=_count(result.before.verdict for result in results),
        after=_count(result.final.verdict for result in results),
        fixes=dict(sorted(Counter(fix.origin.partition(":")[0] for repair in repairs for fix in repair.fixes).items())),
        ledger=sum_ledgers(repair.ledger for repair in repairs),
    )


def sum_ledgers(ledgers: Iterable[Ledger]) -> Ledger:
    """Add ledgers up, field by field."""
    items = tuple(ledgers)
    return Ledger(**{item.name: sum(getattr(ledger, item.name) for ledger in items) for item in fields(Ledger)})


def worst(verdicts: Iterable[Verdict]) -> Verdict | None:
    """Return the worst of the verdicts, or None if there are none."""
    return max(verdicts, key=SEVERITY.index, default=None)


def _count(verdicts: Iterable[Verdict]) -> dict[str, int]:
    counts = Counter(verdicts)
    return {verdict: counts[verdict] for verdict in SEVERITY}


def headline(run: RunResult) -> str:
    """Say in one sentence how the run ended."""
    counted = totals(run.notebooks)
    if not counted.notebooks:
        return "No notebook was judged"
    one = counted.notebooks == 1
    text = f"{counted.good} of {counted.notebooks} {'notebook' if one else 'notebooks'} {'ends' if one else 'end'} good"
    parts = [f"{counted.repaired} repaired"] if counted.repaired else []
    parts += [f"{counted.after[verdict]} {verdict}" for verdict in SEVERITY if verdict not in GOOD and counted.after[verdict]]
    return "; ".join([text, ", ".join(parts)]) if parts else text
