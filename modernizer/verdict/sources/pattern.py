"""A score that a regular expression finds in the printed texts; of several places the last one counts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from modernizer.verdict.numbers import numbers, plain
from modernizer.verdict.output_text import displayed, text_of
from modernizer.verdict.sources.found import Found

_LONGEST = 1_000_000
"""Characters of one cell that are searched, from the end."""


def find_pattern(pattern: str, outputs: Mapping[int, Sequence[Mapping[str, Any]]]) -> Found:
    """Search what the cells wrote to either stream and displayed as text."""
    for cell in sorted(outputs, reverse=True):
        found = list(re.finditer(pattern, _text(outputs[cell])[-_LONGEST:], re.MULTILINE))
        if found:
            return _number(found[-1].group(1) or "", cell)
    return Found(None, "the pattern is found nowhere")


def _text(outputs: Sequence[Mapping[str, Any]]) -> str:
    written: dict[str, str] = {}
    for output in outputs:
        if output.get("output_type") == "stream":
            name = str(output.get("name", "stdout"))
            written[name] = written.get(name, "") + text_of(output.get("text"))
    return "\n".join(plain(text) for text in (*written.values(), *map(displayed, outputs)) if text)


def _number(text: str, cell: int) -> Found:
    read = numbers(text.strip().rstrip("."))
    if len(read) != 1:
        return Found(None, f"what the pattern finds is no number: {text[:40]!r}", cell=cell)
    return Found(read[0].value, "", read[0].resolution, cell)
