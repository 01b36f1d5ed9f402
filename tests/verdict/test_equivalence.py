from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modernizer.config_values import Tolerance
from modernizer.verdict.equivalence import agreement, half_width

FINITE = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e12, max_value=1e12)
ANY = st.floats()
TOLERANCES = st.builds(Tolerance, relative=st.floats(0, 0.5), absolute=st.floats(0, 10))


@pytest.mark.parametrize(
    ("recorded", "value", "resolution", "agrees"),
    [
        (0.9333, 0.9333, 0.00005, True),
        (0.9333, 0.9267, 0.00005, True),  # within 1 %
        (61.476, 60.38, 0.0005, False),
        (0.93, 0.935, 0.005, True),  # the record stands for 0.925 to 0.935
        (0.3, 0.34, 0.05, True),
        (0.3, 0.36, 0.05, False),
        (-12.478, 12.478, 0.0, False),  # the sign matters
        (-100.0, -100.9, 0.0, True),
        (0.0, 0.0, 0.0, True),
        (0.0, 1e-12, 0.0, True),  # rounding of the machine
        (0.0, 0.001, 0.0, False),
        (0.0, 0.001, 0.005, True),  # printed as 0.00
        (1e-29, 4e-30, 0.0, True),
        (1.0, None, 0.0, False),
    ],
)
def test_the_default_tolerance_is_one_per_cent_but_never_finer_than_the_record(
    recorded: float, value: float | None, resolution: float, *, agrees: bool
) -> None:
    assert agreement(recorded, value, resolution=resolution).agrees is agrees


@pytest.mark.parametrize(
    ("recorded", "value", "agrees"),
    [
        (math.nan, math.nan, True),
        (math.nan, 1.0, False),
        (1.0, math.nan, False),
        (math.inf, math.inf, True),
        (math.inf, -math.inf, False),
        (math.inf, 1e300, False),
        (1.0, math.inf, False),
        (math.nan, None, False),
    ],
)
def test_nan_and_infinities_agree_with_themselves_only(recorded: float, value: float | None, *, agrees: bool) -> None:
    assert agreement(recorded, value).agrees is agrees


@pytest.mark.parametrize(
    ("direction", "value", "agrees"),
    [("higher", 0.99, True), ("higher", 0.80, False), ("lower", 0.80, True), ("lower", 0.99, False), ("both", 0.99, False)],
)
def test_a_direction_makes_the_better_side_free(direction: str, value: float, *, agrees: bool) -> None:
    assert agreement(0.9, value, direction=direction).agrees is agrees  # type: ignore[arg-type]


def test_an_absolute_tolerance_is_in_the_score_s_own_unit() -> None:
    assert agreement(100.0, 102.0, tolerance=Tolerance(absolute=2.0)).agrees
    assert not agreement(100.0, 102.1, tolerance=Tolerance(absolute=2.0)).agrees


def test_a_finer_tolerance_tells_a_changed_default_apart() -> None:
    assert agreement(0.8843, 0.8854, resolution=0.00005).agrees
    assert not agreement(0.8843, 0.8854, resolution=0.00005, tolerance=Tolerance(relative=0.0005)).agrees


@given(ANY, TOLERANCES)
def test_every_value_agrees_with_itself(value: float, tolerance: Tolerance) -> None:
    assert agreement(value, value, tolerance=tolerance).agrees


@given(FINITE, FINITE, TOLERANCES)
def test_agreement_holds_just_when_the_distance_is_within_the_half_width(
    recorded: float, value: float, tolerance: Tolerance
) -> None:
    width = half_width(recorded, tolerance=tolerance)
    distance = abs(value - recorded)
    if distance < width * 0.999:
        assert agreement(recorded, value, tolerance=tolerance).agrees
    if distance > width * 1.001 + abs(recorded) * 1e-12:
        assert not agreement(recorded, value, tolerance=tolerance).agrees


@given(FINITE, FINITE, st.floats(0, 0.2), st.floats(0, 0.2))
def test_a_wider_tolerance_never_turns_agreement_into_disagreement(
    recorded: float, value: float, first: float, second: float
) -> None:
    narrow, wide = sorted((first, second))
    if agreement(recorded, value, tolerance=Tolerance(relative=narrow)).agrees:
        assert agreement(recorded, value, tolerance=Tolerance(relative=wide)).agrees


@given(FINITE, FINITE)
def test_mirroring_both_values_changes_nothing(recorded: float, value: float) -> None:
    assert agreement(recorded, value).agrees == agreement(-recorded, -value).agrees


@given(FINITE, FINITE)
def test_two_sided_agreement_is_agreement_in_both_directions(recorded: float, value: float) -> None:
    both = agreement(recorded, value).agrees
    assert both == (
        agreement(recorded, value, direction="higher").agrees and agreement(recorded, value, direction="lower").agrees
    )


@pytest.mark.parametrize(
    ("recorded", "value", "tolerance", "agrees"),
    [
        (0.3074, 0.3023, Tolerance(relative=0.01), True),
        (0.3074, 0.2960, Tolerance(relative=0.01), False),
        (0.02, 0.025, Tolerance(relative=0.01), True),
        (0.8843, 0.8854, Tolerance(relative=0.0005), False),
    ],
)
def test_a_score_from_a_baseline_is_measured_by_the_whole(
    *, recorded: float, value: float, tolerance: Tolerance, agrees: bool
) -> None:
    assert agreement(recorded, value, tolerance=tolerance, scale=1.0).agrees is agrees
