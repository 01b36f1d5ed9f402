"""What the runner reads from a step: outputs, the job summary and workflow commands, all safe against injected text."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from modernizer.errors import ModernizerError
from modernizer.publish import PullRequest
from modernizer.report.badge import badge_message
from modernizer.report.markdown import JOB_SUMMARY_BYTES, render_markdown
from modernizer.report.markdown_escape import fence
from modernizer.report.paths import REPORT_MD, RESULTS
from modernizer.report.results import RunResult, totals

Write = Callable[[str], object]
_MOST_TEXT = 100_000


@dataclass(frozen=True)
class RunnerFiles:
    """The files a step writes to. They are taken from the environment once, before any other code runs."""

    output: Path | None
    summary: Path | None

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> RunnerFiles:
        """Take the files that the environment names."""
        output, summary = (environ.get(name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"))
        return cls(Path(output) if output else None, Path(summary) if summary else None)

    def set_outputs(self, values: Mapping[str, str]) -> None:
        """Write outputs in the form with a delimiter, which nobody can guess: a value can't end early and name another."""
        text = ""
        for name, value in values.items():
            delimiter = f"end-{secrets.token_hex(16)}"
            text += f"{name}<<{delimiter}\n{value}\n{delimiter}\n"
        if self.output is not None:
            _append(self.output, text)

    def add_summary(self, run: RunResult) -> None:
        """Add the report to the job summary, as much of it as GitHub takes."""
        if self.summary is None:
            return
        taken = self.summary.stat().st_size if self.summary.exists() else 0
        if taken < JOB_SUMMARY_BYTES // 2:
            _append(self.summary, render_markdown(run, limit=JOB_SUMMARY_BYTES - taken))

    def add_text(self, text: str) -> None:
        """Add lines to the job summary as they are, a long text cut."""
        if self.summary is not None and text:
            _append(self.summary, f"{fence(text[:_MOST_TEXT])}\n")


def outputs(run: RunResult, out: str, pull_request: PullRequest | None = None) -> dict[str, str]:
    """Return the action's outputs; ``out`` is the output folder as a path in the workspace."""
    counted = totals(run.notebooks)
    return {
        **{verdict: str(count) for verdict, count in counted.after.items()},
        "total": str(counted.notebooks),
        "good": str(counted.good),
        "repaired": str(counted.repaired),
        "folder": out,
        "report": f"{out}/{REPORT_MD}",
        "results": f"{out}/{RESULTS}",
        "badge-message": badge_message(run),
        "cost-usd": f"{counted.ledger.cost_usd:.4f}",
        "pull-request-number": str(pull_request.number) if pull_request else "",
        "pull-request-url": pull_request.url if pull_request else "",
        # Those of mode command, which has nothing else to tell.
        "command": "",
        "notebook": "",
        "head": "",
    }


def mask(values: Iterable[str], write: Write) -> None:
    """Ask the runner to hide secrets in the log, line by line as it compares them."""
    for value in values:
        for line in value.splitlines():
            if line.strip():
                write(f"::add-mask::{line.replace('%', '%25')}")


@contextmanager
def commands_stopped(write: Write) -> Iterator[None]:
    """Make the runner obey nothing that is printed meanwhile; only who knows the token could end that."""
    token = secrets.token_hex(32)
    write(f"::stop-commands::{token}")
    try:
        yield
    finally:
        write(f"::{token}::")


def _append(path: Path, text: str) -> None:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o644)
        with os.fdopen(descriptor, "ab") as file:
            file.write(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise ModernizerError(f"the runner's file can't be written: {error.strerror}", where=str(path)) from error
