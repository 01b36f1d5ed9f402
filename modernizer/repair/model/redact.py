"""What never leaves the machine: secrets, long encoded data, characters that people do not see; and fences for the rest."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

# Forms that providers give their keys, after the documentation of each, and values beside names that speak of secrets.
_KEYS = re.compile(
    r"""
    \b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}          # OpenAI and those who follow it
    | \bgh[pousr]_[A-Za-z0-9]{20,} | \bgithub_pat_[A-Za-z0-9_]{20,}
    | \bgl(?:pat|dt|rt)-[A-Za-z0-9_-]{16,}
    | \b(?:AKIA|ASIA)[0-9A-Z]{16}\b             # AWS
    | \bAIza[0-9A-Za-z_-]{30,}                  # Google
    | \bhf_[A-Za-z0-9]{20,}
    | \bxox[abprs]-[A-Za-z0-9-]{10,}            # Slack
    | \beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}   # JSON web tokens
    | -----BEGIN[ ][A-Z ]*PRIVATE[ ]KEY-----.*?(?:-----END[ ][A-Z ]*PRIVATE[ ]KEY-----|\Z)
    """,
    re.VERBOSE | re.DOTALL,
)
_NAMED = re.compile(
    r"""(?P<head>(?:api[_-]?key|apikey|secret|token|passw(?:or)?d|passwd|pwd|access[_-]?key|private[_-]?key|credential|auth)\w*
        ["']?\]?\s*(?:=|:)\s*[rbuRBU]?["'])(?P<value>[^"'\n]{6,})(?=["'])""",
    re.VERBOSE | re.IGNORECASE,
)
_IN_ADDRESS = re.compile(r"(?P<head>\b[a-z][a-z0-9+.-]*://[^\s:/@\"']{1,64}:)(?P<value>[^\s/@\"']{3,})(?=@)", re.IGNORECASE)
_BEARER = re.compile(r"(?P<head>\bBearer\s+)(?P<value>[A-Za-z0-9._~+/=-]{12,})", re.IGNORECASE)
_ENCODED = re.compile(r"[A-Za-z0-9+/_-]{160,}={0,2}")
_KEPT = frozenset("\n\t\r")
_SHORTEST = 6
"""Shorter values, such as ``on``, are no secrets and would make holes in every text."""
_SELECTORS = re.compile("[\\ufe00-\\ufe0f\\U000e0100-\\U000e01ef]")


@dataclass
class Redactor:
    """Replaces what must not be sent by marks, the same mark for the same text, and puts it back into answers.

    ``secrets`` are values known to be secret, such as our own keys.
    """

    secrets: Iterable[str] = ()
    _marks: dict[str, str] = field(default_factory=dict)

    def hide(self, text: str) -> str:
        """Return the text without secrets, long encoded data and hidden characters."""
        for secret in sorted((value for value in self.secrets if len(value) >= _SHORTEST), key=len, reverse=True):
            if secret in text:
                text = text.replace(secret, self._mark(secret, "secret"))
        text = _KEYS.sub(lambda found: self._mark(found[0], "secret"), text)
        for pattern in (_NAMED, _IN_ADDRESS, _BEARER):
            text = pattern.sub(lambda found: found["head"] + self._mark(found["value"], "secret"), text)
        text = _ENCODED.sub(lambda found: self._mark(found[0], "data"), text)
        return visible(text)

    def restore(self, text: str) -> str:
        """Put back what marks stand for."""
        for hidden, mark in self._marks.items():
            text = text.replace(mark, hidden)
        return text

    def _mark(self, hidden: str, kind: str) -> str:
        if hidden.startswith("<hidden-"):
            return hidden
        return self._marks.setdefault(hidden, f"<hidden-{kind}-{len(self._marks) + 1}>")


def visible(text: str) -> str:
    """Drop characters that people do not see but models read: format and control characters, tags, variation selectors."""
    return "".join(char for char in text if char in _KEPT or not _is_hidden(char))


def _is_hidden(char: str) -> bool:
    if char.isascii():
        return not char.isprintable()
    return unicodedata.category(char) in {"Cf", "Cc", "Cs", "Co", "Cn"} or bool(_SELECTORS.match(char))


def delimiter(parts: Iterable[str]) -> str:
    """Return a word to fence data with that the data can't contain: it is made from a hash of all of it.

    The same data gives the same word, so that answers can be kept; who writes the data can't foresee it.
    """
    texts = list(parts)
    digest = hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass"))
    while True:
        word = f"data-{digest.hexdigest()[:16]}"
        if not any(word in text for text in texts):
            return word
        digest.update(b"again")


def without_keys(data: Mapping[str, object], secrets: Iterable[str]) -> dict[str, object]:
    """Return JSON data with every known secret in its texts replaced."""
    redactor = Redactor(tuple(secrets))

    def clean(value: object) -> object:
        if isinstance(value, str):
            return redactor.hide(value)
        if isinstance(value, Mapping):
            return {str(key): clean(item) for key, item in value.items()}
        return [clean(item) for item in value] if isinstance(value, list | tuple) else value

    return {key: clean(value) for key, value in data.items()}
