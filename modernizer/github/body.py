"""The text of a pull request: what was broken, what changed and why, what was not verified; cut cleanly to GitHub's limit."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from modernizer.github.marker import Marker
from modernizer.github.versions import PackageChange, environments_of, old_pins
from modernizer.report.markdown import fitting, macros
from modernizer.report.results import RunResult
from modernizer.report.text import one_line, plain
from modernizer.report.view import RunView, view

# GitHub counts characters; counting bytes instead is on the safe side.
BODY_LIMIT = 65_536
_RESERVE = 1_500
_MOST_COMMANDS = 10
_MOST_PACKAGES = 60
_MOST_ENVIRONMENTS = 20
_MOST_OTHERS = 300
_MOST_REASONS = 20
_OBEYED = re.compile(r"(?i)(?<=[@#])(?=\w)|(?<=:)(?=//)|(?<=\bgh)(?=-)")
_BRACKETS = str.maketrans("[]*", "()+")

CHECKS_NOTE = (
    "Checks may not start by themselves here: the workflow's default token made this pull request, and its pull requests start "
    "no workflows. Close and reopen it to start them, or give the action the token of a GitHub App."
)


@dataclass(frozen=True)
class Text:
    """What a pull request's text is made of. ``notebooks`` are the paths of the repairs that it carries."""

    run: RunResult
    notebooks: Sequence[str]
    branch: str
    marker: Marker
    packages: Sequence[PackageChange] = ()
    held_back: Sequence[str] = ()
    notes: Sequence[str] = ()
    run_url: str = ""
    outputs: bool = False


def render_body(text: Text) -> str:
    """Render the text of a pull request in at most 65,536 bytes; whole parts are left out, and said to be."""
    chosen = set(text.notebooks)
    arranged = view(text.run)
    ours = [item for item in arranged.notebooks if item.result.path in chosen]
    others = [item for item in arranged.notebooks if item.result.path not in chosen]
    used = environments_of(text.run, text.notebooks)[:_MOST_ENVIRONMENTS]
    own = view(replace(text.run, notebooks=tuple(item.result for item in ours), environments=tuple(used)))
    parts = macros("pull_request.md.j2", "modernizer.github")
    head = str(parts.head(len(ours), text, list(text.notes)))
    end = f"{str(parts.end(own, text.run_url)).strip()}\n\n{text.marker}\n"
    room = BODY_LIMIT - _RESERVE - len(head.encode()) - len(end.encode())
    # What every reader needs takes half of the room at most, so that some notebooks are always shown.
    asked, spent = _fitting_any(_asked(parts, text, own), room // 2)
    room -= spent
    rows, room = fitting((str(parts.table_row(item)) for item in ours), room)
    sections, room = fitting((str(parts.details(item)) for item in ours), room)
    table = "".join(rows) + _left_out(len(ours) - len(rows), "more repaired notebooks are in the files of this pull request")
    details = "".join(sections) + _left_out(len(ours) - len(sections), "sections do not fit here; they are in the report")
    body = "\n".join([head.strip(), table, details, _others(parts, others, room), asked, end])
    while "\n\n\n" in body:
        body = body.replace("\n\n\n", "\n\n")
    return body


def _asked(parts: Any, text: Text, own: RunView) -> list[str]:  # noqa: ANN401 - the macros of a template
    """Render what follows the notebooks, in the order in which it is shown."""
    pins = old_pins(text.run, text.notebooks)[:_MOST_PACKAGES]
    changes, reasons = text.packages[:_MOST_PACKAGES], text.held_back[:_MOST_REASONS]
    return [
        str(parts.old_pins(pins)) if pins else "",
        str(parts.held_back(reasons)) if reasons else "",
        str(parts.package_changes(changes)) if changes else "",
        str(parts.environments(own)) if own.environments else "",
        str(parts.reproduce(_steps(text))),
    ]


def _fitting_any(texts: Sequence[str], room: int) -> tuple[str, int]:
    """Join the texts that fit into the room, and tell what they take; one that does not is left out alone."""
    kept: list[str] = []
    spent = 0
    for text in texts:
        if spent + len(text.encode()) <= room:
            kept.append(text)
            spent += len(text.encode())
    return "".join(kept), spent


def title(notebooks: Sequence[str]) -> str:
    """Return the title of a pull request."""
    if len(notebooks) == 1:
        return f"Repair {harmless(one_line(notebooks[0], 150))} for today's packages"
    return f"Repair {len(notebooks)} notebooks for today's packages"


def harmless(text: str) -> str:
    """Take from a text what commits and titles obey: mentions, references, addresses, orders to skip the checks."""
    return _OBEYED.sub("\u2060", text).translate(_BRACKETS)


def _others(parts: Any, others: Sequence[object], room: int) -> str:  # noqa: ANN401 - the macros of a template
    """List the notebooks that need no change here, folded, as far as there is room."""
    if not others:
        return ""
    head, end = str(parts.others_head(len(others))), str(parts.others_end())
    rows, _ = fitting((str(parts.other(item)) for item in others[:_MOST_OTHERS]), room - len((head + end).encode()))
    if not rows:
        return ""
    return head + "".join(rows) + _left_out(len(others) - len(rows), "more are in the report of the run") + end


def _left_out(count: int, what: str) -> str:
    return f"\n\n*{count} {what}.*\n\n" if count > 0 else ""


def _steps(text: Text) -> str:
    """Return the shell lines that repeat the proof."""
    names = [shlex.quote(plain(f"./{path}" if path.startswith("-") else path)) for path in sorted(text.notebooks)]
    lines = [f"git fetch origin {text.branch}", "git switch --detach FETCH_HEAD"]
    lines.append(f"modernizer check {' '.join(names[:_MOST_COMMANDS])}")
    if len(names) > _MOST_COMMANDS:
        lines.append(f"# and {len(names) - _MOST_COMMANDS} more")
    return "\n".join(lines)
