"""Takes over whole cells and modules from an answer, unless they are not whole or not the ones that it names."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping

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
        for trouble in _troubles(unit, new, sources):
            raise DiffRefusedError(trouble)
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


def _troubles(unit: Key, new: str, sources: Mapping[Key, str]) -> Iterator[str]:
    """Say why a replaced unit can't be taken over."""
    before = sources[unit]
    if not new.strip() and before.strip():
        yield f"the answer empties {named(unit)}; cells must stay"
    if line := left_out(new, before):
        yield f"the line {line[:80]!r} stands for code that was left out; send a diff, or {named(unit)} with every line"
    if _CONFLICT.search(new) and not _CONFLICT.search(before):
        yield f"{named(unit)} holds marks of two versions; send a diff"
    numbers = [int(found[1]) if (found := _NUMBERED.match(line)) else None for line in new.split("\n") if line.strip()]
    if len(numbers) > 1 and numbers == list(range(numbers[0] or 0, (numbers[0] or 0) + len(numbers))):
        yield f"{named(unit)} has line numbers; send the code without them"
    had, has = _lines(before), _lines(new)
    if len(had) >= _SHORT and 2 * len(has) < len(had):
        yield f"{named(unit)} had {len(had)} lines and the answer has {len(has)}; send a diff, or every line"
    if (first := new.lstrip().partition("\n")[0]).startswith("# %%") and not before.lstrip().startswith("# %%"):
        yield f"the header {first[:60]!r} names no cell that was shown"
    yield from _mistaken(unit, new, sources)


def _mistaken(unit: Key, new: str, sources: Mapping[Key, str]) -> Iterator[str]:
    """Find other units whose code stands where a unit's own should, or behind it."""
    had, has = _lines(sources[unit]), _lines(new)
    strange = {line for line in has if line not in had}
    unlike = likeness(new, sources[unit]) < _UNLIKE
    for other, source in sources.items():
        if other == unit:
            continue
        if unlike and likeness(new, source) >= _ALIKE:
            yield f"the code given for {named(unit)} is that of {named(other)}; name the cell by its number in the `# %%` header"
        lines = _lines(source)
        if len(has) > len(had) and len(lines) >= _SHORT and sum(line in strange for line in lines) >= _ALIKE * len(lines):
            yield f"the code given for {named(unit)} holds that of {named(other)} too; put a `# %%` header above each cell"


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]


def _with_old_lines(before: str, new: str) -> str:
    """Give lines that differ only in blanks at their end the text they had."""
    old: dict[str, str] = {}
    for line in before.split("\n"):
        old.setdefault(line.rstrip(), line)
    return "\n".join(old.get(line, line) for line in new.split("\n"))
