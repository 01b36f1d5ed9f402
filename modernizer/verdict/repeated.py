"""Several runs of one notebook judged together: equivalence by two one-sided tests, or the rule of the 2026 study.

Equivalence: the mean agrees when both hypotheses, that it lies below and that it lies above the tolerated range around the
record, are rejected at a level of 5 % each (Schuirmann 1987). More noise makes this harder, never easier. With a direction
only the worse side is tested. Runs that all give the same value are compared by the tolerance alone.

The study's rule: both of the first two runs within 10 % of the record, else no significant difference from it (one-sample
t-test, p > 0.05) over up to ten runs. More noise makes this easier; the rule is there for comparison.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import replace

from modernizer.config_values import Rule
from modernizer.verdict.equivalence import Direction
from modernizer.verdict.judge import clean_verdict, off_scores
from modernizer.verdict.outcome import Outcome, Score
from modernizer.verdict.student import beyond, two_sided

LEVEL = 0.05
STUDY_SHARE = 0.10
STUDY_FIRST = 2
STUDY_MOST = 10
CLEAN = frozenset({"reproduced", "ran", "drifted"})
_SLACK = 1e-9


def equivalent(values: Sequence[float], recorded: float, half_width: float, direction: Direction = "both") -> bool:
    """Tell whether at least two values are equivalent to the record within the half-width."""
    if not all(map(math.isfinite, (*values, recorded))):
        return all(value == recorded or (math.isnan(value) and math.isnan(recorded)) for value in values)
    mean, spread = _mean_and_spread(values)
    below, above = mean - (recorded - half_width), (recorded + half_width) - mean
    tested = {"higher": (below,), "lower": (above,), "both": (below, above)}[direction]
    if spread == 0:
        return min(tested) >= -half_width * _SLACK - abs(recorded) * 1e-15
    error = spread / math.sqrt(len(values))
    return all(beyond(distance / error, len(values) - 1) < LEVEL for distance in tested)


def study_close(value: float | None, recorded: float) -> bool:
    """Tell whether a value lies within 10 % of the record."""
    return value is not None and abs(value - recorded) <= STUDY_SHARE * abs(recorded) * (1 + _SLACK)


def study_agrees(values: Sequence[float], recorded: float) -> bool:
    """Judge two to ten values as the 2026 study does."""
    if all(study_close(value, recorded) for value in values[:STUDY_FIRST]):
        return True
    if len(values) < STUDY_FIRST or not all(map(math.isfinite, (*values, recorded))):
        return False
    mean, spread = _mean_and_spread(values)
    if spread == 0:
        return mean == recorded
    return two_sided((mean - recorded) / (spread / math.sqrt(len(values))), len(values) - 1) > LEVEL


def by_study(score: Score) -> Score:
    """Judge a score of one run by the study's 10 % alone."""
    if score.recorded is None:
        return score
    return replace(score, tolerance=STUDY_SHARE * abs(score.recorded), agrees=study_close(score.value, score.recorded))


def combine(outcomes: Sequence[Outcome], rule: Rule) -> Outcome:
    """Judge the runs of one program together; a run that was not clean is the outcome of all. There is at least one."""
    first = outcomes[0]
    for place, outcome in enumerate(outcomes, start=1):
        if outcome.verdict not in CLEAN:
            return outcome if place == 1 else replace(outcome, detail=f"run {place} of {len(outcomes)}: {outcome.detail}")
    if len(outcomes) == 1:
        return first
    by_place = [{_place(score, index): score for index, score in enumerate(outcome.scores)} for outcome in outcomes]
    scores = tuple(
        _combined(score, [scores.get(_place(score, index)) for scores in by_place], rule)
        for index, score in enumerate(first.scores)
    )
    return replace(first, verdict=clean_verdict(scores), scores=scores, detail=off_scores(scores))


def _combined(score: Score, runs: Sequence[Score | None], rule: Rule) -> Score:
    values = tuple(None if run is None else run.value for run in runs)
    there = [value for value in values if value is not None]
    joined = replace(score, values=values, value=_mean_and_spread(there)[0] if there else None)
    missing = len(values) - len(there)
    note = f"missing in {missing} of {len(values)} runs" if missing else ""
    joined = replace(joined, note=note or next((run.note for run in runs if run and run.note), ""))
    if score.recorded is None:
        return joined
    if missing:
        return replace(joined, agrees=False)
    if rule == "study":
        return replace(joined, agrees=study_agrees(there, score.recorded))
    return replace(joined, agrees=equivalent(there, score.recorded, score.tolerance, score.direction))


def _mean_and_spread(values: Sequence[float]) -> tuple[float, float]:
    """Return mean and standard deviation; equal values have exactly their own mean and no spread."""
    if all(value == values[0] for value in values):
        return values[0], 0.0
    if not all(map(math.isfinite, values)):
        return math.fsum(values) / len(values) if not any(map(math.isinf, values)) else math.nan, math.nan
    return statistics.fmean(values), statistics.stdev(values)


def _place(score: Score, index: int) -> tuple[str, str, int | None, int]:
    return score.name, score.source, score.cell, index
