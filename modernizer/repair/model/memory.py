"""Edits proven on other notebooks, of this run or an earlier one: the same failing lines get the same replacement.

Kept in a file that a pipeline can cache. What it says is only a proposal: it passes the policy and the proof like any other.
"""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import re
import tempfile
import textwrap
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from modernizer.repair.proposer import Edit, Miss, Proposal, Situation
from modernizer.repair.recipe import Failure
from modernizer.verdict.outcome import Diagnosis

MEMORY = "memory.json"
ORIGIN = "memory"
_VERSION = 1
_MOST = 2_000
_LONGEST = 4_000
_WORTH = 12
"""Characters a replaced text must have: shorter ones, such as ``)``, stand for nothing."""


@dataclass(frozen=True)
class Lesson:
    """One proven replacement: for what diagnosis, and the lines before and after without their common indentation."""

    kind: str
    symbol: str
    error: str
    before: str
    after: str
    explanation: str = ""


@dataclass
class Memory:
    """The lessons of earlier notebooks. Safe to use from several threads; a file that can't be read is an empty memory."""

    path: Path | None = None
    _lessons: dict[tuple[str, str, str, str], Lesson] = field(default_factory=dict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Read the file."""
        for lesson in _read(self.path) if self.path else ():
            self._lessons[_key(lesson)] = lesson

    @property
    def origin(self) -> str:
        """Return what fixes from memory are signed with."""
        return ORIGIN

    def propose(self, situation: Situation) -> Proposal | Miss:
        """Propose the replacement of a lesson whose diagnosis and lines are those of the failure."""
        if situation.tried or situation.kind != "error-repair":
            return Miss()
        failure = situation.failure
        with self._guard:
            lessons = [lesson for lesson in self._lessons.values() if _is_about(lesson, failure)]
        source = situation.program.sources().get(failure.unit, "")
        for lesson in lessons:
            changed = _applied(lesson, source, failure.line)
            if changed is not None:
                return Proposal(situation.program.replaced({failure.unit: changed}), lesson.explanation)
        return Miss()

    def learn(self, edits: Sequence[Edit]) -> None:
        """Keep what proven edits teach: those of one block of lines in the failing unit, which say what they are for."""
        lessons = [lesson for edit in edits for lesson in _lessons_of(edit)]
        if not lessons:
            return
        with self._guard:
            self._lessons |= {_key(lesson): lesson for lesson in lessons}
            while len(self._lessons) > _MOST:
                del self._lessons[next(iter(self._lessons))]
            if self.path is not None:
                _write(self.path, list(self._lessons.values()))


def _key(lesson: Lesson) -> tuple[str, str, str, str]:
    return lesson.kind, lesson.symbol, lesson.error, lesson.before


def _is_about(lesson: Lesson, failure: Failure) -> bool:
    about = _subject(failure.diagnosis, failure.error.message)
    return (lesson.kind, lesson.symbol, lesson.error) == (failure.diagnosis.kind, about, failure.error.name)


def _subject(diagnosis: Diagnosis, message: str) -> str:
    """Return the symbol a diagnosis is about, else the error's message without its numbers."""
    return diagnosis.symbol or re.sub(r"\d+", "#", message)[:300]


def _applied(lesson: Lesson, source: str, line: int | None) -> str | None:
    """Replace the lesson's lines where they stand around the failing line; None when they do not, or not only once."""
    old = lesson.before.split("\n")
    lines = source.split("\n")
    places = [at for at in range(len(lines) - len(old) + 1) if _bare(lines[at : at + len(old)]) == _bare(old)]
    near = [at for at in places if line is None or at <= line - 1 < at + len(old)]
    if len(near) != 1:
        return None
    at = near[0]
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    new = textwrap.indent(lesson.after, indent).split("\n")
    return "\n".join([*lines[:at], *new, *lines[at + len(old) :]])


def _bare(lines: Sequence[str]) -> list[str]:
    return [line.rstrip() for line in textwrap.dedent("\n".join(lines)).split("\n")]


def _lessons_of(edit: Edit) -> list[Lesson]:
    if list(edit.changes) != [edit.unit] or edit.origin == ORIGIN:
        return []
    before, after = (text.split("\n") for text in edit.changes[edit.unit])
    blocks = [
        block for block in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes() if block[0] != "equal"
    ]
    if len(blocks) != 1:
        return []
    _, low, high, start, end = blocks[0]
    old, new = "\n".join(_bare(before[low:high])), "\n".join(_bare(after[start:end]))
    if len(old) < _WORTH or not new.strip() or len(old) + len(new) > _LONGEST or "hidden-" in new:
        return []
    subject = _subject(edit.diagnosis, edit.message)
    return [Lesson(edit.diagnosis.kind, subject, edit.error, old, new, f"As proven on another notebook: {subject}.")]


def _read(path: Path) -> list[Lesson]:
    try:
        if path.stat().st_size > _MOST * _LONGEST * 2:
            return []
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["version"] != _VERSION:
            return []
        lessons = [Lesson(**item) for item in data["lessons"]]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return []
    return [lesson for lesson in lessons if all(isinstance(value, str) for value in asdict(lesson).values())]


def _write(path: Path, lessons: Sequence[Lesson]) -> None:
    """Replace the file in one step; a folder that refuses it only costs a later run a call."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".memory")
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump({"version": _VERSION, "lessons": [asdict(lesson) for lesson in lessons]}, file, indent=1)
        Path(name).replace(path)
