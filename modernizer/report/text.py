"""Makes text from notebooks and models harmless to show: nothing hidden, nothing a terminal or a runner would obey."""

from __future__ import annotations

import re
import unicodedata

# The escape sequences of terminals: colours, cursor moves, window titles and links.
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
# Categories whose characters have no look of their own, and some more that are drawn as nothing.
_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {chr(code) for code in range(0xE0100, 0xE01F0)}
_VARIATIONS = frozenset(chr(code) for code in range(0xFE00, 0xFE0F))
_SUSPECT = re.compile(r"[^\x20-\x7e\n\t]")
# GitHub's runner obeys a line that starts with "::" and an older form, "##[", anywhere in a line.
_COMMAND = re.compile(r"^([^\S\n]*)::", re.MULTILINE)

_INSTANT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?(?:Z|\+00:00)")
_INSTALLED = re.compile(r"(?<![\w.])/(?:[^/\s'\"():]+/)*lib(?:64)?/python3\.\d+/(site-packages/)")


def plain(text: str) -> str:
    r"""Return the text without terminal sequences and with every hidden character shown, as ``\u202e``.

    Line ends become ``\n``; workflow commands of a CI runner are broken up so that they are text wherever it is printed.
    """
    text = _ANSI.sub("", text).replace("\r\n", "\n")
    text = _SUSPECT.sub(_show, text)
    return _COMMAND.sub(r"\1: :", text).replace("##[", "# #[")


def without_places(text: str) -> str:
    """Shorten the paths of installed packages, which lie in a folder that only this machine has."""
    return _INSTALLED.sub(r"\1", text)


def one_line(text: str, limit: int = 200) -> str:
    """Return the text on one line: line ends shown as ``⏎``, a long one cut."""
    text = plain(text.strip()).replace("\t", " ").replace("\n", " ⏎ ")
    return text if len(text) <= limit else text[: limit - 1] + "…"


def instant(text: str) -> str:
    """Write an ISO 8601 instant in UTC as people do: ``2026-12-01 06:05 UTC``; another text stays as it is."""
    found = _INSTANT.fullmatch(text)
    return f"{found[1]} {found[2]} UTC" if found else text


def _show(found: re.Match[str]) -> str:
    char = found[0]
    if char not in _BLANK and char not in _VARIATIONS and unicodedata.category(char) not in _HIDDEN:
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"  # noqa: PLR2004
