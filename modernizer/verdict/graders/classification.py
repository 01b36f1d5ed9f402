"""Metrics of predicted classes and of predicted probabilities."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from modernizer.verdict.graders.labels import Label, in_order

_SMALLEST = 2.220446049250313e-16  # what scikit-learn keeps probabilities away from 0 and 1


def accuracy(truth: Sequence[Label], predicted: Sequence[Label]) -> float:
    """Return the share of equal labels."""
    return sum(one == other for one, other in zip(truth, predicted, strict=True)) / len(truth)


def f1(truth: Sequence[Label], predicted: Sequence[Label], positive: Label = 1.0) -> float:
    """Return the harmonic mean of precision and recall of one class; 0 when it occurs on neither side."""
    pairs = list(zip(truth, predicted, strict=True))
    hits = sum(one == positive and other == positive for one, other in pairs)
    off = sum((one == positive) != (other == positive) for one, other in pairs)
    return 2 * hits / (2 * hits + off) if hits or off else 0.0


def f1_macro(truth: Sequence[Label], predicted: Sequence[Label]) -> float:
    """Return the plain mean of the classes' F1."""
    classes = in_order({*truth, *predicted})
    return sum(f1(truth, predicted, one) for one in classes) / len(classes)


def f1_weighted(truth: Sequence[Label], predicted: Sequence[Label]) -> float:
    """Return the mean of the classes' F1, weighted by how often they are true."""
    return sum(count * f1(truth, predicted, one) for one, count in Counter(truth).items()) / len(truth)


def log_loss(truth: Sequence[int], probabilities: Sequence[Sequence[float]]) -> float:
    """Return the mean negative logarithm of the true class's probability; rows are scaled to the sum one first."""
    total = 0.0
    for index, row in zip(truth, probabilities, strict=True):
        share = row[index] / (sum(row) or 1.0)
        total -= math.log(min(max(share, _SMALLEST), 1 - _SMALLEST))
    return total / len(truth)


def auc(truth: Sequence[bool], scores: Sequence[float]) -> float:
    """Return the area under the ROC curve: how often a positive has the higher score, ties count half."""
    order = sorted(range(len(scores)), key=scores.__getitem__)
    ranks = [0.0] * len(scores)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and scores[order[end]] == scores[order[start]]:
            end += 1
        for place in order[start:end]:
            ranks[place] = (start + 1 + end) / 2
        start = end
    positives = sum(truth)
    total = sum(rank for rank, positive in zip(ranks, truth, strict=True) if positive)
    return (total - positives * (positives + 1) / 2) / (positives * (len(truth) - positives))


def quadratic_kappa(truth: Sequence[Label], predicted: Sequence[Label]) -> float:
    """Return Cohen's kappa with quadratic weights over the sorted labels; 1 when there is only one label."""
    places = {one: place for place, one in enumerate(in_order({*truth, *predicted}))}
    seen = Counter((places[one], places[other]) for one, other in zip(truth, predicted, strict=True))
    rows, columns = Counter(places[one] for one in truth), Counter(places[one] for one in predicted)
    found = sum(count * (one - other) ** 2 for (one, other), count in seen.items())
    by_chance = sum(rows[one] * columns[other] * (one - other) ** 2 for one in rows for other in columns) / len(truth)
    return 1 - found / by_chance if by_chance else 1.0
