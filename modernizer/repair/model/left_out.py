"""Lines that stand for code an answer left out: such an answer is no edit."""

from __future__ import annotations

import re

_DOTS = r"(?:\.{3,}|…)"
_WORDS = (
    r"\b(?:rest|remainder|remaining|existing|previous|original|other|same)\b.{0,40}\b(?:code|cell|lines?|part|unchanged|same|omitted|here|before"
    r"|above|as is)\b|\b(?:unchanged|omitted|as before|(?:stays?|remains?) the same|no changes?|keep (?:the )?rest)\b"
    r"|\brest\b.*\b(?:unver\w+|bleibt|wie)\b|\bunver[aä]ndert\w*|\binchang\w*|\bsin cambios\b|не ?измен|不变|省略|以下同|変更なし"
)
_STANDS_FOR = re.compile(
    rf"^\s*(?:{_DOTS}|(?:#|//|<!--)\s*(?:{_DOTS}.*|.*{_DOTS}\s*(?:-->)?|\(?.*(?:{_WORDS}).*))\s*$", re.IGNORECASE
)


def left_out(new: str, before: str) -> str | None:
    """Return the first new line that stands for omitted code and wasn't in the code before."""
    known = {line.strip() for line in before.split("\n")}
    return next((line.strip() for line in new.split("\n") if line.strip() not in known and _STANDS_FOR.match(line)), None)
