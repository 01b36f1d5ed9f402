"""Lines that stand for code an answer left out: such an answer is no edit."""

from __future__ import annotations

import re

_DOTS = r"(?:\.{3,}|…)"
_REST = r"rest|remainder|remaining|existing|previous|original|other|same"
_PART = r"code|cell|lines?|part|unchanged|same|omitted|here|before|above|as is"
_WORDS = (
    rf"\b(?:{_REST})\b.{{0,40}}\b(?:{_PART})\b"
    r"|\b(?:unchanged|omitted|as before|(?:stays?|remains?) the same|no changes?|keep (?:the )?rest)\b"
    r"|\bsnip\b|\byour (?:own )?code\b|\bgoes here\b"
    r"|\brest\b.*\b(?:bleibt|wie)\b|\bunver[aä]ndert\w*|\binchang\w*|\bsin cambios\b|не ?измен|不变|省略|以下同|変更なし"
)
_COMMENT = rf"(?:#|//|<!--)\s*(?:{_DOTS}.*|.*{_DOTS}\s*(?:-->)?|\(?.*(?:{_WORDS}).*)"
_STANDS_FOR = re.compile(rf"^\s*(?:{_DOTS}|[^#=]*[^#=!<>]=\s*{_DOTS}|(?:pass\s*)?{_COMMENT})\s*$", re.IGNORECASE)


def left_out(new: str, before: str) -> str | None:
    """Return the first new line that stands for omitted code and wasn't in the code before."""
    known = {line.strip() for line in before.split("\n")}
    return next((line.strip() for line in new.split("\n") if line.strip() not in known and _STANDS_FOR.match(line)), None)
