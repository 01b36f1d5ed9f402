"""Dice's coefficient of masks that are written as runs: ``start length start length``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

Runs = tuple[tuple[int, int], ...]


def parse_runs(text: str) -> Runs:
    """Read pairs of start and length; an empty text is an empty mask. ValueError for anything else."""
    values = [int(word) for word in text.split()] if text.strip() not in {"", "-1"} else []
    if len(values) % 2 or any(length < 1 for length in values[1::2]):
        raise ValueError("not pairs of start and length")
    runs = tuple(sorted((start, start + length) for start, length in zip(values[::2], values[1::2], strict=True)))
    if any(one[1] > other[0] for one, other in pairwise(runs)):
        raise ValueError("runs overlap")
    return runs


def dice(truth: Sequence[Runs], predicted: Sequence[Runs]) -> float:
    """Return the mean over the rows of twice the common size over the sum of both sizes; 1 for two empty masks."""
    return sum(_dice(one, other) for one, other in zip(truth, predicted, strict=True)) / len(truth)


def _dice(one: Runs, other: Runs) -> float:
    size = _size(one) + _size(other)
    return 2 * _common(one, other) / size if size else 1.0


def _size(runs: Runs) -> int:
    return sum(end - start for start, end in runs)


def _common(one: Runs, other: Runs) -> int:
    left = right = common = 0
    while left < len(one) and right < len(other):
        common += max(0, min(one[left][1], other[right][1]) - max(one[left][0], other[right][0]))
        if one[left][1] < other[right][1]:
            left += 1
        else:
            right += 1
    return common
