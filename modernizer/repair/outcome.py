"""What a repair did: fixes, attempts, ledger and the patch; the shape of ``repair`` in results.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

FixKind = Literal["error-repair", "runtime-reduction", "score-calibration"]
Stopped = Literal["good", "budget", "no-progress", "blocked", "none-applicable", "interrupted"]
AttemptOutcome = Literal["accepted", "rejected", "no-effect", "worse", "failed", "rolled-back"]


@dataclass(frozen=True)
class Fix:
    """One kept change. ``cells`` are notebook cells, ``files`` repo-local modules it touched."""

    kind: FixKind
    origin: str
    cells: tuple[int, ...]
    lines_changed: int
    explanation: str
    files: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True)
class Attempt:
    """One proposed patch with its outcome and why."""

    origin: str
    kind: FixKind
    outcome: AttemptOutcome
    why: str = ""


@dataclass(frozen=True)
class Ledger:
    """What the repair cost. Seconds are wall time inside cells; costs are US dollars.

    ``model_calls`` counts requests, retries included; an answer kept on disk is none. ``calls_estimated`` are those whose
    tokens or price are an estimate of ours, because the server or the price table does not tell.
    """

    executions: int = 0
    cell_seconds: float = 0.0
    model_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    cost_usd: float = 0.0
    calls_estimated: int = 0


@dataclass(frozen=True)
class Fidelity:
    """Share of the original statements and calls that the patch left unchanged, each from 0 to 1."""

    statements: float = 1.0
    calls: float = 1.0


@dataclass(frozen=True)
class Repair:
    """A finished repair. ``sources`` maps repo-relative paths of changed files to their new bytes."""

    fixes: tuple[Fix, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    stopped: Stopped = "none-applicable"
    fidelity: Fidelity = Fidelity()
    ledger: Ledger = Ledger()
    patch: str = ""
    sources: Mapping[str, bytes] = field(default_factory=dict)
