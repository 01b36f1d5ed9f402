"""How a file writes the characters in its JSON strings: bare or escaped, and in which of the possible escapes."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence

Encode = Callable[[str], str]

_PAIR = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_TOKEN = re.compile(rf"{_PAIR}|\\u[0-9a-fA-F]{{4}}|\\.|[^\\]", re.DOTALL)
_SHORT = {"\n": r"\n", "\t": r"\t", "\r": r"\r", "\b": r"\b", "\f": r"\f", '"': r"\"", "\\": r"\\"}
# Characters that writers disagree on: some escape them, some don't.
_NOTABLE = re.compile(r"""[^ -~]|[/<>&'=]""")
_ASCII_END = 0x7F


def written_characters(inside: str) -> list[str]:
    """Cut what stands between the quotes of a JSON string into the written forms of its characters."""
    return _TOKEN.findall(inside)


def encoder_of_file(sources: Sequence[str], document: str) -> Callable[[str], Encode]:
    """Return a function that takes one source's JSON text and returns how a character is written in it.

    As in that source, else as in all ``sources`` of the file, else as anywhere in the ``document``.
    """
    around = _notable_tokens(sources)
    other_forms = _most_common(around)
    file_escapes = _escapes_beyond_ascii(around)
    if file_escapes is None:
        file_escapes = document.isascii() and _has_escape_beyond_ascii(document)
    hexes = "".join(token[2:] for _, token in around if token.startswith(r"\u"))
    upper = bool(re.search("[A-F]", hexes)) and not re.search("[a-f]", hexes)

    def encoder(own: str) -> Encode:
        inside = _notable_tokens([own])
        own_forms = _most_common(inside)
        own_escapes = _escapes_beyond_ascii(inside)
        escaped = file_escapes if own_escapes is None else own_escapes

        def encode(character: str) -> str:
            if character in own_forms:
                return own_forms[character]
            if ord(character) >= _ASCII_END:
                return _escape(character, upper=upper) if escaped or _is_surrogate(character) else character
            if character in other_forms:
                return other_forms[character]
            return _SHORT.get(character) or (_escape(character, upper=upper) if character < " " else character)

        return encode

    return encoder


def _is_surrogate(character: str) -> bool:
    """Half a surrogate pair can only be written as an escape: UTF-8 has no form for it."""
    return "\ud800" <= character <= "\udfff"


def _escape(character: str, *, upper: bool) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    codes = [int.from_bytes(units[i : i + 2], "big") for i in range(0, len(units), 2)]
    return "".join(rf"\u{code:04X}" if upper else rf"\u{code:04x}" for code in codes)


def _notable_tokens(literals: Sequence[str]) -> Counter[tuple[str, str]]:
    """Count how characters that writers disagree on are written, as (character, written form)."""
    tokens: Counter[str] = Counter()
    for literal in literals:
        tokens.update(written_characters(literal))
    found: Counter[tuple[str, str]] = Counter()
    for written, count in tokens.items():
        # Bare control characters are the file's own layout between the items of a list.
        if written >= " " and _NOTABLE.match(character := json.loads(f'"{written}"') if written[0] == "\\" else written):
            found[character, written] = count
    return found


def _most_common(tokens: Counter[tuple[str, str]]) -> dict[str, str]:
    return {character: token for (character, token), _ in reversed(tokens.most_common())}


def _escapes_beyond_ascii(tokens: Counter[tuple[str, str]]) -> bool | None:
    """Tell whether most characters beyond ASCII are written as escapes; None when there are none, or as many as not."""
    votes = sum(
        count if token[0] == "\\" else -count for (character, token), count in tokens.items() if ord(character) > _ASCII_END
    )
    return votes > 0 if votes else None


def _has_escape_beyond_ascii(document: str) -> bool:
    escapes = re.finditer(r"\\u(?!00[0-7])[0-9a-fA-F]{4}", document)
    # After another backslash it may be the text of an escape, not an escape.
    return any(document[escape.start() - 1] != "\\" for escape in escapes)
