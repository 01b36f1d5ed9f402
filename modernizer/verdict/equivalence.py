"""When two values of a score agree.

The rules: a value agrees when it lies within the tolerance of the recorded one, on both sides unless a direction is
given. The half-width is the largest of

- the relative tolerance times the recorded value's size (so signs matter, and a zero target gets nothing from here); for
  scores that are a part of a whole of one above a baseline (R², kappa, correlation) times the larger of the part and
  what is missing to the whole, since an R² of 0.05 is 95 % error, and 1 % of the error is what the score can tell,
- the absolute tolerance,
- half of the last printed digit of the record: ``0.93`` stands for every value from 0.925 to 0.935,
- a floor below which differences are rounding of the machine, or for p-values without meaning.

NaN agrees with NaN only, an infinity with itself only, a missing value with nothing. Bounds of a metric (an accuracy
lies between 0 and 1) give no extra room: 0.99 for 1.00 is a hundredth off like anywhere else.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from modernizer.config_values import Tolerance

DEFAULT_TOLERANCE = Tolerance(relative=0.01)
MACHINE_FLOOR = 1e-9
PROBABILITY_FLOOR = 1e-3
_SLACK = 1e-9  # of the half-width: 0.935 is within 0.005 of 0.93, whatever binary fractions say

Direction = Literal["both", "higher", "lower"]


@dataclass(frozen=True)
class Agreement:
    """Whether a value agrees, and the half-width that was applied, in the score's own unit."""

    agrees: bool
    half_width: float


def half_width(
    recorded: float,
    *,
    tolerance: Tolerance = DEFAULT_TOLERANCE,
    resolution: float = 0.0,
    floor: float = MACHINE_FLOOR,
    scale: float = 0.0,
) -> float:
    """Return how far a value may be from the recorded one; zero for a record that isn't finite.

    ``scale`` is the least size that the relative tolerance is taken of, in the score's own unit.
    """
    if not math.isfinite(recorded):
        return 0.0
    return max(tolerance.relative * max(abs(recorded), scale), tolerance.absolute, resolution, floor)


def agreement(
    recorded: float,
    value: float | None,
    *,
    tolerance: Tolerance = DEFAULT_TOLERANCE,
    resolution: float = 0.0,
    floor: float = MACHINE_FLOOR,
    scale: float = 0.0,
    direction: Direction = "both",
) -> Agreement:
    """Judge one value against the recorded one.

    With ``direction`` higher (or lower) being better, a value beyond the record on the better side agrees however far
    it is; the default asks for the same value, because better is not reproduced.
    """
    width = half_width(recorded, tolerance=tolerance, resolution=resolution, floor=floor, scale=scale)
    if value is None:
        return Agreement(agrees=False, half_width=width)
    if math.isnan(recorded) or math.isnan(value):
        return Agreement(agrees=math.isnan(recorded) and math.isnan(value), half_width=width)
    if recorded == value:
        return Agreement(agrees=True, half_width=width)
    if math.isinf(recorded):
        return Agreement(agrees=False, half_width=width)
    room = width * (1 + _SLACK) + abs(recorded) * 1e-15
    worse = {"higher": recorded - value, "lower": value - recorded, "both": abs(value - recorded)}[direction]
    return Agreement(agrees=worse <= room, half_width=width)
