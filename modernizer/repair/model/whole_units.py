"""Takes over whole cells and modules from an answer, unless they are not whole or not the ones that it names."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping

from modernizer.repair.model.diff_text import DiffRefusedError
from modernizer.repair.model.left_out import left_out
from modernizer.repair.program import Key

_NUMBERED = re.compile(r"^\s*(\d+)\s*(?:[|:.)│]\s?|\s)")
_PROMPT = re.compile(r"\A\s*In\s*\[[\d *]*\]:?[ \t]*\n")
_CONFLICT = re.compile(r"^(?:<{5,}|={7,}$|>{5,})", re.MULTILINE)
_ALIKE = 0.6
_UNLIKE = 0.3
# Cells with fewer lines may well shrink to a part of them.
_SHORT = 4


def whole(replaced: Mapping[Key, str], sources: Mapping[Key, str]) -> dict[Key, str]:
    """Return the new sources, with the program's own end of the last line. Raises DiffRefusedError with a reason."""
    changes: dict[Key, str] = {}
    for unit, text in replaced.items():
        before = sources[unit]
        new = "\n".join(line.rstrip() if line.strip() else "" for line in _PROMPT.sub("", text).strip("\n").split("\n"))
        if reason := _unusable(unit, new, sources):
            raise DiffRefusedError(reason)
        new = _with_old_lines(before, new)
        new += before[len(before.rstrip("\n")) :]
        if new != before:
            changes[unit] = new
    return changes


def likeness(one: str, other: str) -> float:
    """Tell how much two sources have the same lines, from 0 to 1."""
    return difflib.SequenceMatcher(None, _lines(one), _lines(other), autojunk=False).ratio()


def named(unit: Key) -> str:
    """Name a unit as in messages to the model."""
    return f"cell {unit}" if isinstance(unit, int) else str(unit)


def _unusable(unit: Key, new: str, sources: Mapping[Key, str]) -> str | None:
    """Say why a replaced unit can't be taken over."""
    before = sources[unit]
    if not new.strip() and before.strip():
        return f"the answer empties {named(unit)}; cells must stay"
    if line := left_out(new, before):
        return f"the line {line[:80]!r} stands for code that was left out; send a diff, or {named(unit)} with every line"
    if _CONFLICT.search(new) and not _CONFLICT.search(before):
        return f"{named(unit)} holds marks of two versions; send a diff"
    numbers = [int(found[1]) if (found := _NUMBERED.match(line)) else None for line in new.split("\n") if line.strip()]
    if len(numbers) > 1 and numbers == list(range(numbers[0] or 0, (numbers[0] or 0) + len(numbers))):
        return f"{named(unit)} has line numbers; send the code without them"
    had, has = _lines(before), _lines(new)
    if len(had) >= _SHORT and 2 * len(has) < len(had):
        return f"{named(unit)} had {len(had)} lines and the answer has {len(has)}; send a diff, or every line"
    other = max((one for one in sources if one != unit), key=lambda one: likeness(new, sources[one]), default=None)
    if other is not None and likeness(new, before) < _UNLIKE and likeness(new, sources[other]) >= _ALIKE:
        return f"the code given for {named(unit)} is that of {named(other)}; name the cell by its number in the `# %%` header"
    return None


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]


def _with_old_lines(before: str, new: str) -> str:
    """Give lines that differ only in blanks at their end the text they had."""
    old: dict[str, str] = {}
    for line in before.split("\n"):
        old.setdefault(line.rstrip(), line)
    return "\n".join(old.get(line, line) for line in new.split("\n"))
