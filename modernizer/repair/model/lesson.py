"""What one proven edit teaches: the blocks of lines it replaced, for which error, and where else they fit."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from modernizer.line_diff import matching_blocks
from modernizer.repair.model.redact import Redactor
from modernizer.repair.program import Key, Program
from modernizer.repair.proposer import Edit
from modernizer.repair.recipe import Failure
from modernizer.verdict.outcome import Diagnosis

_WORTH = 12
"""Characters a replaced text must have: shorter ones, such as ``)``, stand for nothing."""
_LONGEST = 4_000


@dataclass(frozen=True)
class Block:
    """Lines and their replacement, both without the indentation that they have in common."""

    before: str
    after: str


@dataclass(frozen=True)
class Lesson:
    """One proven edit: its diagnosis, the error's name, the line that failed, and every block it replaced."""

    kind: str
    symbol: str
    error: str
    line: str
    blocks: tuple[Block, ...]
    explanation: str = ""


def lesson_of(edit: Edit, program: Program) -> Lesson | None:
    """Return what an edit teaches: those of its blocks that still stand in the proven program.

    None when a block says too little to be found again, or too much to be kept.
    """
    sources = program.sources()
    blocks = [
        block
        for unit, (before, after) in edit.changes.items()
        for block in _blocks(before, after)
        if _places(block.after.split("\n"), sources.get(unit, "").split("\n"))
    ]
    subject = _subject(edit.diagnosis, edit.message)
    told = f"As proven on another notebook: {subject}."
    lesson = Lesson(edit.diagnosis.kind, subject, edit.error, edit.line, tuple(blocks), told)
    return lesson if is_kept(lesson) else None


def is_kept(lesson: Lesson) -> bool:
    """Tell whether a lesson is made of text, says enough to be found again and not too much, and holds no secret."""
    about = (lesson.kind, lesson.symbol, lesson.error, lesson.line, lesson.explanation)
    texts = [*about, *(text for block in lesson.blocks for text in (block.before, block.after))]
    if not lesson.blocks or not all(isinstance(text, str) and len(text) <= _LONGEST for text in texts):
        return False
    text = "\n".join(texts)
    edited = sum(len(block.before) + len(block.after) for block in lesson.blocks)
    telling = edited <= _LONGEST and all(len(block.before) >= _WORTH for block in lesson.blocks)
    return telling and "hidden-" not in text and Redactor().hide(text) == text


def is_about(lesson: Lesson, failure: Failure, line: str) -> bool:
    """Tell whether a lesson is for this diagnosis, this error and the text of this failing line."""
    about = _subject(failure.diagnosis, failure.error.message)
    return (lesson.kind, lesson.symbol, lesson.error, lesson.line) == (failure.diagnosis.kind, about, failure.error.name, line)


def applied(lesson: Lesson, program: Program, failure: Failure) -> dict[Key, str] | None:
    """Replace all blocks of a lesson; None unless each stands at one place only, or at the failing line."""
    lines = {unit: source.split("\n") for unit, source in program.sources().items()}
    found: list[tuple[Key, int, int, Block]] = []
    for block in lesson.blocks:
        old = block.before.split("\n")
        places = [(unit, at) for unit, text in lines.items() for at in _places(old, text)]
        near = [(unit, at) for unit, at in places if unit == failure.unit and _covers(at, len(old), failure.line)]
        if len(near or places) != 1:
            return None
        unit, at = (near or places)[0]
        found.append((unit, at, len(old), block))
    changed: dict[Key, list[str]] = {}
    last: dict[Key, int] = {}
    for unit, at, length, block in sorted(found, key=lambda item: (str(item[0]), item[1]), reverse=True):
        if at + length > last.get(unit, at + length):
            return None
        last[unit] = at
        text = changed.setdefault(unit, list(lines[unit]))
        indent = text[at][: _width(text[at]) - _width(block.before)]
        text[at : at + length] = textwrap.indent(block.after, indent).split("\n")
    return {unit: "\n".join(text) for unit, text in changed.items()}


def _blocks(before: str, after: str) -> list[Block]:
    """List the replaced blocks; one that only adds or removes takes a neighbouring line along, to be found by."""
    old, new = before.split("\n"), after.split("\n")
    blocks: list[Block] = []
    low = start = 0
    for at, there, size in [*matching_blocks(old, new), (len(old), len(new), 0)]:
        removed, added = old[low:at], new[start:there]
        if removed or added:
            if not (removed and added):
                above, below = old[max(0, low - 1) : low], old[at : at + 1]
                if "".join(above).strip():
                    removed, added = [*above, *removed], [*above, *added]
                else:
                    removed, added = [*removed, *below], [*added, *below]
            blocks.append(_bare_block(removed, added))
        low, start = at + size, there + size
    return blocks


def _bare_block(removed: Sequence[str], added: Sequence[str]) -> Block:
    indents = [_width(line) for line in (*removed, *added) if line.strip()]
    cut = min(indents, default=0)
    return Block(*("\n".join(line[cut:].rstrip() for line in lines) for lines in (removed, added)))


def _places(old: Sequence[str], lines: Sequence[str]) -> list[int]:
    return [at for at in range(len(lines) - len(old) + 1) if _bare(lines[at : at + len(old)]) == _bare(old)]


def _bare(lines: Sequence[str]) -> list[str]:
    return [line.rstrip() for line in textwrap.dedent("\n".join(lines)).split("\n")]


def _covers(at: int, length: int, line: int | None) -> bool:
    return line is None or at <= line - 1 < at + length


def _width(text: str) -> int:
    """Return how many blanks a text begins with."""
    return len(text) - len(text.lstrip(" \t"))


def _subject(diagnosis: Diagnosis, message: str) -> str:
    """Return the symbol a diagnosis is about, else the error's message without its numbers."""
    return diagnosis.symbol or re.sub(r"\d+", "#", message)[:300]
