"""Student's t distribution, by the continued fraction of the incomplete beta function."""

from __future__ import annotations

import math

_SMALL = 1e-300
_ENOUGH = 1e-15
_MOST_STEPS = 1000


def beyond(t: float, df: float) -> float:
    """Return the probability that a t-distributed value with ``df`` degrees of freedom is larger than ``t``."""
    if math.isinf(t):
        return 0.0 if t > 0 else 1.0
    square = t * t
    if square < df:  # the form that stays exact near zero
        tail = 0.5 - 0.5 * _incomplete_beta(0.5, df / 2, square / (df + square))
    else:
        tail = 0.5 * _incomplete_beta(df / 2, 0.5, df / (df + square))
    return tail if t >= 0 else 1.0 - tail


def two_sided(t: float, df: float) -> float:
    """Return the probability of a value at least as far from zero on either side."""
    return min(1.0, 2.0 * beyond(abs(t), df))


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function."""
    if x <= 0.0 or x >= 1.0:
        return float(x >= 1.0)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1.0 - front * _fraction(b, a, 1.0 - x) / b


def _fraction(a: float, b: float, x: float) -> float:
    """Evaluate the continued fraction by Lentz's method."""
    numerator, denominator = 1.0, 1.0 / _away(1.0 - (a + b) * x / (a + 1))
    result = denominator
    for step in range(1, _MOST_STEPS):
        change = 1.0
        for term in (
            step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step)),
            -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1)),
        ):
            denominator = 1.0 / _away(1.0 + term * denominator)
            numerator = _away(1.0 + term / numerator)
            change = numerator * denominator
            result *= change
        if abs(change - 1.0) < _ENOUGH:
            break
    return result


def _away(value: float) -> float:
    """Keep a divisor away from zero."""
    return value if abs(value) > _SMALL else _SMALL
