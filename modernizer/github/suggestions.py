"""Repairs as suggestion blocks: raw lines of the notebook's file, only where a pull request's diff shows them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchSet

from modernizer.discovery import SUFFIX
from modernizer.line_diff import matching_blocks
from modernizer.proposal import only_code_changed

# One press for each: more than this nobody presses, and the pull request would drown.
MOST = 20


@dataclass(frozen=True)
class Suggestion:
    """New lines for lines ``start`` to ``end`` of a file, counted from 1; none deletes them."""

    path: str
    start: int
    end: int
    lines: tuple[str, ...]

    def block(self) -> str:
        """Return the suggestion block, with a fence longer than any in the lines."""
        longest = max((len(run) for line in self.lines for run in re.findall("`+", line)), default=0)
        fence = "`" * max(3, longest + 1)
        return "\n".join([f"{fence}suggestion", *self.lines, fence])

    def place(self) -> dict[str, str | int]:
        """Return where GitHub's API puts it."""
        where: dict[str, str | int] = {"path": self.path, "line": self.end, "side": "RIGHT"}
        return where if self.start == self.end else {**where, "start_line": self.start, "start_side": "RIGHT"}


def suggest(changes: Mapping[str, tuple[bytes, bytes]], diffs: Mapping[str, str]) -> list[Suggestion] | None:
    """Return suggestions that amount to the whole change, or None when the diffs don't show all the lines concerned.

    ``changes`` maps paths to bytes before and after, ``diffs`` paths to the hunks that GitHub shows of a pull request. Each
    suggestion is applied alone as a check: a notebook stays a valid one whichever of them people take.
    """
    found: list[Suggestion] = []
    for path, (before, after) in changes.items():
        made = _of_file(path, before, after, _shown(diffs.get(path, "")))
        if made is None:
            return None
        found += made
    return found if 0 < len(found) <= MOST else None


def apply(text: bytes, suggestions: Sequence[Suggestion]) -> bytes:
    """Apply suggestions of one file as GitHub does: line for line, from the end."""
    lines = text.decode().split("\n")
    for item in sorted(suggestions, key=lambda item: -item.start):
        lines[item.start - 1 : item.end] = item.lines
    return "\n".join(lines).encode()


def _of_file(path: str, before: bytes, after: bytes, shown: Sequence[range]) -> list[Suggestion] | None:
    try:
        old, new = before.decode().split("\n"), after.decode().split("\n")
    except UnicodeDecodeError:
        return None
    # GitHub would write the lines with line feeds into a file of carriage returns.
    if "\r" in before.decode():
        return None
    made = [_placed(path, new, change) for change in _changes(old, new)]
    if not all(any(item.start in lines and item.end in lines for lines in shown) for item in made):
        return None
    sound = all(not path.endswith(SUFFIX) or only_code_changed(before, apply(before, [item])) for item in made)
    return made if sound and apply(before, made) == after else None


def _placed(path: str, new: Sequence[str], change: tuple[int, int, int, int]) -> Suggestion:
    """Make a suggestion of a change; what is only added takes a neighbouring line along, as there must be one to replace."""
    low, high, start, end = change
    if low == high and low:
        low, start = low - 1, start - 1
    elif low == high:
        high, end = high + 1, end + 1
    return Suggestion(path, low + 1, high, tuple(new[start:end]))


def _changes(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int, int]]:
    blocks = [(0, 0, 0), *matching_blocks(old, new), (len(old), len(new), 0)]
    ranges = [(i + size, next_i, j + size, next_j) for (i, j, size), (next_i, next_j, _) in pairwise(blocks)]
    return [item for item in ranges if item[0] != item[1] or item[2] != item[3]]


def _shown(hunks: str) -> list[range]:
    """Return the runs of lines of the new file that a diff shows; a suggestion must lie inside one."""
    if not hunks:
        return []
    try:
        patch = PatchSet(f"--- a/file\n+++ b/file\n{hunks}\n")
    except UnidiffParseError:
        return []
    return [range(hunk.target_start, hunk.target_start + hunk.target_length) for file in patch for hunk in file]
