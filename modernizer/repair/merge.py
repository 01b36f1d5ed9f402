"""Fixes of one recipe over several rounds, told as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from modernizer.repair.outcome import Fix


def merge_fixes(fixes: Sequence[Fix], new: Sequence[Fix]) -> list[Fix]:
    """Join the fixes of one recipe over several rounds into one, in order of first use; proposed edits stay apart."""
    merged = {(fix.origin, "" if fix.origin.startswith("recipe:") else str(place)): fix for place, fix in enumerate(fixes)}
    for fix in new:
        old = merged.get((fix.origin, ""))
        merged[fix.origin, ""] = (
            fix
            if old is None
            else replace(
                old,
                cells=tuple(sorted({*old.cells, *fix.cells})),
                files=tuple(sorted({*old.files, *fix.files})),
                lines_changed=old.lines_changed + fix.lines_changed,
                explanation=old.explanation if old.explanation == fix.explanation else _joined(old.explanation, fix.explanation),
            )
        )
    return list(merged.values())


def _joined(first: str, second: str) -> str:
    """Join two explanations of one recipe, whose notes stand in the last parentheses."""
    head, _, notes = first.removesuffix(")").rpartition(" (")
    other_head, _, other = second.removesuffix(")").rpartition(" (")
    if head and head == other_head:
        known = notes.split(", ")
        return f"{head} ({', '.join([*known, *(note for note in other.split(', ') if note not in known)])})"
    return first if second in first else f"{first} {second}"
