"""badge.json for shields and badge.svg drawn here: how many notebooks of the repository end good, and on which day."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from modernizer.report.results import RunResult, worst
from modernizer.verdict.outcome import GOOD, Outcome, Verdict

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


@dataclass(frozen=True)
class Standing:
    """What a badge tells: how many notebooks have which verdict, on which day, and why that is no longer to be relied on."""

    verdicts: Mapping[Verdict, int]
    day: str
    doubt: str = ""

    @property
    def message(self) -> str:
        """Return for example ``12/14 reproduced, 2026-12-01``; where some only ran, the word is ``good`` or ``run``."""
        if not self.verdicts:
            return f"none found, {self.doubt}" if self.doubt else "none found"
        good = {verdict: count for verdict, count in self.verdicts.items() if verdict in GOOD}
        word = "run" if good.keys() == {"ran"} else "reproduced" if "ran" not in good else "good"
        text = f"{sum(good.values())}/{sum(self.verdicts.values())} {word}, {self.day}"
        return f"{text}, {self.doubt}" if self.doubt else text

    @property
    def colour(self) -> str:
        """Return the shields colour of the worst verdict; grey when there is nothing to say or a reason for doubt."""
        verdict = worst(self.verdicts)
        return "lightgrey" if verdict is None or self.doubt else _COLOURS[verdict]

    def as_json(self) -> str:
        """Return the content of the shields endpoint file."""
        content = {"schemaVersion": 1, "label": LABEL, "message": self.message, "color": self.colour}
        return json.dumps(content, indent=2) + "\n"

    def as_svg(self) -> str:
        """Draw the badge: two boxes with text, no fonts or images from elsewhere."""
        return _draw(LABEL, self.message, _HEX[self.colour])


def badge_outcomes(run: RunResult) -> list[Outcome]:
    """Return the outcomes the repository has as it stands: repairs count only once they are in it."""
    return [result.final if run.applied else result.before for result in run.notebooks]


def standing(run: RunResult) -> Standing:
    """Return what a badge tells of a run."""
    verdicts = [outcome.verdict for outcome in badge_outcomes(run)]
    counted = {verdict: verdicts.count(verdict) for verdict in sorted(set(verdicts))}
    return Standing(counted, (run.finished or run.started)[:10], "interrupted" if run.interrupted else "")


def badge_message(run: RunResult) -> str:
    """Return the text of a run's badge."""
    return standing(run).message


def badge_colour(run: RunResult) -> str:
    """Return the shields colour of a run's badge."""
    return standing(run).colour


def render_badge_json(run: RunResult) -> str:
    """Return the content of the shields endpoint file."""
    return standing(run).as_json()


def render_badge_svg(run: RunResult) -> str:
    """Draw the badge of a run."""
    return standing(run).as_svg()


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
