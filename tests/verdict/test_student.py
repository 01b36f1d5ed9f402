from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modernizer.verdict.student import beyond, two_sided


@pytest.mark.parametrize(
    ("t", "df", "expected"),  # scipy.stats.t.sf
    [
        (0.0, 1, 0.5),
        (1.0, 1, 0.25),
        (6.313751514675043, 1, 0.05),
        (-1.5, 2, 0.8638034375544994),
        (2.0, 4, 0.05805826175840778),
        (2.2621571627982053, 9, 0.025),
        (0.3, 30, 0.3831230526421764),
        (10.0, 3, 0.0010641995292070751),
        (math.inf, 3, 0.0),
        (-math.inf, 3, 1.0),
    ],
)
def test_tails_are_those_of_the_tables(t: float, df: float, expected: float) -> None:
    assert beyond(t, df) == pytest.approx(expected, rel=1e-12)


@given(st.floats(-1e6, 1e6), st.integers(1, 200))
def test_both_tails_make_one(t: float, df: int) -> None:
    assert beyond(t, df) + beyond(-t, df) == pytest.approx(1)
    assert 0 <= two_sided(t, df) <= 1


@given(st.floats(-50, 50))
def test_one_degree_of_freedom_is_cauchys_distribution(t: float) -> None:
    assert beyond(t, 1) == pytest.approx(0.5 - math.atan(t) / math.pi, abs=1e-12)


@given(st.floats(0, 20), st.floats(0, 20), st.integers(1, 100))
def test_farther_is_rarer(one: float, other: float, df: int) -> None:
    assert beyond(max(one, other), df) <= beyond(min(one, other), df) + 1e-15
