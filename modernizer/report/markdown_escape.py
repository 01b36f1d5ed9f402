"""Markdown that shows text from notebooks and models as data: no HTML, links, images, mentions, references or table breaks.

Rules are those of GitHub's flavour. Code spans and fences are safe against everything but their own delimiters; prose is
escaped sign by sign. Each function returns ``Markup``, which the templates take as it is; any other text becomes prose.
"""

from __future__ import annotations

import re

from markupsafe import Markup

from modernizer.report.text import one_line, plain

_SIGNS = re.compile(r"[\\`*_{}\[\]|~$#]")
_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
# What would start a list or underline a heading where a paragraph begins.
_START = re.compile(r"^(\d{1,9})([.)])(?=\s|$)|^()([-+=])")
# An empty sign between the parts of what GitHub would turn into a link: the text reads the same.
_GAP = "&#8203;"
_LINKED = re.compile(r"(?i)@|#|\bwww(?=\.)|\b(?:https?|ftp|mailto|xmpp)(?=:)|\bgh(?=-)|\b[0-9a-f]{6}(?=[0-9a-f]{1,58}\b)")


def prose(value: object) -> Markup:
    """Escape a text of one paragraph."""
    if isinstance(value, Markup):
        return value
    text = one_line(str(value), limit=2_000)
    # one_line() leaves no NUL, so it can keep the places of the gaps until everything else is escaped.
    text = _LINKED.sub(lambda found: f"{found[0]}\0", text)
    text = re.sub("[&<>]", lambda found: _HTML[found[0]], _SIGNS.sub(lambda found: "\\" + found[0], text))
    text = _START.sub(lambda found: f"{found[1] or ''}\\{found[2] or found[4]}", text)
    return Markup(text.replace("\0", _GAP))  # noqa: S704 - this is the escaping


def code(value: object, limit: int = 200) -> Markup:
    """Return a code span, or nothing for an empty text."""
    text = one_line(str(value), limit)
    return Markup(_span(text) if text else "")  # noqa: S704 - this is the escaping


def cell(value: object, limit: int = 200) -> Markup:
    """Return a code span for a table, where a pipe needs a backslash; one that already has a backslash becomes ``¦``."""
    text = one_line(str(value), limit).replace("\\|", "\\¦").replace("|", "\\|")
    return Markup(_span(text) if text else "")  # noqa: S704 - this is the escaping


def _span(text: str) -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def html_code(value: object, limit: int = 200) -> Markup:
    """Return code for a line of HTML, in which markdown has no say."""
    return Markup("<code>{}</code>").format(one_line(str(value), limit))


def fence(value: object, language: str = "text") -> Markup:
    """Return a fenced block whose fence is longer than any in the text."""
    text = plain(str(value)).rstrip("\n")
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return Markup(f"{ticks}{language}\n{text}\n{ticks}")  # noqa: S704 - this is the escaping


def target(address: str) -> Markup:
    """Return an address of our own choice as a link target."""
    return Markup(f"<{address}>")  # noqa: S704 - callers only pass addresses from advice.link()
