"""Path patterns of the configuration: translated to regular expressions, matched against whole repo-relative paths."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache


def matches(path: str, pattern: str) -> bool:
    """Tell whether the repo-relative posix path matches the whole pattern."""
    return _translate(pattern).fullmatch(path) is not None


def covers(path: str, pattern: str) -> bool:
    """Tell whether the pattern matches the path or one of the folders above it, as an exclude does."""
    parts = path.split("/")
    return any(matches("/".join(parts[:end]), pattern) for end in range(len(parts), 0, -1))


def first_cover(path: str, patterns: Iterable[str]) -> str | None:
    """Return the first of the patterns that covers the path."""
    return next((pattern for pattern in patterns if covers(path, pattern)), None)


def check_pattern(pattern: str) -> str:
    """Return the pattern if it is valid, else raise ValueError with the reason."""
    _translate(pattern)
    return pattern


@lru_cache(maxsize=1024)
def _translate(pattern: str) -> re.Pattern[str]:
    """Compile a pattern: ``*`` and ``?`` stay inside a folder, ``**`` is any number of folders, ``[ab]`` one character.

    ``glob.translate`` does the same but only exists since Python 3.13, and it lets a misspelt pattern pass.
    """
    text = pattern.removeprefix("./").rstrip("/")
    if not text:
        raise ValueError("a pattern can't be empty")
    if "\\" in text:
        raise ValueError(f"{pattern!r}: folders are separated by '/', not by a backslash")
    segments = text.split("/")
    if segments[0] == "" or ".." in segments:
        raise ValueError(f"{pattern!r}: patterns are relative to the repository and can't leave it")
    regex = ""
    for position, segment in enumerate(segments):
        last = position == len(segments) - 1
        if segment == "**":
            regex += ".+" if last else "(?:[^/]+/)*"
        elif "**" in segment:
            raise ValueError(f"{pattern!r}: '**' must stand alone between slashes")
        else:
            regex += _translate_segment(segment, pattern) + ("" if last else "/")
    return re.compile(regex, re.DOTALL)


def _translate_segment(segment: str, pattern: str) -> str:
    """Translate what stands between two slashes."""
    regex = ""
    position = 0
    while position < len(segment):
        char = segment[position]
        if char == "[":
            # A bracket right after the opening one, or after "!", is a member of the set.
            first = position + (2 if segment[position + 1 : position + 2] == "!" else 1)
            end = segment.find("]", first + 1)
            if end < 0:
                raise ValueError(f"{pattern!r}: '[' is never closed")
            members = segment[first:end]
            regex += f"(?!/)[{'^' if first == position + 2 else ''}{_escape_members(members)}]"
            position = end + 1
            continue
        regex += {"*": "[^/]*", "?": "[^/]"}.get(char, re.escape(char))
        position += 1
    return regex


def _escape_members(members: str) -> str:
    """Escape the inside of a set so that only ranges keep a meaning; a range that runs backwards is refused."""
    regex = ""
    position = 0
    while position < len(members):
        left, right = members[position], members[position + 2 : position + 3]
        if right and members[position + 1] == "-":
            if left > right:
                raise ValueError(f"[{members}]: the range {left}-{right} runs backwards")
            regex += f"{re.escape(left)}-{re.escape(right)}"
            position += 3
        else:
            regex += re.escape(left)
            position += 1
    return regex
