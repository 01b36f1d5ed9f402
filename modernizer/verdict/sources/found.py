"""What a source gave in one run, or in the stored outputs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Found:
    """A number, or none and the reason in plain words. ``resolution`` is half of the last printed digit; 0: exact."""

    value: float | None
    note: str = ""
    resolution: float = 0.0
    cell: int | None = None
