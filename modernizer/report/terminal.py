"""The terminal: a table at the end, a progress bar on a screen, plain lines in a log."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Protocol

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from modernizer.report.advice import todo
from modernizer.report.results import RunResult, headline
from modernizer.report.text import one_line
from modernizer.report.view import NOTHING, ScoreRow, arrow, duration, main_score, trouble
from modernizer.verdict.outcome import Outcome, Verdict

_STYLES: dict[Verdict, str] = {
    "reproduced": "green",
    "ran": "green",
    "drifted": "yellow",
    "blocked": "yellow",
    "timed-out": "red",
    "crashed": "red",
    "broken": "red",
}
# A log has no width of its own; this keeps a table row on one line for most paths.
LOG_WIDTH = 140
# Below this the table's columns would be folded beyond reading.
NARROW = 72


class Reporter(Protocol):
    """What a run tells while it goes on; may be called from several threads."""

    def started(self, path: str) -> None:
        """Tell that work on a notebook begins."""

    def finished(self, path: str, outcome: Outcome) -> None:
        """Tell how a notebook ended."""

    def message(self, text: str) -> None:
        """Tell something else, such as an environment being built."""


def make_console(file: IO[str] | None = None) -> Console:
    """Return a console that shows text as it is (no markup, no emoji codes); NO_COLOR and COLUMNS are honoured."""
    stream = sys.stdout if file is None else file
    width = None if stream.isatty() or "COLUMNS" in os.environ else LOG_WIDTH
    return Console(file=stream, markup=False, highlight=False, emoji=False, width=width)


@contextmanager
def progress(console: Console, total: int) -> Iterator[Reporter]:
    """Show how a run of ``total`` notebooks goes on: a bar on a terminal, else a line for each event."""
    if not console.is_terminal:
        yield _Lines(console, total)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        yield _Bar(bar, total)


class _Lines:
    """Plain lines, each written as a whole."""

    def __init__(self, console: Console, total: int) -> None:
        self._console = console
        self._total = total
        self._done = 0
        self._lock = threading.Lock()

    def started(self, path: str) -> None:
        self.message(f"run   {path}")

    def finished(self, path: str, outcome: Outcome) -> None:
        with self._lock:
            self._done += 1
            done = self._done
        self.message(f"done  {path}: {verdict_text(outcome)}, {duration(outcome.seconds)} ({done}/{self._total})")

    def message(self, text: str) -> None:
        with self._lock:
            self._console.print(harmless(text, limit=1000), soft_wrap=True)


class _Bar:
    """The bar names the notebooks that are being worked on."""

    def __init__(self, bar: Progress, total: int) -> None:
        self._bar = bar
        self._task = bar.add_task("", total=total)
        self._running: list[str] = []
        self._lock = threading.Lock()

    def started(self, path: str) -> None:
        with self._lock:
            self._running.append(path)
            self._show()

    def finished(self, path: str, outcome: Outcome) -> None:
        with self._lock:
            if path in self._running:
                self._running.remove(path)
            self._show()
        self._bar.console.print(Text.assemble(harmless(path), "  ", (verdict_text(outcome), _STYLES[outcome.verdict])))
        self._bar.advance(self._task)

    def message(self, text: str) -> None:
        self._bar.console.print(harmless(text, limit=1000))

    def _show(self) -> None:
        shown = ", ".join(path.rpartition("/")[2] for path in self._running[:2])
        more = f" and {len(self._running) - 2} more" if len(self._running) > 2 else ""  # noqa: PLR2004 - as above
        # The description column reads markup, which a file name could hold.
        self._bar.update(self._task, description=harmless(shown + more, limit=40).replace("[", "\\["))


def print_summary(run: RunResult, console: Console, *, out: str) -> None:
    """Print the table of the notebooks, what needs a person, and where the report is."""
    if console.width < NARROW:
        for line in summary_lines(run):
            console.print(line, soft_wrap=True)
    else:
        console.print(summary_table(run))
    console.print(headline(run), style="bold")
    for result in run.notebooks:
        if not result.final.good:
            console.print(f"  {harmless(result.path)}: {harmless(trouble(result))}", soft_wrap=True)
    for reason, what in {result.final.reason: todo(result) for result in run.notebooks if todo(result)}.items():
        console.print(f"{reason}: {what}", soft_wrap=True)
    if run.interrupted:
        console.print("The run was interrupted; the results are those of the notebooks that were done.", style="yellow")
    for note in run.notes:
        console.print(f"note: {harmless(note, limit=500)}")
    console.print(f"report: {out}/report.md, {out}/report.html", soft_wrap=True)


def summary_table(run: RunResult) -> Table:
    """Return the table: notebook, verdict before and after, score then and now; the reasons of verdicts stand elsewhere."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("notebook", overflow="fold", ratio=1)
    table.add_column("before", no_wrap=True)
    table.add_column("after", no_wrap=True)
    table.add_column("score then", overflow="fold", justify="right")
    table.add_column("score now", overflow="fold", justify="right")
    for result in run.notebooks:
        row = main_score(result)
        table.add_row(
            Text(harmless(result.path)),
            _verdict(result.before),
            _verdict(result.after) if result.after else Text(NOTHING),
            Text(f"{harmless(row.name, limit=20)} {row.then}" if row else NOTHING),
            Text(_now(row) if row else NOTHING, style="" if row is None or row.agrees else "yellow"),
        )
    return table


def summary_lines(run: RunResult) -> list[str]:
    """Return a line for each notebook, for a terminal too narrow for the table."""
    lines = []
    for result in run.notebooks:
        row = main_score(result)
        score = f", {harmless(row.name, limit=20)} {row.then} → {_now(row)}" if row else ""
        lines.append(f"{harmless(result.path)}: {arrow(result)}{score}")
    return lines


def _now(row: ScoreRow) -> str:
    return row.now if row.repaired == NOTHING else row.repaired


def _verdict(outcome: Outcome) -> Text:
    return Text(outcome.verdict, style=_STYLES[outcome.verdict])


def verdict_text(outcome: Outcome) -> str:
    """Write a verdict with its reason."""
    return f"{outcome.verdict}: {outcome.reason}" if outcome.reason else outcome.verdict


def harmless(text: str, *, limit: int = 200) -> str:
    """Return one line that no runner takes for a workflow command wherever the terminal wraps it."""
    return one_line(text, limit).replace("::", ": :")
