"""report.html: the whole report in one file that loads nothing from elsewhere and runs no scripts."""

from __future__ import annotations

from functools import cache

from jinja2 import Template
from markupsafe import Markup

from modernizer.report.advice import link
from modernizer.report.reproduce import steps
from modernizer.report.results import SEVERITY, RunResult, totals
from modernizer.report.templating import environment
from modernizer.report.text import plain
from modernizer.report.view import view

HTML_DIFF_LINES = 2_000


def render_html(run: RunResult) -> str:
    """Render the report as a self-contained page."""
    counted = totals(run.notebooks)
    return _template().render(
        view=view(run, diff_lines=HTML_DIFF_LINES),
        counts=[(verdict, counted.before[verdict], counted.after[verdict]) for verdict in SEVERITY],
        steps=steps(run),
    )


def _finalize(value: object) -> object:
    """Show hidden characters; the escaping itself is jinja's."""
    return plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _template() -> Template:
    return environment(_finalize, link=link).get_template("report.html.j2")
