"""Marks that an answer got on its way and that the code never had: HTML escapes, typographic quotes, odd blanks."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

from modernizer.repair.program import Key

_ESCAPED = re.compile(r"&(?:lt|gt|amp|quot|apos|nbsp|#\d+|#x[0-9a-fA-F]+);")
_PLAIN = {
    "\u2018": "'",
    "\u2019": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u00a0": " ",
    "\u202f": " ",
    "\u200b": "",
    "\u2060": "",
    "\ufeff": "",
}
_MINUS = re.compile(r"^[\u2212\u2013](?=\S| {2})", re.MULTILINE)


def plainly_typed(text: str, sources: Mapping[Key, str]) -> str:
    """Return an answer with such marks undone, each only when no shown unit has one of its kind."""
    code = "\n".join(sources.values())
    if _ESCAPED.search(text) and not _ESCAPED.search(code):
        text = html.unescape(text)
    for mark in (mark for mark in _PLAIN if mark not in code):
        text = text.replace(mark, _PLAIN[mark])
    return _MINUS.sub("-", text)
