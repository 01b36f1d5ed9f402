"""What never leaves the machine: secrets, long encoded data, characters that people do not see; and fences for the rest."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from modernizer.repair.model.secret_forms import FORMS

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
        for form in FORMS:
            text = form.replaced(text, self._mark)
        return visible(text)

    def restore(self, text: str) -> str:
        """Put back what marks stand for."""
        for hidden, mark in reversed(self._marks.items()):
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
