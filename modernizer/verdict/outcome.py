"""The judgement of one execution: verdict, diagnosis and scores (DESIGN section 2)."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import Literal

from modernizer.execution.outcome import CellError

Verdict = Literal["reproduced", "ran", "drifted", "broken", "timed-out", "crashed", "blocked"]
GOOD: frozenset[Verdict] = frozenset({"reproduced", "ran"})
Reason = Literal[
    "",
    "missing-data",
    "missing-secret",
    "needs-network",
    "needs-gpu",
    "needs-input",
    "missing-program",
    "unsupported-kernel",
    "install-failed",
    "unreadable",
    "never-ran",
    "memory",
    "interrupted",
    "infrastructure",
]
Kind = Literal[
    "api-removed",
    "api-moved",
    "api-signature",
    "module-missing",
    "syntax-python2",
    "syntax",
    "magic",
    "missing-data",
    "missing-secret",
    "needs-network",
    "needs-gpu",
    "needs-input",
    "missing-program",
    "never-ran",
    "name-undefined",
    "value-semantics",
    "other",
]


@dataclass(frozen=True)
class Diagnosis:
    """What the first fatal error is and what it is about.

    ``symbol`` is the dotted name or parameter concerned (``sklearn.cross_validation``, ``normed``), ``package`` the
    distribution's import name, ``detail`` one plain sentence for people.
    """

    kind: Kind
    symbol: str = ""
    package: str = ""
    detail: str = ""


@dataclass(frozen=True)
class Score:
    """One recorded number and its value in the new run; ``value`` is None when it is missing there.

    ``tolerance`` is the half-width that was applied, in the score's own unit. ``cell`` is where it was recorded. Without a
    record there is nothing to judge: ``recorded`` and ``agrees`` are None. ``note`` says why a value is missing. After several
    runs ``values`` are theirs and ``value`` is the mean; a run without a value has None.
    """

    name: str
    source: str
    recorded: float | None
    value: float | None
    tolerance: float
    agrees: bool | None
    cell: int | None = None
    note: str = ""
    direction: Literal["both", "higher", "lower"] = "both"
    values: tuple[float | None, ...] = ()

    @property
    def off(self) -> bool:
        """Tell whether the score was judged and does not agree."""
        return self.agrees is False

    @property
    def spread(self) -> float | None:
        """Return the standard deviation of the values; None for fewer than two."""
        there = [value for value in self.values if value is not None and math.isfinite(value)]
        return statistics.stdev(there) if len(there) > 1 else None


@dataclass(frozen=True)
class Outcome:
    """A judged execution: the shape of ``before`` and ``after`` in results.json."""

    verdict: Verdict
    reason: Reason = ""
    cells_total: int = 0
    cells_run: int = 0
    seconds: float = 0.0
    error: CellError | None = None
    diagnosis: Diagnosis | None = None
    scores: tuple[Score, ...] = ()
    detail: str = ""

    @property
    def good(self) -> bool:
        """Tell whether the notebook ended reproduced or ran."""
        return self.verdict in GOOD
