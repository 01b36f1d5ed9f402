"""badge.json for shields and badge.svg drawn here: how many notebooks of the repository end good, and on which day."""

from __future__ import annotations

import json
from collections.abc import Sequence
from xml.sax.saxutils import escape

from modernizer.report.results import RunResult, worst
from modernizer.verdict.outcome import Outcome, Verdict

LABEL = "notebooks"
_COLOURS: dict[Verdict, str] = {
    "reproduced": "brightgreen",
    "ran": "green",
    "blocked": "yellow",
    "drifted": "orange",
    "timed-out": "orange",
    "crashed": "red",
    "broken": "red",
}
_HEX = {
    "brightgreen": "#2da44e",
    "green": "#57ab5a",
    "yellow": "#b08800",
    "orange": "#d4691a",
    "red": "#cf222e",
    "lightgrey": "#6e7781",
}
# Rough widths of 11 px sans-serif characters; textLength makes the text fit where a font differs.
_WIDTH = 6.6
_NARROW = dict.fromkeys("fijlrt1.,:/ ", 4.2)


def badge_outcomes(run: RunResult) -> list[Outcome]:
    """Return the outcomes the repository has as it stands: repairs count only once they are in it."""
    return [result.final if run.applied else result.before for result in run.notebooks]


def badge_message(run: RunResult) -> str:
    """Return for example ``12/14 reproduced, 2026-12-01``; where some only ran, the word is ``good`` or ``run``."""
    outcomes = badge_outcomes(run)
    if not outcomes:
        return "none found"
    good = [outcome.verdict for outcome in outcomes if outcome.good]
    word = "run" if good and set(good) == {"ran"} else "reproduced" if "ran" not in good else "good"
    day = (run.finished or run.started)[:10]
    text = f"{len(good)}/{len(outcomes)} {word}, {day}"
    return f"{text}, interrupted" if run.interrupted else text


def badge_colour(run: RunResult) -> str:
    """Return the shields colour of the worst verdict; grey when there is nothing to say or the run was stopped."""
    verdict = worst(outcome.verdict for outcome in badge_outcomes(run))
    return "lightgrey" if verdict is None or run.interrupted else _COLOURS[verdict]


def render_badge_json(run: RunResult) -> str:
    """Return the content of the shields endpoint file."""
    content = {"schemaVersion": 1, "label": LABEL, "message": badge_message(run), "color": badge_colour(run)}
    return json.dumps(content, indent=2) + "\n"


def render_badge_svg(run: RunResult) -> str:
    """Draw the badge: two boxes with text, no fonts or images from elsewhere."""
    return _draw(LABEL, badge_message(run), _HEX[badge_colour(run)])


def _draw(label: str, message: str, colour: str) -> str:
    left, right = _text_width(label), _text_width(message)
    middle, width = left + 12, left + right + 24
    title = escape(f"{label}: {message}")
    texts = "\n".join(_text(text, x, length) for text, x, length in _placed(label, message, left, right, middle))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="{title}">
<title>{title}</title>
<clipPath id="r"><rect width="{width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)">
<rect width="{middle}" height="20" fill="#444d56"/>
<rect x="{middle}" width="{width - middle}" height="20" fill="{colour}"/>
</g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
{texts}
</g>
</svg>
"""


def _placed(label: str, message: str, left: int, right: int, middle: int) -> Sequence[tuple[str, int, int]]:
    return [(label, 6, left), (message, middle + 6, right)]


def _text(text: str, x: int, length: int) -> str:
    return f'<text x="{x}" y="14" textLength="{length}" lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'


def _text_width(text: str) -> int:
    return round(sum(_NARROW.get(char, _WIDTH) for char in text))
