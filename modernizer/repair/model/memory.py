"""Edits proven on other notebooks, of this run or an earlier one: the same failing line gets the same edit.

Kept in a file that a pipeline can cache. What it says is only a proposal: it passes the policy and the proof like any other.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from modernizer.repair.model.lesson import Block, Lesson, applied, is_about, is_kept, lesson_of
from modernizer.repair.program import Program
from modernizer.repair.proposer import Edit, Miss, Proposal, Situation

ORIGIN = "memory"
_VERSION = 2
_MOST = 2_000
_LARGEST = 16_000_000
"""Bytes of a file that is read."""
_Key = tuple[str, str, str, str, tuple[Block, ...]]


@dataclass
class Memory:
    """The lessons of earlier notebooks. Safe to use from several threads; a file that can't be read is an empty memory."""

    path: Path | None = None
    _lessons: dict[_Key, Lesson] = field(default_factory=dict)
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
        """Propose the edit of a lesson whose diagnosis and failing line are those of the failure."""
        if situation.tried or situation.kind != "error-repair":
            return Miss()
        failure = situation.failure
        line = situation.line
        with self._guard:
            lessons = [lesson for lesson in self._lessons.values() if is_about(lesson, failure, line)]
        for lesson in lessons:
            changed = applied(lesson, situation.program, failure)
            if changed is not None:
                return Proposal(situation.program.replaced(changed), lesson.explanation)
        return Miss()

    def learn(self, edits: Sequence[Edit], program: Program) -> None:
        """Keep what edits teach that stand in a proven program."""
        found = (lesson_of(edit, program) for edit in edits if edit.origin != ORIGIN)
        lessons = [lesson for lesson in found if lesson is not None]
        if not lessons:
            return
        with self._guard:
            self._lessons |= {_key(lesson): lesson for lesson in lessons}
            while len(self._lessons) > _MOST:
                del self._lessons[next(iter(self._lessons))]
            if self.path is not None:
                _write(self.path, list(self._lessons.values()))


def _key(lesson: Lesson) -> _Key:
    return lesson.kind, lesson.symbol, lesson.error, lesson.line, lesson.blocks


def _read(path: Path) -> list[Lesson]:
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST:
            return []
        data = json.loads(path.read_text(encoding="utf-8"))
        items = data["lessons"] if data["version"] == _VERSION else []
        return [lesson for item in items[-_MOST:] if (lesson := _lesson(item)) is not None]
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return []


def _lesson(item: Any) -> Lesson | None:  # noqa: ANN401 (whatever the file holds)
    """Read one lesson; None for one that is none, or that we would not have written."""
    try:
        blocks = tuple(Block(**block) for block in item["blocks"])
        lesson = Lesson(**{**item, "blocks": blocks})
    except (TypeError, KeyError):
        return None
    return lesson if is_kept(lesson) else None


def _write(path: Path, lessons: Sequence[Lesson]) -> None:
    """Replace the file in one step; a folder that refuses it only costs a later run a call."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".memory")
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump({"version": _VERSION, "lessons": [asdict(lesson) for lesson in lessons]}, file, indent=1)
        Path(name).replace(path)
