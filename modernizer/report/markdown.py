"""report.md: the report as GitHub shows it, below the size a job summary may have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from markupsafe import Markup

from modernizer.repair.outcome import Fix
from modernizer.report.advice import link
from modernizer.report.cell_diff import DiffLine
from modernizer.report.markdown_escape import cell, code, fence, html_code, prose, target
from modernizer.report.reproduce import steps
from modernizer.report.results import RunResult
from modernizer.report.templating import environment
from modernizer.report.view import NotebookView, view

# GitHub takes 1 MiB for a job summary and drops a longer one as a whole.
JOB_SUMMARY_BYTES = 1024 * 1024
RESERVE = 1_000


def render_markdown(run: RunResult, *, limit: int = JOB_SUMMARY_BYTES) -> str:
    """Render the report in at most ``limit`` bytes: whole notebook sections are left out at the end, and said to be."""
    arranged = view(run)
    parts = macros()
    head = str(parts.head(arranged))
    tail = str(parts.tail(arranged, steps(run)))
    room = limit - RESERVE - _size(head) - _size(tail)
    if room < 0:
        tail, room = "", max(0, limit - RESERVE - _size(head))
    rows, room = fitting((str(parts.row(item)) for item in arranged.notebooks), room)
    sections, _ = fitting((str(parts.section(item)) for item in _worst_first(arranged.notebooks)), room)
    table = "".join(rows) + _left_out(len(arranged.notebooks) - len(rows), "more notebooks are")
    details = "".join(sections) + _left_out(
        len(arranged.notebooks) - len(sections), "sections were left out to keep this short; they are"
    )
    text = head + table + details + tail
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.strip("\n") + "\n"


def fitting(texts: Iterable[str], room: int) -> tuple[list[str], int]:
    """Return the leading texts that fit into the room, and the room that is left; no more of them are made than that."""
    kept: list[str] = []
    for text in texts:
        room -= _size(text)
        if room < 0:
            return kept, 0
        kept.append(text)
    return kept, room


def _size(text: str) -> int:
    return len(text.encode())


def _left_out(count: int, what: str) -> str:
    return f"\n\n*{count} {what} in report.html and results.json.*\n\n" if count else ""


def _worst_first(notebooks: Sequence[NotebookView]) -> list[NotebookView]:
    """Put what needs a person first, then the repaired, then those that were well all along: the end may be cut."""
    return sorted(notebooks, key=lambda item: (item.result.final.good, not item.result.repaired))


def _places(fix: Fix) -> str:
    """Name the cells and files of a fix: ``cells 2, 5 and fig_code.py``."""
    parts = []
    if fix.cells:
        parts.append(f"{'cell' if len(fix.cells) == 1 else 'cells'} {', '.join(map(str, fix.cells))}")
    parts += fix.files
    return " and ".join(parts) or "no cell"


def _diff_text(lines: Sequence[DiffLine]) -> str:
    """Write the lines to show as a unified diff."""
    shown = {"file": "=== {}", "hunk": "@@"}
    return "\n".join(shown[line.kind].format(line.text) if line.kind in shown else line.sign + line.text for line in lines)


def _finalize(value: object) -> object:
    """Escape whatever a template prints unless a filter has made it markdown: nothing gets out raw by omission."""
    return value if isinstance(value, Markup) else prose(value)


@cache
def macros(template: str = "report.md.j2", *packages: str) -> Any:  # noqa: ANN401 - a template module has the macros as attributes
    """Return the macros of a template of this package or of others; whatever they print is escaped."""
    made = environment(
        _finalize,
        *packages,
        cell=cell,
        code=code,
        diff_text=_diff_text,
        fence=fence,
        html_code=html_code,
        link=link,
        places=_places,
        target=target,
    )
    return made.get_template(template).module
