"""An issue that lists every notebook with its state, and boxes that people tick to have one tried again or ignored."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from modernizer.github.body import BODY_LIMIT
from modernizer.github.client import Client
from modernizer.github.context import Context
from modernizer.github.marker import notebook_key
from modernizer.github.pull_request import Carried
from modernizer.report.markdown import fitting, macros
from modernizer.report.results import RunResult, headline
from modernizer.report.text import instant
from modernizer.report.view import view

LABEL = "notebook-dashboard"
TITLE = "Notebook dashboard"
NEEDS = "issues: write"
_MARK = "<!-- notebook-modernizer dashboard -->"
_BOX = re.compile(r"^\s*- \[[xX]\] <!-- (retry|ignore)=([0-9a-f]{8}) -->", re.MULTILINE)


@dataclass(frozen=True)
class Ticked:
    """The dashboard as people left it: the issue's number (0: none yet) and the notebooks whose boxes are ticked."""

    number: int = 0
    body: str = ""
    retry: frozenset[str] = field(default_factory=frozenset)
    ignore: frozenset[str] = field(default_factory=frozenset)


def read_dashboard(client: Client) -> Ticked:
    """Find the issue, open or closed, by its label and hidden mark."""
    issue = _find(client)
    if issue is None:
        return Ticked()
    body = issue["body"].replace("\r\n", "\n")
    boxes = {kind: frozenset(key for word, key in _BOX.findall(body) if word == kind) for kind in ("retry", "ignore")}
    return Ticked(issue["number"], body, boxes["retry"], boxes["ignore"])


def _find(client: Client) -> Any | None:  # noqa: ANN401 - GitHub's JSON
    listed = client.pages("/issues", doing="look for the dashboard", needs="issues: read", labels=LABEL, state="all")
    return next((issue for issue in listed if _MARK in (issue["body"] or "") and "pull_request" not in issue), None)


def write_dashboard(client: Client, context: Context, run: RunResult, ticked: Ticked, carried: Sequence[Carried]) -> str:
    """Make or edit the issue and return its address. A closed one stays closed: its text is kept up to date all the same."""
    body = render_dashboard(context, run, ticked.ignore, carried)
    if not ticked.number:
        fresh = {"title": TITLE, "body": body, "labels": [LABEL]}
        made = client.create("/issues", fresh, doing="open the dashboard", needs=NEEDS, made=lambda: _find(client))
        return str(made["html_url"])
    edited = client.patch(f"/issues/{ticked.number}", {"body": body}, doing="edit the dashboard", needs=NEEDS)
    return str(edited["html_url"])


def render_dashboard(context: Context, run: RunResult, ignored: frozenset[str], carried: Sequence[Carried]) -> str:
    """Render the issue's text below GitHub's limit, what needs a person first."""
    parts = macros("dashboard.md.j2", "modernizer.github")
    pulls = [item.number for item in carried if item.number and item.action != "withdrawn"]
    head = str(parts.head(headline(run), run, instant(run.finished or run.started), context.run_url, pulls)).strip() + "\n"
    items = sorted(view(run).notebooks, key=lambda item: item.result.final.good)
    rows = [str(parts.row(item)) for item in items]
    keyed = [(item, notebook_key(item.result.path)) for item in items]
    boxes = [
        # A key is hex digits of ours; escaped as prose it would not be found again.
        str(parts.boxes(item, Markup(key), key in ignored))  # noqa: S704
        for item, key in keyed
        if item.result.repaired or key in ignored
    ]
    # What is left out is no longer ticked: those that are come first.
    boxes.sort(key=lambda box: "[x]" not in box)
    room = BODY_LIMIT - 1_000 - len(head.encode())
    kept_boxes, _ = fitting(boxes, room // 2)
    kept_rows, _ = fitting(rows, room - sum(len(box.encode()) for box in kept_boxes))
    left = len(rows) - len(kept_rows)
    more = f"\n*{left} more notebooks are in the report of the run.*\n" if left else ""
    asked = f"\n{parts.asked()}\n" + "".join(kept_boxes) if kept_boxes else ""
    return f"{head}{''.join(kept_rows)}{more}{asked}\n{_MARK}\n"
