"""What the loop and those who propose edits say to each other: the memory of proven fixes, and a language model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from modernizer.repair.outcome import AttemptOutcome, FixKind, Ledger
from modernizer.repair.program import Key, Program
from modernizer.repair.recipe import Failure, Live
from modernizer.verdict.outcome import Diagnosis

Next = Literal["ask-again", "this-error", "budget"]
"""After a miss: another try is welcome, nothing more comes for this error, or the notebook's budget is used up."""


@dataclass(frozen=True)
class Tried:
    """An edit that did not help with the error at hand, as a diff for people and models, and why it was taken back."""

    edit: str
    why: str


@dataclass(frozen=True)
class Situation:
    """An error that no recipe repairs; ``tried`` are the edits that were taken back since it came up."""

    program: Program
    failure: Failure
    live: Live | None = None
    tried: tuple[Tried, ...] = ()
    kind: FixKind = "error-repair"

    @property
    def line(self) -> str:
        """Return the text of the failing line; empty when it is not known."""
        lines = self.program.sources().get(self.failure.unit, "").split("\n")
        line = self.failure.line
        return lines[line - 1].strip() if line is not None and 0 < line <= len(lines) else ""


@dataclass(frozen=True)
class Proposal:
    """A changed program, why it should hold, and what it cost to get."""

    program: Program
    explanation: str
    spent: Ledger = field(default_factory=Ledger)


@dataclass(frozen=True)
class Miss:
    """No edit, and why; without a ``why`` there is nothing to tell."""

    why: str = ""
    next: Next = "this-error"
    outcome: AttemptOutcome = "failed"
    spent: Ledger = field(default_factory=Ledger)


class Proposer(Protocol):
    """Somebody who proposes edits; ``origin`` is what their fixes are signed with."""

    @property
    def origin(self) -> str:
        """Return ``memory`` or ``model:<name>``."""

    def propose(self, situation: Situation) -> Proposal | Miss:
        """Propose one edit; raises nothing for expected trouble."""


@dataclass(frozen=True)
class Edit:
    """An edit that was kept: the error's name and message it was for, the text of the failing line, and the changed units.

    ``changes`` has each unit's text before and after.
    """

    origin: str
    error: str
    message: str
    diagnosis: Diagnosis
    line: str
    changes: Mapping[Key, tuple[str, str]]
