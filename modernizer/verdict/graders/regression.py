"""Metrics of predicted numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence


def rmse(truth: Sequence[float], predicted: Sequence[float]) -> float:
    """Return the root of the mean squared error."""
    return math.sqrt(mse(truth, predicted))


def mse(truth: Sequence[float], predicted: Sequence[float]) -> float:
    """Return the mean squared error."""
    return math.fsum((one - other) ** 2 for one, other in zip(truth, predicted, strict=True)) / len(truth)


def mae(truth: Sequence[float], predicted: Sequence[float]) -> float:
    """Return the mean absolute error."""
    return math.fsum(abs(one - other) for one, other in zip(truth, predicted, strict=True)) / len(truth)


def rmsle(truth: Sequence[float], predicted: Sequence[float]) -> float:
    """Return the root mean squared error of the logarithms of one plus the values, which must be above minus one."""
    return rmse([math.log1p(value) for value in truth], [math.log1p(value) for value in predicted])


def r2(truth: Sequence[float], predicted: Sequence[float]) -> float:
    """Return the share of the variance that is explained; for constant truth 1 when all is right, else 0."""
    mean = math.fsum(truth) / len(truth)
    total = math.fsum((value - mean) ** 2 for value in truth)
    left = math.fsum((one - other) ** 2 for one, other in zip(truth, predicted, strict=True))
    return 1 - left / total if total else float(left == 0)
