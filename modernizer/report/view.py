"""What the reports show of a run, in the order they show it; markdown, HTML and the terminal only give it a look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from modernizer.execution.outcome import CellRun
from modernizer.repair.outcome import Attempt, Ledger
from modernizer.repair.speedups.slow import slow_cells
from modernizer.report.advice import not_verified, todo
from modernizer.report.cell_diff import DiffLine, readable
from modernizer.report.results import EnvironmentRecord, NotebookResult, RunResult, headline, totals
from modernizer.report.text import without_places
from modernizer.verdict.outcome import Outcome, Score

_SLOW_SECONDS = 120
_SLOW_CELLS = 5
NOTHING = "\u2013"
_WELL_KNOWN = (
    "numpy",
    "pandas",
    "scipy",
    "scikit-learn",
    "matplotlib",
    "seaborn",
    "statsmodels",
    "xgboost",
    "lightgbm",
    "torch",
    "tensorflow",
)


@dataclass(frozen=True)
class ScoreRow:
    """One score: as recorded, in today's packages before the repair, and after it."""

    name: str
    where: str
    then: str
    now: str
    repaired: str
    tolerance: str
    agrees: bool
    judged: str


@dataclass(frozen=True)
class NotebookView:
    """One notebook of the report."""

    result: NotebookResult
    anchor: str
    environment: EnvironmentRecord | None
    scores: tuple[ScoreRow, ...]
    errors: tuple[tuple[str, Outcome], ...]
    diff: tuple[DiffLine, ...]
    diff_cut: int
    dropped: tuple[Attempt, ...]
    cost: str
    not_verified: tuple[str, ...]
    todo: str
    slow: tuple[CellRun, ...] = ()

    @property
    def main_score(self) -> ScoreRow | None:
        """Return the score a table has room for."""
        return main_score(self.result)

    @property
    def fix_count(self) -> int:
        """Count the kept changes."""
        return len(self.result.repair.fixes) if self.result.repair else 0


@dataclass(frozen=True)
class RunView:
    """The whole report."""

    run: RunResult
    headline: str
    notebooks: tuple[NotebookView, ...]
    environments: tuple[EnvironmentRecord, ...]
    cost: str
    packages: Mapping[str, str]


def view(run: RunResult, *, diff_lines: int = 400) -> RunView:
    """Arrange a run for the reports; longer diffs are cut after ``diff_lines`` lines."""
    environments = {item.id: item for item in run.environments}
    return RunView(
        run=run,
        headline=headline(run),
        notebooks=tuple(
            notebook_view(item, index, environments.get(item.environment or ""), diff_lines)
            for index, item in enumerate(run.notebooks)
        ),
        environments=run.environments,
        cost=cost_text(totals(run.notebooks).ledger),
        packages={item.id: main_packages(item) for item in run.environments},
    )


def notebook_view(result: NotebookResult, index: int, environment: EnvironmentRecord | None, diff_lines: int) -> NotebookView:
    """Arrange one notebook."""
    repair = result.repair
    diff = readable(repair.patch) if repair else ()
    return NotebookView(
        result=result,
        anchor=f"notebook-{index + 1}",
        environment=environment,
        scores=score_rows(result),
        errors=error_titles(result),
        diff=diff[:diff_lines],
        diff_cut=max(0, len(diff) - diff_lines),
        dropped=tuple(attempt for attempt in repair.attempts if attempt.outcome != "accepted") if repair else (),
        cost=cost_text(repair.ledger) if repair else "",
        not_verified=not_verified(result),
        todo=todo(result),
        slow=slowest(result),
    )


def slowest(result: NotebookResult) -> tuple[CellRun, ...]:
    """Return the cells worth showing of a notebook that ran out of time or takes minutes, slowest first."""
    is_slow = "timed-out" in {result.before.verdict, result.final.verdict} or result.final.seconds >= _SLOW_SECONDS
    return slow_cells(result.profile)[:_SLOW_CELLS] if is_slow else ()


def error_titles(result: NotebookResult) -> tuple[tuple[str, Outcome], ...]:
    """Return the outcomes whose errors are worth showing: the first one, and the one a repair could not get past."""
    shown = []
    if result.before.error or result.before.diagnosis:
        shown.append(("First error before the repair" if result.repaired else "First error", result.before))
    if result.after and (result.after.error or result.after.diagnosis):
        shown.append(("The error that stands after the repair", result.after))
    return tuple(shown)


def trouble(result: NotebookResult) -> str:
    """Say what is wrong at the end, for a place with room for one line."""
    final = result.final
    if final.error:
        where = f"cell {final.error.cell}" + (f", line {final.error.line}" if final.error.line else "")
        return without_places(f"{where}: {final.error.name}: {final.error.message}")
    off = [f"{score.name} was {figure(score.recorded)}, is {figure(score.value)}" for score in final.scores if score.off]
    diagnosed = final.diagnosis.detail if final.diagnosis else ""
    return final.detail or diagnosed or "; ".join(off) or final.reason or final.verdict


def score_rows(result: NotebookResult) -> tuple[ScoreRow, ...]:
    """Bring the scores of the two outcomes together by name and place."""
    before = {_place(score, index): score for index, score in enumerate(result.before.scores)}
    after = {_place(score, index): score for index, score in enumerate(result.after.scores)} if result.after else {}
    rows = []
    for place in dict.fromkeys([*before, *after]):
        first, second = before.get(place), after.get(place)
        last = second or first
        if last is None:
            continue
        rows.append(
            ScoreRow(
                name=last.name,
                where=_where(last),
                then=figure(last.recorded),
                now=_spread(first) if first else NOTHING,
                repaired=_spread(second) if second else NOTHING,
                tolerance=NOTHING if last.recorded is None else figure(last.tolerance),
                agrees=not last.off,
                judged="not judged" if last.agrees is None else "yes" if last.agrees else "no",
            )
        )
    return tuple(rows)


def main_score(result: NotebookResult) -> ScoreRow | None:
    """Return the score a table has room for: the first that is off, else the first."""
    rows = score_rows(result)
    return next((row for row in rows if not row.agrees), rows[0] if rows else None)


def _place(score: Score, index: int) -> tuple[str, str, int | None, int]:
    """Identify a score; equal ones in one outcome are told apart by their order."""
    return score.name, score.source, score.cell, index if score.cell is None else 0


def _where(score: Score) -> str:
    place = score.source if score.cell is None else f"{score.source}, cell {score.cell}"
    return f"{place} ({score.note})" if score.note else place


def _spread(score: Score) -> str:
    """Write the value, after several runs as mean and standard deviation with the number of runs."""
    if score.spread is None:
        return figure(score.value)
    return f"{figure(score.value)} ± {score.spread:.2g} ({len(score.values)} runs)"


def figure(value: float | None) -> str:
    """Write a score as people do: six digits at most."""
    return NOTHING if value is None else f"{value:.6g}"


def duration(seconds: float) -> str:
    """Write seconds as ``0.4 s``, ``12 s`` or ``3 min 20 s``."""
    if seconds < 10:  # noqa: PLR2004 - below ten, tenths tell something
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def memory(size: int) -> str:
    """Write bytes as ``310 MB`` or ``1.2 GB``."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"  # noqa: PLR2004 - the unit


def cost_text(ledger: Ledger) -> str:
    """Say what a repair cost; a model is only mentioned where one was asked."""
    text = (
        f"{ledger.executions} {'execution' if ledger.executions == 1 else 'executions'}, {duration(ledger.cell_seconds)} in cells"
    )
    if ledger.model_calls:
        tokens = f"{ledger.tokens_in:,} tokens in ({ledger.tokens_cached:,} cached), {ledger.tokens_out:,} out"
        calls = "model call" if ledger.model_calls == 1 else "model calls"
        text += f", {ledger.model_calls} {calls}, {tokens}, ${ledger.cost_usd:.4f}"
        if ledger.calls_estimated:
            text += f" (estimated for {ledger.calls_estimated} of them)"
    return text


def main_packages(environment: EnvironmentRecord) -> str:
    """Name the packages people look for first, and how many more there are."""
    named = [name for name in _WELL_KNOWN if name in environment.packages]
    shown = [f"{name} {environment.packages[name]}" for name in named or sorted(environment.packages)[:5]]
    more = len(environment.packages) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def arrow(result: NotebookResult) -> str:
    """Write the verdict before and after as ``broken → reproduced``, or one of them where nothing came after."""
    return result.before.verdict if result.after is None else f"{result.before.verdict} → {result.after.verdict}"
