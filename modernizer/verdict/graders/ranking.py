"""Mean average precision of ranked lists."""

from __future__ import annotations

from collections.abc import Hashable, Sequence


def mean_average_precision(truth: Sequence[Sequence[Hashable]], ranked: Sequence[Sequence[Hashable]], k: int) -> float:
    """Return MAP@k: for each row the precisions at its hits, over as many as there could be; repeated items count once."""
    return sum(_average_precision(set(one), other[:k], k) for one, other in zip(truth, ranked, strict=True)) / len(truth)


def _average_precision(relevant: set[Hashable], ranked: Sequence[Hashable], k: int) -> float:
    hits, total = 0, 0.0
    for place, item in enumerate(ranked, start=1):
        if item in relevant and item not in ranked[: place - 1]:
            hits += 1
            total += hits / place
    return total / min(len(relevant), k) if relevant else 0.0
