"""What the policy says of an edit."""

from __future__ import annotations

from dataclasses import dataclass

from modernizer.repair.program import Key


@dataclass(frozen=True)
class Violation:
    """A rule that the edit breaks. ``line`` counts from 1 in the unit after the edit, 0 when no line is at fault."""

    rule: str
    unit: Key
    line: int
    detail: str

    def __str__(self) -> str:
        """Say it in one line, as it goes back to a model."""
        where = f"cell {self.unit}" if isinstance(self.unit, int) else self.unit
        return f"{where}, line {self.line}: {self.detail} [{self.rule}]" if self.line else f"{where}: {self.detail} [{self.rule}]"


@dataclass(frozen=True)
class Flag(Violation):
    """Something allowed that a person should look at; shown in the report."""


@dataclass(frozen=True)
class Review:
    """The policy's answer: an edit with violations is refused."""

    violations: tuple[Violation, ...] = ()
    flags: tuple[Flag, ...] = ()

    @property
    def accepted(self) -> bool:
        """Tell whether no rule is broken."""
        return not self.violations
